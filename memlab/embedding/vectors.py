"""The vectors of one corpus by one model: made once, then mapped into memory.

index-<fingerprint>.vectors-<key>/
    meta.json        which model, how stored, how many
    vectors.duckdb   the store and the reference: arrays, with what filters need
    vectors.npy      float32, shape (n, d), in the order of rows; what a search maps
    rows.npy         int64, shape (n,), rising
    order.npy        int32, shape (n,): places by fact id, by which ties are broken
    whitening.npz    the map that they went through, if they did
    forms.npy        float32, shape (m, d): what questions have in common, see `forms`
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.embedding import forms
from memlab.embedding import storage as storages
from memlab.embedding.cache import Cache
from memlab.embedding.encode import encode
from memlab.embedding.passages import VERSION, Context, Passages, passages
from memlab.embedding.whitening import Whitening
from memlab.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memlab.embedding.base import Embedding, Encoder
    from memlab.store.corpus import Corpus


@dataclass(frozen=True)
class Vectors:
    """The vectors of a corpus.

    Attributes:
        folder: Where they lie.
        model: The model that made them.
    """

    folder: Path
    model: Embedding

    @cached_property
    def meta(self) -> dict[str, Any]:
        """What they are."""
        return json.loads((self.folder / "meta.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The corpus's rows, rising; shape (n,)."""
        found: NDArray[np.int64] = self._array("rows")
        return found

    @cached_property
    def order(self) -> NDArray[np.int32]:
        """The place of each fact when all are sorted by id; shape (n,)."""
        found: NDArray[np.int32] = self._array("order")
        return found

    @cached_property
    def matrix(self) -> NDArray[np.float32]:
        """The vectors, mapped from their file; shape (n, d)."""
        found: NDArray[np.float32] = self._array("vectors", mapped=True)
        return found

    @property
    def database(self) -> Path:
        """The database that has them as arrays."""
        return self.folder / "vectors.duckdb"

    @cached_property
    def encoder(self) -> Encoder:
        """The very model that made them, loaded.

        Raises:
            StoreError: If the model has become another one since: their vectors must not meet.
        """
        encoder = self.model.restore(self.folder)
        if encoder.card.fingerprint != self.meta["fingerprint"]:
            raise StoreError(
                f"the vectors were made by another {encoder.card.name}", where=str(self.folder),
                hint="Open the workspace again",
            )  # fmt: skip
        return encoder

    @cached_property
    def whitening(self) -> Whitening | None:
        """The map that the facts went through, and questions must."""
        return Whitening.load(self.folder) if self.meta["whitened"] else None

    @cached_property
    def forms(self) -> NDArray[np.float32]:
        """What questions have in common, the most of it first, as `forms.directions` has it."""
        found: NDArray[np.float32] = self._array("forms")
        return found

    def question(self, text: str) -> NDArray[np.float32]:
        """The vector of a question; shape (d,), of unit length, or zero where nothing is known."""
        vectors = self.encoder.encode([text], role="query")
        found: NDArray[np.float32] = self.whitening(vectors)[0] if self.whitening else vectors[0]
        return found

    def close(self) -> None:
        """Let go of what was read; it is read again when asked for."""
        for name in ("meta", "rows", "order", "matrix", "encoder", "whitening", "forms"):
            self.__dict__.pop(name, None)

    def _array(self, name: str, *, mapped: bool = False) -> Any:
        import numpy as np

        # an empty file cannot be mapped
        mode: Any = "r" if mapped and self.meta["vectors"] else None
        found = np.load(self.folder / f"{name}.npy", mmap_mode=mode)
        return found.view(np.ndarray)


def vectors(
    corpus: Corpus,
    model: Embedding,
    *,
    storage: str = "float32",
    context: Context | None = None,
    whiten: float | None = None,
) -> Vectors:
    """The vectors of a corpus; made where they are not there yet.

    Encoding holds no lock, so a long first run keeps nobody from writing notes.

    Args:
        corpus: The facts.
        model: The model.
        storage: ``float32``, ``float16`` or ``int8``.
        context: What each fact is read with.
        whiten: The strength of `memlab.embedding.whitening`; None to leave vectors as they are.

    Raises:
        UnknownNameError: If there is no such storage.
        MissingExtraError: If the model is not installed.
        ModelError: If the model fails.
    """
    storages.check(storage)
    context = context or Context()
    # a model that is fitted has no fingerprint yet, but the corpus and its parameters make it
    identity = model.card.fingerprint or repr(model)
    stuff = json.dumps([identity, storage, asdict(context), whiten, VERSION], sort_keys=True)
    key = hashlib.sha256(stuff.encode()).hexdigest()[:16]
    folder = corpus.derived(f"vectors-{key}")
    if not (folder / "meta.json").is_file():
        found = passages(corpus, context)
        encoder = model.fit(found.texts)
        with Cache.of(corpus.place) as cache:
            made = encode(encoder, found.texts, cache=cache)
            asked = encode(encoder, forms.texts(), role="query", cache=cache)
        whitening = None if whiten is None else Whitening.fit(made, whiten)
        with corpus.place.lock(name="deriving"):
            if not (folder / "meta.json").is_file():
                _write(
                    folder, corpus, found, made,
                    asked=asked, encoder=encoder, storage=storage, whitening=whitening,
                )  # fmt: skip
    return Vectors(folder, model)


def _write(
    folder: Path,
    corpus: Corpus,
    found: Passages,
    made: NDArray[np.float32],
    *,
    asked: NDArray[np.float32],
    encoder: Encoder,
    storage: str,
    whitening: Whitening | None,
) -> None:
    import numpy as np

    codes, scales = storages.pack(whitening(made) if whitening else made, storage)
    card = encoder.card
    meta = {
        "model": card.name, "fingerprint": card.fingerprint, "dimension": card.dimension,
        "storage": storage, "vectors": len(made), "whitened": whitening is not None,
    }  # fmt: skip
    with corpus.place.aside() as aside:
        building = aside / "vectors"
        building.mkdir()
        database = building / "vectors.duckdb"
        storages.write(database, corpus, found.rows, codes=codes, scales=scales, storage=storage)
        np.save(building / "vectors.npy", storages.unpack(codes, scales, storage))
        np.save(building / "rows.npy", found.rows)
        np.save(building / "order.npy", found.order)
        np.save(building / "forms.npy", forms.directions(whitening(asked) if whitening else asked))
        encoder.save(building)
        if whitening:
            whitening.save(building)
        (building / "meta.json").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")
        building.replace(folder)
