"""Okapi BM25 by DuckDB's full text search extension, over memlab's own tokens.

The extension's own tokeniser knows only the letters a to z, so it is handed tokens that are made
already, a space between them, and told to split at spaces and to touch nothing.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab import tokens
from memlab.registry import spec_of
from memlab.retrievers.base import check_bm25, open_or_build, run_of
from memlab.store import duck
from memlab.store.corpus import condition

if TYPE_CHECKING:
    from pathlib import Path

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run


@dataclass(frozen=True, slots=True)
class DuckDBFTS:
    """BM25 (Robertson and Zaragoza 2009, section 3.1) as DuckDB computes it, with log10.

    Attributes:
        k1: How soon repeats of a term in a fact stop counting; at least 0.
        b: How much long facts are held back, 0 to 1.
    """

    k1: float = 1.2
    b: float = 0.6

    def __post_init__(self) -> None:
        check_bm25(self.k1, self.b)

    def index(self, corpus: Corpus) -> DuckDBFTSIndex:
        """Open the index of a corpus; build it where there is none, or a damaged one."""
        path = corpus.derived("duckdb-fts")
        return open_or_build(
            corpus,
            path,
            lambda: DuckDBFTSIndex(self, path),
            lambda building: _build(corpus, building),
        )


class DuckDBFTSIndex:
    """A full text index of one corpus, opened read-only."""

    def __init__(self, retriever: DuckDBFTS, file: Path) -> None:
        self._retriever = retriever
        self._spec = str(spec_of(retriever, "duckdb-fts"))
        self._connection = duck.open_read_only(file, fts=True)

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts by BM25; none for a query without words."""
        terms = " ".join(tokens.query_terms(query.text))
        if not terms:
            return run_of(self._spec, [])
        sql = duck.fill(
            f"""
            SELECT row, round(score, 5) AS rounded FROM (
                SELECT *, fts_main_docs.match_bm25(row, ?, k := ?, b := ?) AS score
                FROM docs WHERE {condition(query)}
            ) WHERE score IS NOT NULL ORDER BY rounded DESC, id LIMIT ?
            """,
            terms, self._retriever.k1, self._retriever.b, depth,
        )  # fmt: skip
        return run_of(self._spec, self._connection.execute(sql).fetchall())

    def close(self) -> None:
        """Close the index."""
        self._connection.close()


def _build(corpus: Corpus, building: Path) -> None:
    with closing(duck.create(building)) as connection:
        duck.load_fts(connection)
        connection.execute(duck.fill("ATTACH ? AS snapshot (READ_ONLY)", corpus.snapshot))
        connection.execute(
            """
            CREATE TABLE docs AS SELECT row, id, kind, origin, day, when_start, when_end,
                entities, concat_ws(' ', tokens, nullif(context, '')) AS tokens
            FROM snapshot.facts WHERE tokens != '' AND origin != 'generated' ORDER BY row
            """
        )
        connection.execute("DETACH snapshot")
        connection.execute(
            r"""
            PRAGMA create_fts_index('docs', 'row', 'tokens', stemmer = 'none',
                stopwords = 'none', ignore = '\s+', strip_accents = 0, lower = 0)
            """
        )
        connection.execute("CHECKPOINT")
