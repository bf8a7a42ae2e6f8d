"""A BERT encoder in NumPy, for single queries.

Importing torch and sentence-transformers takes seconds, and a command that asks one question would
wait for nothing else. So a query goes through these few products, and only batches through the
library; both read the same weights and agree to about 1e-6.
"""

from __future__ import annotations

import json
import math
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_WORDS = "embeddings.word_embeddings.weight"


class Bert:
    """The weights and the vocabulary of one model.

    Args:
        folder: A folder of the model for which `supported` says yes.
        max_tokens: Longer texts are cut there.
    """

    def __init__(self, folder: Path, max_tokens: int) -> None:
        from safetensors import safe_open
        from tokenizers import Tokenizer

        self._config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)
        # the words' vectors are most of the file, and a query needs a handful of them
        opened: Any = safe_open
        file = opened(folder / "model.safetensors", "numpy")
        self._words = file.get_slice(_WORDS)
        self._weights = {
            name: file.get_tensor(name)
            for name in file.keys()  # noqa: SIM118  # it is no mapping
            if name != _WORDS and not name.startswith("pooler.")
        }

        self._one_thread: Callable[[], AbstractContextManager[Any]] = nullcontext
        with suppress(ImportError):
            from threadpoolctl import ThreadpoolController

            # on a busy machine of two cores, two threads took forty times as long as one
            self._one_thread = partial(ThreadpoolController().limit, limits=1)

    def encode(self, text: str) -> NDArray[np.float32]:
        """The mean over the last layer's tokens, of unit length; shape (dimension,)."""
        with self._one_thread():
            return self._encode(self._tokenizer.encode(text).ids)

    def _encode(self, ids: list[int]) -> NDArray[np.float32]:
        import numpy as np

        get = self._weights.__getitem__
        x = np.concatenate([self._words[i : i + 1] for i in ids]).astype(np.float32)
        x += get("embeddings.position_embeddings.weight")[: len(ids)]
        x += get("embeddings.token_type_embeddings.weight")[0]
        x = self._norm(x, "embeddings.LayerNorm")
        for layer in range(self._config["num_hidden_layers"]):
            x = self._layer(x, f"encoder.layer.{layer}")
        mean = x.mean(axis=0, dtype=np.float64)
        vector: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
        return vector

    def _layer(self, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        import numpy as np

        heads = self._config["num_attention_heads"]
        tokens, hidden = x.shape
        size = hidden // heads

        def parts(which: str) -> NDArray[np.float32]:
            y = self._linear(x, f"{name}.attention.self.{which}")
            return y.reshape(tokens, heads, size).transpose(1, 0, 2)

        scores = parts("query") @ parts("key").transpose(0, 2, 1) / np.float32(math.sqrt(size))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        seen = (scores @ parts("value")).transpose(1, 0, 2).reshape(tokens, hidden)
        x = x + self._linear(seen, f"{name}.attention.output.dense")
        x = self._norm(x, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._linear(x, f"{name}.intermediate.dense"))
        return self._norm(
            x + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        )

    def _linear(self, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        y: NDArray[np.float32] = x @ self._weights[f"{name}.weight"].T
        y += self._weights[f"{name}.bias"]
        return y

    def _norm(self, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        import numpy as np

        x = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((x * x).mean(axis=-1, keepdims=True) + self._config["layer_norm_eps"])
        y: NDArray[np.float32] = x / spread * self._weights[f"{name}.weight"]
        y += self._weights[f"{name}.bias"]
        return y


def supported(folder: Path) -> bool:
    """Whether a folder holds a BERT whose tokens are averaged, in float32, and nothing else."""
    try:
        from safetensors import safe_open
    except ImportError:
        return False
    with suppress(OSError, ValueError, KeyError, TypeError):
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        pooling = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
        kinds = [module["type"].rpartition(".")[2] for module in modules]
        mean = pooling.get("pooling_mode") == "mean" or (
            pooling.get("pooling_mode_mean_tokens")
            and sum(value is True for value in pooling.values()) == 1
        )
        if (
            config["model_type"] == "bert"
            and config.get("hidden_act") == "gelu"
            and config.get("position_embedding_type", "absolute") == "absolute"
            and kinds in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
            and mean
            and (folder / "tokenizer.json").is_file()
        ):
            with safe_open(folder / "model.safetensors", "numpy") as file:
                return file.get_slice(_WORDS).get_dtype() == "F32"  # type: ignore[no-any-return]
    return False


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """GELU: x times Phi(x), the error function by Abramowitz and Stegun's 7.1.26: within 1.5e-7."""
    import numpy as np

    z = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in reversed(_ERF):
        series = (series + np.float32(factor)) * t
    erf = 1 - series * np.exp(-z * z)
    y: NDArray[np.float32] = 0.5 * x * (1 + np.copysign(erf, x))
    return y
