"""Facts that say what another says already, in the same or almost the same words."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memlab.errors import StoreError
from memlab.store import duck
from memlab.tokens import tokens
from memlab.types import Origin, Source
from memlab.workspace import grammar
from memlab.workspace.entities import key
from memlab.workspace.markdown import split_lines

if TYPE_CHECKING:
    from memlab.session import Session

NEAR = 0.6
"""Two facts are near duplicates when their words have so much in common (Jaccard)."""
_SHOWN = 3
_LATEST = 400  # of a longer page, near duplicates are looked for in so many last lines


@dataclass(frozen=True, slots=True)
class Similar:
    """A fact that stands already.

    Attributes:
        source: Where.
        content: Its words.
        exact: Whether it is about the same entities in the very same words.
        overlap: The share of words in common, in [0.6, 1].
    """

    source: Source
    content: str
    exact: bool
    overlap: float

    def __str__(self) -> str:
        what = "the same" if self.exact else f"much the same ({self.overlap:.0%} of the words)"
        return f"{what} stands at {self.source}: {self.content}"

    def to_dict(self) -> dict[str, object]:
        """Plain values."""
        return {
            "source": str(self.source), "content": self.content, "exact": self.exact,
            "overlap": round(self.overlap, 2),
        }  # fmt: skip


@lru_cache(maxsize=20_000)
def _read(line: str) -> tuple[frozenset[str], str, frozenset[str]] | None:
    """The entities' keys, content and words of a line; None for one that holds no fact."""
    text = line.strip()
    if not text or text.startswith("#"):
        return None
    try:
        bullet = grammar.parse(grammar.strip_comments(text.removeprefix("- ")))
    except grammar.BulletError:
        return None
    return frozenset(map(key, bullet.entities)), bullet.content, words_of(bullet)


def words_of(bullet: grammar.Bullet) -> frozenset[str]:
    """The words that a bullet is compared by: of its entities and its content."""
    return frozenset(tokens(" ".join((*bullet.entities, bullet.content))))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard: words in common by words in all."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def on_page(path: str, text: str, bullet: grammar.Bullet) -> list[Similar]:
    """What of a page is like a bullet, the likest first, at most three."""
    keys, words = frozenset(map(key, bullet.entities)), words_of(bullet)
    found: list[tuple[bool, float, int, str]] = []
    lines = split_lines(text)
    older = len(lines) - _LATEST
    for number, line in enumerate(lines, start=1):
        if number <= older and bullet.content not in line:
            continue
        read = _read(line)
        if read is None:
            continue
        there = read[2]
        # sizes alone bound the share, and most lines are as unlike as that
        if len(there) * NEAR > len(words) or len(words) * NEAR > len(there):
            continue
        share = overlap(there, words)
        exact = read[1] == bullet.content and read[0] == keys
        if exact or share >= NEAR:
            found.append((not exact, -share, number, read[1]))
    return [
        Similar(Source(path, number, number), content, not unlike, -share)
        for unlike, share, number, content in sorted(found)[:_SHOWN]
    ]


def in_index(session: Session, bullet: grammar.Bullet, *, without: str) -> list[Similar]:
    """What of the last index is like a bullet, one page left out; none where there is no index."""
    words = sorted(words_of(bullet))
    if not words or session.place.current() is None:
        return []
    sql = """
        SELECT path, start_line, end_line, content, heads, shared / (size + ? - shared) AS share
        FROM (
            SELECT *, len(list_intersect(list_distinct(string_split(tokens, ' ')), ?)) AS shared,
                len(list_distinct(string_split(tokens, ' '))) AS size
            FROM facts WHERE origin != ? AND path != ?
        ) WHERE share >= ? ORDER BY share DESC, path, start_line LIMIT ?
    """
    keys = frozenset(map(key, bullet.entities))
    values = (len(words), words, Origin.GENERATED, without, NEAR, _SHOWN)
    with suppress(StoreError), duck.reading(session.place.folder):
        connection = session.corpus("never").connection
        return [
            Similar(
                Source(path, start, end), content,
                frozenset(map(key, heads)) == keys and content == bullet.content, share,
            )
            for path, start, end, content, heads, share in connection.execute(
                duck.fill(sql, *values)
            ).fetchall()
        ]  # fmt: skip
    return []


def best(found: list[Similar]) -> list[Similar]:
    """The three that are likest."""
    return sorted(found, key=lambda one: (not one.exact, -one.overlap, one.source))[:_SHOWN]
