"""Models that come inside packages: where they are installed, and whether they are whole."""

from __future__ import annotations

import base64
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memlab.embedding import digests
from memlab.embedding.base import MissingModelError, ModelError

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import Distribution


@dataclass(frozen=True, slots=True)
class Package:
    """One or more packages that carry a model.

    Attributes:
        model: The model's name.
        distributions: The names of the packages.
        weights: The names of the files with its weights, each in the package of the same place.
        install: The command that installs them.
    """

    model: str
    distributions: tuple[str, ...]
    weights: tuple[str, ...]
    install: str

    def installed(self) -> bool:
        """Whether all files with weights are there."""
        try:
            return all(file.is_file() for file in self.files())
        except MissingModelError:
            return False

    def files(self) -> list[Path]:
        """The files with its weights.

        Raises:
            MissingModelError: If a package is not installed.
        """
        pairs = zip(self.distributions, self.weights, strict=True)
        return [_locate(self._distribution(name), weights) for name, weights in pairs]

    def version(self) -> str:
        """The version of the first package."""
        return self._distribution(self.distributions[0]).version

    def verify(self) -> list[str]:
        """Compare each file with weights to the hash that its package was published with.

        Returns:
            The hex SHA-256 of each file.

        Raises:
            MissingModelError: If a package or a file is missing.
            ModelError: If a file is not the one that was published.
        """
        found = []
        for name, weights in zip(self.distributions, self.weights, strict=True):
            distribution = self._distribution(name)
            file = _locate(distribution, weights)
            if not file.is_file():
                raise MissingModelError(self.model, self.install)
            digest = digests.sha256(file)
            published = _published(distribution, weights)
            if published and published != digest:
                raise ModelError(
                    "is damaged: it is not the file that its package was published with",
                    where=str(file), hint=f"{self.install} --force-reinstall",
                )  # fmt: skip
            found.append(digest)
        return found

    def _distribution(self, name: str) -> Distribution:
        from importlib.metadata import PackageNotFoundError, distribution

        try:
            return distribution(name)
        except PackageNotFoundError as error:
            raise MissingModelError(self.model, self.install) from error


def prepared(name: str, digest: str, make: Callable[[Path], None]) -> Path:
    """A folder of the user's cache that is made once out of a package; safe under many processes.

    Args:
        name: The model's name.
        digest: The hash of what it is made from.
        make: Fills a folder; called only where it was not made before.

    Raises:
        ModelError: If it cannot be made.
    """
    home = digests.cache_folder() / "models"
    folder = home / f"{name}-{digest[:16]}"
    if folder.is_dir():
        return folder
    from filelock import FileLock

    try:
        home.mkdir(parents=True, exist_ok=True)
        with FileLock(home / f"{name}.lock"):
            if folder.is_dir():
                return folder
            for leftover in home.glob(f".{name}-*"):
                shutil.rmtree(leftover, ignore_errors=True)
            aside = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=home))
            try:
                make(aside)
                aside.chmod(0o755)
                aside.replace(folder)
            finally:
                shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise ModelError(f"cannot be unpacked: {error}", where=str(folder)) from error
    return folder


def _locate(distribution: Distribution, weights: str) -> Path:
    return Path(str(distribution.locate_file(weights)))


def _published(distribution: Distribution, weights: str) -> str:
    """The hex SHA-256 of a file in the package's record; empty where it has none."""
    for file in distribution.files or ():
        if file.as_posix() == weights and file.hash and file.hash.mode == "sha256":
            with suppress(ValueError):
                return base64.urlsafe_b64decode(file.hash.value + "=").hex()
    return ""
