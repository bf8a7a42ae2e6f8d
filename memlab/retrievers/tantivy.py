"""BM25 by Tantivy, a search library in Rust after Lucene, over memlab's own tokens.

Tantivy fixes k1 = 1.2 and b = 0.75 and keeps the length of a fact in one byte, so that its scores
are BM25's up to the rounding of lengths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.errors import MissingExtraError, StoreError
from memlab.retrievers.base import open_or_build, run_of, widen

if TYPE_CHECKING:
    from pathlib import Path

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

_NAME = "tantivy"
_HEAP = 128 * 1024 * 1024  # bytes that the writer may use


@dataclass(frozen=True, slots=True)
class Tantivy:
    """BM25 as Tantivy computes it; it has no parameters."""

    def index(self, corpus: Corpus) -> TantivyIndex:
        """Open the index of a corpus; build it where there is none, or a damaged one."""
        path = corpus.derived(_NAME)
        return open_or_build(
            corpus,
            path,
            lambda: TantivyIndex(corpus, path),
            lambda building: _build(corpus, building),
        )


class TantivyIndex:
    """A Tantivy index of one corpus, opened for reading."""

    def __init__(self, corpus: Corpus, folder: Path) -> None:
        tantivy = _library()
        self._corpus = corpus
        try:
            index = tantivy.Index.open(str(folder))
        except ValueError as error:
            raise StoreError(f"cannot be opened: {error}", where=str(folder)) from error
        self._schema = index.schema
        self._searcher = index.searcher()

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts by BM25; none for a query without words."""
        terms = tokens.query_terms(query.text)
        if not terms or depth < 1 or not self._searcher.num_docs:
            return run_of(_NAME, [])
        library = _library()
        parsed = library.Query.boolean_query(
            [
                (library.Occur.Should, library.Query.term_query(self._schema, "tokens", term))
                for term in terms
            ]
        )
        return widen(
            _NAME, self._corpus, lambda limit: self._search(parsed, limit), depth,
            self._corpus.restriction(query),
        )  # fmt: skip

    def close(self) -> None:
        """Let go of the index."""
        self._searcher = None

    def _search(self, parsed: Any, limit: int) -> list[tuple[int, float]]:
        found = self._searcher.search(parsed, limit, count=False).hits
        addresses = [address for _, address in found]
        rows = self._searcher.fast_field_values("row", addresses)
        return [(row, score) for row, (score, _) in zip(rows, found, strict=True)]


def _library() -> Any:
    try:
        import tantivy
    except ImportError as error:
        raise MissingExtraError("the retriever 'tantivy'", extra="lexical") from error
    return tantivy


def _build(corpus: Corpus, building: Path) -> None:
    library = _library()
    schema = library.SchemaBuilder()
    schema.add_unsigned_field("row", stored=True, indexed=True, fast=True)
    schema.add_text_field("tokens", tokenizer_name="whitespace", index_option="freq")
    building.mkdir()
    index = library.Index(schema.build(), path=str(building))
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    for row, text in corpus.tokens():
        document = library.Document()
        document.add_unsigned("row", row)
        document.add_text("tokens", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
