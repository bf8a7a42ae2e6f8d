"""How much an agent can read: counts of tokens, and packing whole facts into a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memlab.types import Hit


def count(text: str) -> int:
    """The tokens of a text by the counter ``bytes4``: a token for every four bytes of UTF-8.

    A rough and steady measure for any script, with no model's vocabulary to install.
    """
    return -(-len(text.encode()) // 4)


def pack(hits: Iterable[Hit], max_tokens: int | None) -> list[Hit]:
    """The hits that fit, best first: each is taken whole or passed over for a shorter one.

    Args:
        hits: Hits, best first.
        max_tokens: Tokens of their content and citation; None for no bound.

    Raises:
        ParameterError: If the budget is less than one token.
    """
    if max_tokens is None:
        return list(hits)
    if max_tokens < 1:
        raise ParameterError(f"max_tokens must be at least 1, got {max_tokens}")
    packed: list[Hit] = []
    left = max_tokens
    for hit in hits:
        cost = count(f"{hit.fact.content} {hit.fact.source}\n")
        if cost <= left:
            packed.append(hit)
            left -= cost
    return packed
