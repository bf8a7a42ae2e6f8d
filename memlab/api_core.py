"""The part of the public face that edits memory: inference, the core, what was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from memlab.session import Session

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping

    from memlab.session import Refresh
    from memlab.types import Hit
    from memlab.verbs.core import CoreWrite
    from memlab.verbs.infer import Inferred
    from memlab.verbs.lost import Lost
    from memlab.verbs.proposals import Review
    from memlab.verbs.retain import Retained
    from memlab.workspace.core import CoreBlock


class Core(Session):
    """An open workspace's core and tools; part of `memlab.api.Workspace`."""

    def infer(
        self,
        day: dt.date | str | None = None,
        *,
        dry_run: bool = False,
        model: str | None = None,
        host: str | None = None,
        commit: str | None = None,
        now: dt.datetime | dt.date | str | None = None,
    ) -> Inferred:
        """Propose bullets from a day's narrative; see `memlab.verbs.infer.infer`."""
        from memlab.verbs.infer import infer

        return infer(self, day, dry_run=dry_run, model=model, host=host, commit=commit, now=now)

    def lost(self, *, restore: bool = False, forget: bool = False) -> list[Lost]:
        """What was retained and is gone from its page; see `memlab.verbs.lost.lost`."""
        from memlab.verbs.lost import lost

        return lost(self, restore=restore, forget=forget)

    def core_blocks(self) -> list[CoreBlock]:
        """All blocks of the core; see `memlab.verbs.core.core_blocks`."""
        from memlab.verbs.core import core_blocks

        return core_blocks(self)

    def core_view(self, label: str, *, line_numbers: bool = False) -> str:
        """The body of a block; see `memlab.verbs.core.core_view`."""
        from memlab.verbs.core import core_view

        return core_view(self, label, line_numbers=line_numbers)

    def core_append(
        self, label: str, content: str, *, strict: bool = True, commit: str | None = None
    ) -> CoreWrite:
        """Add lines at a block's end; see `memlab.verbs.core.core_append`."""
        from memlab.verbs.core import core_append

        return core_append(self, label, content, strict=strict, commit=commit)

    def core_replace(
        self, label: str, old: str, new: str, *, strict: bool = True, commit: str | None = None
    ) -> CoreWrite:
        """Replace a text that stands there once; see `memlab.verbs.core.core_replace`."""
        from memlab.verbs.core import core_replace

        return core_replace(self, label, old, new, strict=strict, commit=commit)

    def core_insert(
        self, label: str, text: str, *, line: int = -1, strict: bool = True,
        commit: str | None = None,
    ) -> CoreWrite:  # fmt: skip
        """Insert lines after a line; see `memlab.verbs.core.core_insert`."""
        from memlab.verbs.core import core_insert

        return core_insert(self, label, text, line=line, strict=strict, commit=commit)

    def core_rethink(
        self, label: str, text: str, *, strict: bool = True, commit: str | None = None
    ) -> CoreWrite:
        """Rewrite or make a block; see `memlab.verbs.core.core_rethink`."""
        from memlab.verbs.core import core_rethink

        return core_rethink(self, label, text, strict=strict, commit=commit)

    def core_render(
        self,
        *,
        max_tokens: int | None = None,
        line_numbers: bool = False,
        now: dt.datetime | dt.date | str | None = None,
        refresh: Refresh | None = None,
    ) -> str:
        """The blocks as text for the next prompt; see `memlab.verbs.prompt.core_render`."""
        from memlab.verbs.prompt import core_render

        return core_render(
            self, max_tokens=max_tokens, line_numbers=line_numbers, now=now, refresh=refresh
        )

    def proposals(self) -> list[Review]:
        """All proposals for the core; see `memlab.verbs.proposals.all_proposals`."""
        from memlab.verbs.proposals import all_proposals

        return all_proposals(self)

    def proposal(self, name: str) -> Review:
        """A proposal by its name; see `memlab.verbs.proposals.show_proposal`."""
        from memlab.verbs.proposals import show_proposal

        return show_proposal(self, name)

    def apply_proposal(
        self, name: str, *, strict: bool = True, commit: str | None = None
    ) -> Review:
        """Write a proposal to the core; see `memlab.verbs.proposals.apply_proposal`."""
        from memlab.verbs.proposals import apply_proposal

        return apply_proposal(self, name, strict=strict, commit=commit)

    def reject_proposal(self, name: str, *, commit: str | None = None) -> Review:
        """Refuse a proposal for good; see `memlab.verbs.proposals.reject_proposal`."""
        from memlab.verbs.proposals import reject_proposal

        return reject_proposal(self, name, commit=commit)

    def archival_insert(
        self, content: str, *, tags: Iterable[str] = (), kind: str | None = None,
        now: dt.datetime | dt.date | str | None = None,
    ) -> Retained:  # fmt: skip
        """Keep a fact; see `memlab.verbs.archival.archival_insert`."""
        from memlab.verbs.archival import archival_insert

        return archival_insert(self, content, tags=tags, kind=kind, now=now)

    def archival_search(
        self,
        query: str,
        *,
        tags: Iterable[str] = (),
        tag_match_mode: Literal["any", "all"] = "any",
        top_k: int = 10,
        start: str | dt.date | None = None,
        end: str | dt.date | None = None,
        now: dt.datetime | dt.date | str | None = None,
    ) -> list[Hit]:
        """Find facts; see `memlab.verbs.archival.archival_search`."""
        from memlab.verbs.archival import archival_search

        return archival_search(
            self, query, tags=tags, tag_match_mode=tag_match_mode, top_k=top_k, start=start,
            end=end, now=now,
        )  # fmt: skip

    def call_tool(
        self, name: str, arguments: Mapping[str, Any], *, strict: bool = True,
        commit: str | None = None,
    ) -> str:  # fmt: skip
        """Call a tool as a model asked for it; see `memlab.verbs.tools.call_tool`."""
        from memlab.verbs.tools import call_tool

        return call_tool(self, name, arguments, strict=strict, commit=commit)
