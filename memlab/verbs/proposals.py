"""Proposals for the core: a person looks them over, and applies or rejects them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import CoreError, ParameterError
from memlab.verbs.core import core_append, core_blocks
from memlab.workspace import commit as git
from memlab.workspace import core, proposals, writer

if TYPE_CHECKING:
    from memlab.session import Session
    from memlab.workspace.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Review:
    """A proposal, and how it stands to the core now.

    Attributes:
        proposal: What its page says.
        text: The page.
        fit: ``fits`` where its diff applies as it is; ``rebased`` where the core changed and its
            lines go to the end of the block; ``stands`` where the core has them already; ``not``
            where it cannot be applied.
        why_not: Why it cannot.
    """

    proposal: Proposal
    text: str
    fit: str
    why_not: str = ""

    def to_dict(self) -> dict[str, object]:
        """Plain values, as ``memlab proposals --json`` prints them."""
        one = self.proposal
        return {
            "name": one.name, "path": one.path, "status": one.status, "block": one.block,
            "title": one.title, "why": one.why, "evidence": list(one.evidence), "fit": self.fit,
            "why_not": self.why_not,
        }  # fmt: skip


def all_proposals(session: Session) -> list[Review]:
    """All proposals, by name.

    Raises:
        WriteError: If one of the pages, or the core, cannot be read.
    """
    folder = session.root / proposals.FOLDER
    return [
        _review(session, f"{proposals.FOLDER}/{file.name}") for file in sorted(folder.glob("*.md"))
    ]


def show_proposal(session: Session, name: str) -> Review:
    """A proposal by its name, or by the hex digits at the name's end.

    Raises:
        ParameterError: If there is none, or several; it lists those that there are.
    """
    found = [
        one for one in all_proposals(session)
        if name in (one.proposal.name, one.proposal.digest, one.proposal.path)
    ]  # fmt: skip
    if len(found) != 1:
        names = ", ".join(one.proposal.name for one in all_proposals(session)) or "none"
        what = "no such proposal" if not found else "several proposals have this name"
        raise ParameterError(what, where=name, hint=f"There are: {names}")
    return found[0]


def apply_proposal(
    session: Session, name: str, *, strict: bool = True, commit: str | None = None
) -> Review:
    """Write to the core what a proposal's diff adds and removes, and mark it as applied.

    Where the core has changed so that the diff does not fit, its lines go to the end of the block,
    unless it removes some. What stands there already is marked alone.

    Args:
        session: The open workspace.
        name: As for `show_proposal`.
        strict: Refuse what makes the block longer than its limit.
        commit: Commit both files to git, for this reason.

    Returns:
        The proposal as it was.

    Raises:
        ParameterError: If there is no such proposal.
        CoreError: If it is not open, or cannot be applied; it says why, and nothing is written.
    """
    session.check_writable()
    git.check(session.root, commit)
    review = show_proposal(session, name)
    one = review.proposal
    if one.status != proposals.OPEN:
        raise CoreError(f"the proposal is {one.status} already", where=one.name)
    if review.fit == "not":
        raise CoreError(
            f"the proposal cannot be applied: {review.why_not}", where=one.name,
            hint=f"Edit {one.path}, or the core, by hand",
        )  # fmt: skip
    if review.fit == "rebased":
        core_append(session, one.block, _added(one), strict=strict)
    elif review.fit == "fits":
        _replace(session, one, strict=strict)
    _mark(session, review, proposals.APPLIED)
    if commit:
        git.commit(session.root, [_core_path(session), one.path], commit)
    return review


def reject_proposal(session: Session, name: str, *, commit: str | None = None) -> Review:
    """Mark a proposal as rejected; the same is not proposed again.

    Raises:
        ParameterError: If there is no such proposal.
        CoreError: If it was applied already.
    """
    session.check_writable()
    git.check(session.root, commit)
    review = show_proposal(session, name)
    one = review.proposal
    if one.status == proposals.APPLIED:
        raise CoreError("the proposal is applied already", where=one.name)
    if one.status != proposals.REJECTED:
        _mark(session, review, proposals.REJECTED)
    if commit:
        git.commit(session.root, [one.path], commit)
    return review


def _review(session: Session, path: str) -> Review:
    text = writer.read_text(session.root / path) or ""
    one = proposals.parse(path, text)
    return Review(one, text, *_fit(session, one))


def _fit(session: Session, one: Proposal) -> tuple[str, str]:
    if one.faults:
        return "not", "; ".join(one.faults)
    before = writer.read_text(session.root / _core_path(session)) or ""
    standing = set(before.split("\n"))
    if not one.removes and standing.issuperset(line for hunk in one.hunks for line in hunk.added):
        return "stands", ""
    block = next((b for b in core_blocks(session) if b.label == one.block), None)
    if block and block.read_only:
        return "not", f"the block {one.block!r} is read-only"
    if not before or proposals.apply(before, one.hunks) is not None:
        return "fits", ""
    if block and not one.removes:
        return "rebased", ""
    what = "the lines that it replaces do not stand there once"
    return "not", f"the core has changed: {what if block else f'it has no block {one.block!r}'}"


def _replace(session: Session, one: Proposal, *, strict: bool) -> None:
    path = _core_path(session)
    with session.place.lock():
        before = writer.read_text(session.root / path)
        after = proposals.apply(before, one.hunks) if before else proposals.anew(one.hunks)
        if after is None:
            raise CoreError("the core was changed a moment ago", where=path, hint="Run it again")
        for block in core.find(path, after):
            over = len(block.value) - block.limit
            if strict and block.label == one.block and over > 0:
                raise CoreError(
                    f"nothing was written: the block would have {len(block.value)} characters, "
                    f"{over} more than its limit", where=block.label, hint="Shorten it",
                )  # fmt: skip
        writer.replace(session.root / path, after, expected=before)
        session.place.bump()


def _added(one: Proposal) -> str:
    return "\n".join(line for hunk in one.hunks for line in hunk.added if line.strip())


def _mark(session: Session, review: Review, status: str) -> None:
    place = session.root / review.proposal.path
    with session.place.lock():
        writer.replace(place, proposals.with_status(review.text, status), expected=review.text)


def _core_path(session: Session) -> str:
    return next((name for name in core.NAMES if (session.root / name).is_file()), core.NAMES[0])
