"""A generating model of a local Ollama server, and only when it is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memlab.errors import MissingExtraError, ParameterError, StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

_SECONDS = 300.0  # a model of some size on a processor takes its time
_CONNECT = 3.0


class LocalModel:
    """A model of a running server, by Ollama's own client; no proxy, no redirect, no other host.

    Args:
        name: Its name there.
        host: Where the server listens; None for ``OLLAMA_HOST``, else this machine's port 11434.

    Raises:
        MissingExtraError: If Ollama's client is not installed.
        ParameterError: If the name is empty.
    """

    def __init__(self, name: str, *, host: str | None = None) -> None:
        if not name.strip():
            raise ParameterError("the model's name is empty")
        try:
            import httpx
            import ollama
        except ImportError as error:
            raise MissingExtraError("a model of an Ollama server", extra="ollama") from error
        self.name = name
        self._errors: Any = (httpx.HTTPError, ollama.ResponseError, ConnectionError, ValueError)
        timeout = httpx.Timeout(_SECONDS, connect=_CONNECT)
        self._client = ollama.Client(
            host=host, timeout=timeout, trust_env=False, follow_redirects=False
        )

    def generate(self, prompt: str, *, schema: dict[str, Any]) -> str:
        """The answer to a prompt, as JSON of a schema; the same each time."""
        options = {"temperature": 0, "seed": 0}
        answer = self._ask(self._client.generate, prompt=prompt, format=schema, options=options)
        return str(answer.response)

    def chat(
        self, messages: Sequence[dict[str, Any]], *, tools: Sequence[dict[str, Any]]
    ) -> dict[str, Any]:
        """The next message of a conversation, which may call tools."""
        answer = self._ask(self._client.chat, messages=messages, tools=tools)
        return dict(answer.message.model_dump(exclude_none=True))

    def _ask(self, call: Any, **arguments: Any) -> Any:
        try:
            return call(model=self.name, **arguments)
        except self._errors as error:
            raise StoreError(
                f"the Ollama server did not answer: {error}", where=self.name,
                hint="Start it: ollama serve; or leave the model out",
            ) from error  # fmt: skip
