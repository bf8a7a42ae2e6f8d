"""One tree of errors. Each says what is wrong, where, and what to do next."""

from __future__ import annotations


class MemlabError(Exception):
    """The root: catch this to catch everything that memlab raises on purpose.

    Attributes:
        message: What is wrong.
        where: The file, line, parameter or name it is about, or None.
        hint: The next step, or None.
    """

    exit_code = 1

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.message = message
        self.where = where
        self.hint = hint
        super().__init__(message)

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}. {self.hint}" if self.hint else text


class ParameterError(MemlabError, ValueError):
    """A call's argument, an option or a configuration value is not usable."""

    exit_code = 2


class WorkspaceError(MemlabError):
    """There is no workspace where one was expected, or it cannot be read."""


class CitationError(ParameterError):
    """A citation such as ``memory/2025-11-27.md#L12`` or a fact id cannot be read or found."""


class RetainError(ParameterError):
    """A fact cannot be written as it was given: it would not parse back."""


class CoreError(ParameterError):
    """A block of the core cannot be read or changed as asked; nothing was written."""


class WriteError(MemlabError):
    """A file could not be written safely. What stood there before still stands."""


class StoreError(MemlabError):
    """The derived index cannot be built or opened."""


class DamagedError(StoreError):
    """A derived file is not as it was written; it is mended by building it again."""


class BusyError(StoreError):
    """Another process holds the lock of all who build or write, or has the nightly job's turn."""

    exit_code = 4


class CollisionError(StoreError):
    """Two unlike facts got one id."""


class MissingExtraError(MemlabError, ImportError):
    """An optional part is not installed.

    Args:
        what: The feature that was asked for.
        extra: The extra of memlab that brings it.
    """

    exit_code = 3

    def __init__(self, what: str, *, extra: str) -> None:
        super().__init__(
            f"{what} needs the extra {extra!r}", hint=f"Install it: pip install 'memlab[{extra}]'"
        )
        self.extra = extra


class UnknownNameError(ParameterError, LookupError):
    """A strategy, parameter or column that nobody registered.

    Args:
        what: The sort of thing, such as ``"retriever"``.
        name: The name that was given.
        known: The names that exist.
    """

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        super().__init__(f"no {what} {name!r}", hint=f"Known: {', '.join(sorted(known)) or 'none'}")
        self.name = name
        self.known = sorted(known)
