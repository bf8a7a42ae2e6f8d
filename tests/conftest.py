"""What every test may ask for."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from memlab.api import Workspace

ZONE = "Europe/Copenhagen"
FIXTURES = Path(__file__).parent.parent / "data" / "fixtures"

# A deadline would fail on a busy machine. In CI the examples are the same every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# Tests that are not about meaning recall by words alone, in this process and those that it starts.
os.environ["MEMLAB_EMBEDDING"] = "none"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for `data_dir` is marked `data`."""
    for item in items:
        if "data_dir" in getattr(item, "fixturenames", ()):
            item.add_marker("data")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of public data sets, which is not part of the checkout."""
    if "MEMLAB_DATA" not in os.environ:
        pytest.skip("needs the data sets: set MEMLAB_DATA to their folder")
    return Path(os.environ["MEMLAB_DATA"])


@pytest.fixture(scope="session")
def tiny_bert() -> Callable[..., None]:
    """Writes a classifier of one layer into a folder, its weights drawn by a fixed seed."""
    pytest.importorskip("sentence_transformers", reason="needs extra 'embeddings'")
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    def write(folder: Path, words: list[str], **config: Any) -> None:
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
        tokenizer = BertTokenizerFast(vocab={word: n for n, word in enumerate(vocabulary)})
        tokenizer.save_pretrained(folder)
        made = BertConfig(
            vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=16, max_position_embeddings=32, initializer_range=0.3, **config,
        )  # fmt: skip
        torch.manual_seed(6)
        BertForSequenceClassification(made).save_pretrained(folder)

    return write


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """A copy of the rich workspace: sixty days, five languages."""
    return _copy("harbour", tmp_path)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of the smallest workspace."""
    return _copy("tiny", tmp_path)


@pytest.fixture
def pages(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Writes pages of one workspace, given by their paths, and returns its folder."""
    root = tmp_path / "notes"

    def write(texts: Mapping[str, str | bytes]) -> Path:
        root.mkdir(exist_ok=True)
        for path, text in texts.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return root

    return write


@pytest.fixture(autouse=True)
def _no_other_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the workspace or the cache of whoever runs it."""
    for name in ("MEMLAB_WORKSPACE", "OPENCLAW_CONFIG_PATH", "OPENCLAW_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Workspace]":
    """The rich workspace, open and indexed once for all tests that only ask."""
    import memlab

    root = _copy("harbour", tmp_path_factory.mktemp("indexed"))
    with memlab.open(root, now="2025-11-30", refresh="always", timezone=ZONE) as workspace:
        workspace.corpus()
        workspace.policy = "never"
        yield workspace


def _copy(name: str, folder: Path) -> Path:
    return shutil.copytree(FIXTURES / name, folder / name, ignore=shutil.ignore_patterns(".memory"))
