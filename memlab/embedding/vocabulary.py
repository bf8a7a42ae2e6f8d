"""Which texts a model of one language can read, told by its own vocabulary.

WordPiece keeps the words of its language whole and breaks what it hardly met into pieces (Schuster
and Nakajima 2012, "Japanese and Korean voice search"). A text of another language is mostly pieces,
and its vector means nothing, though it looks like any other.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from memlab.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

WHOLE = 0.6
"""The share of a text's words that are whole in English notes, and hardly ever in others."""


class Vocabulary:
    """The tokenizer of a model's folder.

    Args:
        folder: The folder; it has a ``tokenizer.json``.
    """

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        unknown = getattr(self._tokenizer.model, "unk_token", None)
        self._unknown = self._tokenizer.token_to_id(unknown) if unknown else None

    def whole(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The share of each text's words that are one piece; shape (n,), 1 for a text without."""
        import numpy as np

        return np.array([self._whole(text) for text in texts], dtype=np.float64)

    def _whole(self, text: str) -> float:
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        pieces: dict[int | None, list[int]] = defaultdict(list)
        spelt: set[int | None] = set()
        words = zip(encoded.word_ids, encoded.ids, encoded.offsets, strict=True)
        for word, piece, (start, end) in words:
            pieces[word].append(piece)
            if any(map(str.isalpha, text[start:end])):
                spelt.add(word)
        counted = [pieces[word] for word in spelt]
        found = sum(len(own) == 1 and own[0] != self._unknown for own in counted)
        return found / len(counted) if counted else 1.0


def check(whole: float) -> None:
    """Refuse a share outside 0 to 1.

    Raises:
        ParameterError: If it is.
    """
    if not 0 <= whole <= 1:
        raise ParameterError(f"whole must lie in 0 to 1, got {whole}")
