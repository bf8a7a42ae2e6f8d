"""BM25 by SQLite's FTS5, over memlab's own tokens; part of Python, so it needs no package.

FTS5 fixes k1 = 1.2 and b = 0.75, and its idf, ``ln((N - df + 0.5) / (df + 0.5))``, is 1e-6 where
it would be negative: terms that more than half of all facts have count next to nothing.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab import tokens
from memlab.errors import StoreError
from memlab.retrievers.base import open_or_build, run_of, widen

if TYPE_CHECKING:
    from pathlib import Path

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

_NAME = "sqlite-fts5"
# tokens come with spaces between them; whatever else they hold belongs to them
_TOKENIZER = "unicode61 remove_diacritics 0 categories ''L* M* N* P* S* C*''"


@dataclass(frozen=True, slots=True)
class SQLiteFTS5:
    """BM25 as SQLite computes it; it has no parameters."""

    def index(self, corpus: Corpus) -> SQLiteFTS5Index:
        """Open the index of a corpus; build it where there is none, or a damaged one."""
        path = corpus.derived(_NAME)
        return open_or_build(
            corpus,
            path,
            lambda: SQLiteFTS5Index(corpus, path),
            lambda building: _build(corpus, building),
        )


class SQLiteFTS5Index:
    """An FTS5 index of one corpus, opened read-only."""

    def __init__(self, corpus: Corpus, file: Path) -> None:
        self._corpus = corpus
        try:
            self._connection = sqlite3.connect(
                f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            self._connection.execute("SELECT count(*) FROM docs_config").fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"cannot be opened: {error}", where=str(file)) from error

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts by BM25; none for a query without words."""
        terms = tokens.query_terms(query.text)
        if not terms or depth < 1:
            return run_of(_NAME, [])
        match = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
        sql = "SELECT rowid, -rank FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT ?"

        def search(limit: int) -> list[tuple[int, float]]:
            return self._connection.execute(sql, (match, limit)).fetchall()

        allowed = self._corpus.restriction(query)
        return widen(_NAME, self._corpus, search, depth, allowed)

    def close(self) -> None:
        """Close the index."""
        self._connection.close()


def _build(corpus: Corpus, building: Path) -> None:
    with closing(sqlite3.connect(building)) as connection, connection:
        connection.execute(
            f"CREATE VIRTUAL TABLE docs USING fts5(tokens, content='', tokenize='{_TOKENIZER}')"
        )
        connection.executemany("INSERT INTO docs(rowid, tokens) VALUES (?, ?)", corpus.tokens())
        connection.execute("INSERT INTO docs(docs) VALUES ('optimize')")
