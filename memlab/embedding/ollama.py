"""Models of an Ollama server, through Ollama's own Python client, and only when named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.embedding.base import Card, Embedding, ModelError, Role, checked, complete, unit
from memlab.errors import MissingExtraError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_CONNECT = 3.0  # seconds; a server on this machine answers at once or is not there


@dataclass(frozen=True, slots=True)
class Ollama(Embedding):
    """A model that a running Ollama server has pulled already.

    Attributes:
        model: Its name there, such as ``nomic-embed-text``.
        host: Where the server listens; None for ``OLLAMA_HOST``, else this machine's port 11434.
        batch: How many texts are sent at once.
        timeout: Seconds to wait for the answer to one batch.
        query_prefix: Put before queries; Ollama puts none itself.
        passage_prefix: Put before passages, likewise.
    """

    model: str = ""
    host: str | None = None
    batch: int = 32
    timeout: float = 60.0
    query_prefix: str = ""
    passage_prefix: str = ""

    def __post_init__(self) -> None:
        if not self.model:
            raise ParameterError("needs a model", where="ollama", hint="Write ollama:MODEL")
        if self.batch < 1:
            raise ParameterError(f"batch must be at least 1, got {self.batch}")
        if not self.timeout > 0:
            raise ParameterError(f"timeout must be above 0, got {self.timeout}")

    @property
    def card(self) -> Card:
        """What the server says of the model; asks it for one vector, to know the dimension."""
        return self.load().card

    def load(self) -> OllamaEncoder:
        """Reach the server and look whether it has the model."""
        client = _Client(self)
        known = client.tags()
        name = self.model if ":" in self.model else f"{self.model}:latest"
        if name not in known:
            raise ModelError(
                f"the server has no model {name!r}, but {', '.join(sorted(known)) or 'none'}",
                where=client.where, hint=f"Get it: ollama pull {self.model}",
            )  # fmt: skip
        digest, size = known[name]
        probe = client.embed(["dimension"])
        card = Card(
            f"ollama:{self.model}", "ollama", probe.shape[1], licence="see: ollama show --license",
            bytes=size, query_prefix=self.query_prefix, passage_prefix=self.passage_prefix,
        )  # fmt: skip
        return OllamaEncoder(complete(card, name, digest), client, self.batch)


class OllamaEncoder:
    """A model of a server that was reached.

    Args:
        card: Its card, complete.
        client: The connection.
        batch: How many texts are sent at once.
    """

    cacheable = True

    def __init__(self, card: Card, client: _Client, batch: int) -> None:
        self.card = card
        self.batch = batch
        self._client = client

    def encode(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        """Vectors of unit length, shape (n, dimension); see `memlab.embedding.base.Encoder`.

        Raises:
            ModelError: If the server is gone, too slow, fails, or answers with other vectors.
        """
        import numpy as np

        prefix = self.card.prefix(role)
        found = [np.empty((0, self.card.dimension), np.float32)]
        for start in range(0, len(texts), self.batch):
            batch = [prefix + text for text in texts[start : start + self.batch]]
            vectors = self._client.embed(batch)
            found.append(
                checked(
                    vectors, count=len(batch), dimension=self.card.dimension, model=self.card.name
                )
            )
        return unit(np.concatenate(found))

    def save(self, folder: Path) -> None:
        """Nothing: the weights are the server's."""


class _Client:
    """Ollama's client, its errors turned into memlab's."""

    def __init__(self, settings: Ollama) -> None:
        try:
            import httpx
            import ollama
        except ImportError as error:
            raise MissingExtraError("a model of an Ollama server", extra="ollama") from error
        self._model = settings.model
        self._seconds = settings.timeout
        self._errors: Any = (httpx.HTTPError, ollama.ResponseError, ConnectionError, ValueError)
        self._timeout: Any = httpx.TimeoutException
        self._connect: Any = (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError)
        # no proxy and no redirect: the texts go to the server that was named, and nowhere else
        self._client = ollama.Client(
            host=settings.host, timeout=httpx.Timeout(settings.timeout, connect=_CONNECT),
            trust_env=False, follow_redirects=False,
        )  # fmt: skip
        self.where = str(self._client._client.base_url)  # noqa: SLF001  # it has no public name

    def tags(self) -> dict[str, tuple[str, int]]:
        """Digest and size of each model that the server has."""
        models = self._ask(self._client.list).models
        return {one.model: (one.digest or "", int(one.size or 0)) for one in models if one.model}

    def embed(self, texts: list[str]) -> NDArray[Any]:
        """The server's vectors as they are."""
        import numpy as np

        answer = self._ask(self._client.embed, model=self._model, input=texts, truncate=True)
        rows = [list(row) for row in answer.embeddings]
        sizes = sorted({len(row) for row in rows})
        if len(rows) != len(texts) or len(sizes) != 1 or sizes == [0]:
            raise ModelError(
                f"answered {len(rows)} vectors of {sizes} numbers for {len(texts)} texts",
                where=self.where,
            )
        return np.array(rows, np.float64)

    def _ask(self, call: Any, **arguments: Any) -> Any:
        try:
            return call(**arguments)
        except self._errors as error:
            if isinstance(error, self._connect):
                message, hint = "no Ollama server answers", "Start it: ollama serve"
            elif isinstance(error, self._timeout):
                message = f"the Ollama server did not answer within {self._seconds:g} s"
                hint = "Raise timeout=, or lower batch="
            else:
                message, hint = f"the Ollama server failed: {error}", None
            raise ModelError(message, where=self.where, hint=hint) from error
