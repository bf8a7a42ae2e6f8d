"""Data sets by name, one format a file. All become workspaces with judgments by file and line."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from memlab import registry
from memlab.errors import UnknownNameError
from memlab.evaluation.datasets import place

if TYPE_CHECKING:
    from pathlib import Path

    from memlab.evaluation.model import Dataset

CATALOGUE = {
    "harbour": "own(questions='fixtures:harbour.queries.jsonl')",
    "locomo": "locomo(path='locomo/locomo-dev.json')",
    "longmemeval": "longmemeval(path='longmemeval/longmemeval_oracle-sample.json')",
    "scifact": "beir(path='scifact')",
    "timeqa": "beir(path='timeqa')",
    "prefeval": "beir(path='prefeval')",
    "sib200-dan": "beir(path='sib200/eng-dan_Latn')",
    "sib200-mya": "beir(path='sib200/eng-mya_Mymr')",
    "sib200-urd": "beir(path='sib200/eng-urd_Arab')",
    "sib200-vie": "beir(path='sib200/eng-vie_Latn')",
    "siblings-dan": "beir(path='belebele_siblings/dan_Latn')",
    "siblings-mya": "beir(path='belebele_siblings/mya_Mymr')",
    "siblings-urd": "beir(path='belebele_siblings/urd_Arab')",
    "siblings-vie": "beir(path='belebele_siblings/vie_Latn')",
    "xquad-vi": "beir(path='xquad/vi-vi')",
    "xquad-en-vi": "beir(path='xquad/en-vi')",
    "perspectrum": "stance(path='perspectrum/stance_pairs.jsonl')",
    "scifact-stance": "stance(path='scifact/stance_pairs.jsonl')",
    "sick": "stance(path='sick/stance_pairs.jsonl')",
}
"""Short names, and the specs that they stand for."""


def load(dataset: str | Dataset | Any) -> Dataset:
    """A data set, from its name, its spec, a format object, or itself.

    Args:
        dataset: For instance ``harbour``, ``beir(path='my/folder')``, or a `Dataset`.

    Raises:
        UnknownNameError: If there is no such name or parameter.
        DatasetError: If its files are missing or unreadable; it says what to get.
    """
    from memlab.evaluation.model import Dataset

    if isinstance(dataset, Dataset):
        return dataset
    if not isinstance(dataset, str):
        return _loaded(dataset)
    return dataclasses.replace(_loaded(_form(dataset)), name=dataset)


def where(dataset: str) -> Path:
    """The file or folder that a data set is read from.

    Raises:
        UnknownNameError: If there is no such name or parameter.
        DatasetError: If it is not there; it says what to get.
    """
    form = _form(dataset)
    parts = ("path", "questions", "qrels")
    path = next(getattr(form, part) for part in parts if hasattr(form, part))
    return place.find(path, get=form.get)


def _form(dataset: str) -> Any:
    try:
        return registry.make("dataset", CATALOGUE.get(dataset, dataset))
    except UnknownNameError as error:
        if error.name == registry.Spec.parse(dataset).name:
            raise UnknownNameError("dataset", dataset, list({*CATALOGUE, *error.known})) from None
        raise


def _loaded(form: Any) -> Dataset:
    loaded: Dataset = form.load()
    return loaded
