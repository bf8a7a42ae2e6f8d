"""What a question says by its mere form, which no fact answers: taken out of its vector.

"Can you recommend …?" lies near everything that recommends, whatever it is about. So the questions
below, of many forms and of no topic, are embedded too, and of the vector of a question that part
is left out which lies in the span of their first right singular vectors: `directions`. It is what
Mu and Viswanath (arXiv 1702.01417, algorithm 1) do with the first components of all words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.embedding.base import unit
from memlab.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 16
"""How many directions are kept."""

_LEAST = 1e-3  # what is shorter is noise: a vector's rest, a direction beside the first

QUESTIONS = """
    Can you recommend something?
    Can you suggest something for me?
    Could you suggest some ideas?
    What would you recommend?
    What do you suggest?
    Do you have any suggestions?
    Do you have any recommendations for me?
    Any tips?
    Can you give me some advice?
    Can you give me some tips?
    Can you help me choose one?
    Can you help me find something?
    Can you help me plan this?
    Could you help me with this?
    I am looking for something new. What would you recommend?
    I am thinking of trying something. Any advice?
    I want to start. What should I do first?
    What should I do?
    What should I try?
    What should I look for?
    What should I consider?
    Which one should I choose?
    Which is best for me?
    What are the best options?
    What are some good options?
    What are some good ways to do it?
    What are some effective ways of doing this?
    What are some good ideas?
    What is the best way to do it?
    What is a good way to start?
    How should I go about it?
    How do I get started?
    How can I do this better?
    How can I make it better?
    How can I improve?
    Where can I find one?
    Where should I go?
    What are the best places?
    What are some popular ones right now?
    Share some ideas with me.
    Give me a list of ideas.
    Help me decide.
    Please plan it for me.
    Tell me what I could do.
    What did we decide?
    What did they decide about it?
    When did it happen?
    When was the last time?
    When does it start?
    Who was there?
    Who said so?
    Who is responsible for it?
    Whose is it?
    Where is it?
    Where does she live?
    Where did they go?
    Why did they do that?
    Why was it changed?
    How many are there?
    How much did it cost?
    How long did it take?
    How often does it happen?
    How does it work?
    How did it go?
    What happened?
    What happened before that?
    What happened in the end?
    What changed since then?
    What is it called?
    What is the plan?
    What is his job?
    What kind is it?
    What does she like?
    What does he think about it?
    What were the results?
    What was the reason?
    Is it true?
    Did they agree?
    Does it still work?
    Was it ever done?
    Has it been fixed?
    Which one was it?
    Which ones are left?
    Tell me about it.
    What do we know about this?
    What is known about him?
"""
"""Questions of no topic, a line each."""


def texts() -> list[str]:
    """The questions of `QUESTIONS`."""
    return [line.strip() for line in QUESTIONS.strip().splitlines()]


def directions(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the vectors of `texts` have in common, the most of it first.

    Args:
        vectors: Shape (n, d); as questions meet facts, so whitened where facts are.

    Returns:
        At most `MOST` orthonormal rows, shape (m, d); fewer where a model knows fewer of the words.
    """
    import numpy as np

    _, values, rows = np.linalg.svd(vectors.astype(np.float64), full_matrices=False)
    kept = values > _LEAST * max(float(values.max(initial=0.0)), _LEAST)
    found: NDArray[np.float32] = rows[kept][:MOST].astype(np.float32)
    return found


def without(vector: NDArray[np.float32], found: NDArray[np.float32]) -> NDArray[np.float32]:
    """A vector without what lies in some directions, of unit length; shape (d,).

    One that lies in them altogether stays as it is: the question has no more than a form.

    Args:
        vector: Of unit length or zero, shape (d,).
        found: Orthonormal rows, shape (m, d).
    """
    import numpy as np

    left = vector - (vector.astype(np.float64) @ found.T) @ found
    return vector if np.linalg.norm(left) < _LEAST else unit(left[None, :])[0]


def check(count: int) -> None:
    """Refuse a number of directions outside 0 to `MOST`.

    Raises:
        ParameterError: If it is.
    """
    if not 0 <= count <= MOST:
        raise ParameterError(f"forms must lie in 0 to {MOST}, got {count}")
