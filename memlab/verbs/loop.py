"""A control loop: an agent turn by turn, its core put into the prompt anew for each (MemGPT)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from memlab.ollama import LocalModel
from memlab.verbs.prompt import core_render
from memlab.verbs.tools import call_tool, tool_schemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memlab.session import Session

    Message = dict[str, Any]
    Model = Callable[[list[Message]], Message]

SYSTEM = "You are an agent that keeps its own memory with tools. Cite what you recall.\n\n"
_STEPS = 8


@dataclass(slots=True)
class Turn:
    """What happened in one turn.

    Attributes:
        asked: What was said to the agent.
        core: The core as it stood in the prompt.
        calls: The tools called: name, arguments and answer.
        reply: What the agent said at last; empty where it only called tools.
    """

    asked: str
    core: str
    calls: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    reply: str = ""


def converse(
    session: Session,
    model: Model,
    turns: Iterable[str],
    *,
    max_tokens: int | None = 2_000,
    steps: int = _STEPS,
) -> Iterator[Turn]:
    """Run the loop.

    Args:
        session: The open workspace.
        model: Given the messages so far, gives the next one, as Ollama's chat does.
        turns: What is said to the agent, one a turn.
        max_tokens: Tokens of the prompt that the core may take.
        steps: At most so many answers of the model a turn.

    Yields:
        Each turn as soon as it is done.
    """
    history: list[Message] = []
    for asked in turns:
        turn = Turn(asked, core_render(session, max_tokens=max_tokens))
        history.append({"role": "user", "content": asked})
        for _ in range(steps):
            answer = model([{"role": "system", "content": SYSTEM + turn.core}, *history])
            history.append(answer)
            if not answer.get("tool_calls"):
                turn.reply = answer.get("content", "")
                break
            for call in answer["tool_calls"]:
                name, given = call["function"]["name"], dict(call["function"]["arguments"])
                result = call_tool(session, name, given)
                turn.calls.append((name, given, result))
                history.append({"role": "tool", "tool_name": name, "content": result})
        yield turn


@dataclass(frozen=True, slots=True)
class Step:
    """What a scripted model does in one turn.

    Attributes:
        calls: The tools that it calls, one after the other: name and arguments.
        reply: What it says then; ``{0}`` is the first tool's answer, ``{line}`` what `find` found.
        find: The reply's line is the first one of the prompt that has these words.
    """

    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    reply: str = ""
    find: str | None = None


def scripted(steps: Sequence[Step]) -> Model:
    """A model that is none: in its n-th turn it does the n-th step, whatever is said."""

    def answer(messages: list[Message]) -> Message:
        asked = [number for number, one in enumerate(messages) if one["role"] == "user"]
        step = steps[len(asked) - 1]
        results = [one["content"] for one in messages[asked[-1] :] if one["role"] == "tool"]
        if len(results) < len(step.calls):
            name, given = step.calls[len(results)]
            call = {"function": {"name": name, "arguments": given}}
            return {"role": "assistant", "content": "", "tool_calls": [call]}
        lines = messages[0]["content"].splitlines()
        found = next((one for one in lines if step.find and step.find in one), "not known")
        return {"role": "assistant", "content": step.reply.format(*results, line=found)}

    return answer


def ollama_model(name: str, *, host: str | None = None) -> Model:
    """A model of a running Ollama server, with the tools.

    Args:
        name: Its name there; it must be able to call tools.
        host: Where the server listens; None for ``OLLAMA_HOST``, else this machine's port 11434.

    Raises:
        MissingExtraError: If Ollama's client is not installed.
    """
    return partial(LocalModel(name, host=host).chat, tools=tool_schemas())
