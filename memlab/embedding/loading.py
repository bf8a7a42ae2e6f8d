"""Models of the library sentence-transformers, loaded from a folder, never from the network."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memlab.embedding.base import ModelError
from memlab.errors import MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path


def sentence_transformer(folder: Path) -> Any:
    """An embedding model, computing in float32.

    Raises:
        MissingExtraError: If sentence-transformers is not installed.
        ModelError: If it cannot be loaded.
    """
    torch = _torch("an embedding model of sentence-transformers")
    return _loaded("SentenceTransformer", folder, model_kwargs={"dtype": torch.float32}).eval()


def cross_encoder(folder: Path, *, activation: str, what: str) -> Any:
    """A model that reads two texts together.

    Args:
        folder: Its folder.
        activation: What its outputs go through, a class of ``torch.nn``.
        what: What it is for, to say so where the library is missing.

    Raises:
        MissingExtraError: If sentence-transformers is not installed.
        ModelError: If it cannot be loaded.
    """
    torch = _torch(what)
    return _loaded("CrossEncoder", folder, activation_fn=getattr(torch.nn, activation)())


def _torch(what: str) -> Any:
    # read when the hub's library is imported, so that not even a mistake reaches the network
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import sentence_transformers  # noqa: F401  # to tell whether it is there
        import torch
        from transformers.utils import logging
    except ImportError as error:
        raise MissingExtraError(what, extra="embeddings") from error
    logging.disable_progress_bar()
    return torch


def _loaded(kind: str, folder: Path, **options: Any) -> Any:
    import sentence_transformers

    make = getattr(sentence_transformers, kind)
    try:
        return make(str(folder), device="cpu", local_files_only=True, **options)
    except Exception as error:
        raise ModelError(f"cannot be loaded: {error}", where=str(folder)) from error
