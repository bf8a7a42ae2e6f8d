"""What follows from the facts about each subject, kept in the memo and made anew as they change.

The subject of a fact is the first entity that its head names. Whether a fact lasts, and whether it
was said often, follows from the facts of its subject alone; so a reflect looks at those subjects
only that have facts which are new, or others than they were.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from memlab.store import evidence
from memlab.verbs.memo import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context
    from memlab.workspace.slots import Claim

    Rows = Sequence[Sequence[Any]]
    Facts = Sequence[Evidence]
    Claims = Mapping[str, Sequence[Claim]]

_T = TypeVar("_T")


class Subjects:
    """The subjects of a reflect.

    Args:
        context: The reflect.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._facts: dict[str, list[Evidence]] = {}
        self._claims: dict[str, tuple[Claim, ...]] = {}

    @cached_property
    def made_from(self) -> dict[str, str]:
        """For each subject a digest of its facts, and of the names by which they may claim."""
        corpus = self._context.corpus
        names = {own: (name, *aliases) for own, name, _, aliases in corpus.arrays.entities}
        facts = evidence.digests(corpus, until=self._context.as_of, subjects=True)
        return {own: digest(one, *names.get(own, ())) for own, one in facts.items()}

    @property
    def digest(self) -> str:
        """A digest of all facts with a subject."""
        return digest(json.dumps(sorted(self.made_from.items())))

    def derive(self, what: str, make: Callable[[Facts, Claims], Rows]) -> list[Sequence[Any]]:
        """Rows that follow from the facts of each subject, those of all subjects together.

        Args:
            what: What they are called in the memo.
            make: Given the facts of one subject, by day and id, and what they claim, by their ids,
                the rows, of values that JSON has.
        """

        def made(due: Collection[str]) -> dict[str, Rows]:
            self._look_up(due)
            return {own: make(self._facts[own], self._claims) for own in due}

        found = self._context.memo.derive(what, self.made_from, made)
        return [row for own in sorted(found) for row in found[own]]

    def of(self, own: str, make: Callable[[Facts, Claims], _T]) -> _T:
        """What follows from the facts of one subject, whatever the memo has."""
        self._look_up({own})
        return make(self._facts[own], self._claims)

    def _look_up(self, keys: Collection[str]) -> None:
        """Have the facts of some subjects at hand, and their claims."""
        new = set(keys) - self._facts.keys()
        if not new:
            return
        self._facts |= {own: [] for own in new}
        for fact in self._context.about(new):
            if fact.heads and fact.subject in new:
                self._facts[fact.subject].append(fact)
        corpus = self._context.corpus
        said = [one for one in corpus.sayings if one.entity in new]
        ids = corpus.ids(one.row for one in said)
        self._claims |= {id_: one.claims for id_, one in zip(ids, said, strict=True)}
