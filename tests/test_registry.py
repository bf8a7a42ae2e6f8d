from dataclasses import dataclass
from importlib import metadata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab import registry
from memlab.errors import ParameterError, UnknownNameError
from memlab.registry import Spec, make, names, register, spec_of
from memlab.retrievers.bm25 import BM25


@dataclass(frozen=True)
class Plugin:
    depth: int = 3


@pytest.fixture
def clean(monkeypatch):
    monkeypatch.setattr(registry, "_added", {family: {} for family in registry._BUILT_IN})


def test_a_strategy_is_made_from_its_spec_and_prints_back():
    made = make("retriever", "lexical(k1=0.7)")
    assert made == BM25(k1=0.7)
    assert str(spec_of(made, "lexical")) == "lexical(k1=0.7)"
    assert str(spec_of(make("retriever", "lexical"), "lexical")) == "lexical"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("leksical", "no retriever 'leksical'. Known: .*lexical"),
        ("lexical(k9=1)", "no parameter of lexical 'k9'. Known: b, context, cues, k1, neighbours"),
        ("lexical(0.9)", "cannot read the parameters"),
        ("lexical(k1=open('x'))", "cannot read the parameters"),
        ("lexical(k1=0.9", "is no spec"),
        ("lexical(**{})", "cannot read the parameters"),
        ("lexical(k1=1), b(", "is no spec|cannot read the parameters"),
        ("", "is no spec"),
        ("lexical(k1=-1)", "k1 must be at least 0"),
    ],
)
def test_a_spec_that_cannot_be_is_an_error(spec, message):
    with pytest.raises(ParameterError, match=message):
        make("retriever", spec)


_literals = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)  # fmt: skip


@settings(max_examples=40)
@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,8}_", fullmatch=True), _literals))
def test_a_spec_reads_back_as_itself(parameters):
    spec = Spec("lexical", parameters)
    assert Spec.parse(str(spec)) == spec


@pytest.mark.usefixtures("clean")
def test_a_registered_strategy_is_known_by_its_name():
    register("retriever", "mine", Plugin)
    assert make("retriever", "mine(depth=5)") == Plugin(5)
    assert "mine" in names("retriever")


@pytest.mark.usefixtures("clean")
def test_only_dataclasses_of_known_families_are_registered():
    with pytest.raises(ParameterError, match="is no dataclass"):
        register("retriever", "mine", object)
    with pytest.raises(UnknownNameError, match="no family of strategies 'colour'"):
        register("colour", "mine", Plugin)


def test_a_plugin_is_found_by_its_entry_point(monkeypatch):
    entry = metadata.EntryPoint("theirs", f"{__name__}:Plugin", "memlab.retrievers")
    monkeypatch.setattr(metadata.EntryPoint, "load", lambda _: Plugin)
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: [entry] if group == entry.group else []
    )
    assert make("retriever", "theirs") == Plugin()
    assert "theirs" in names("retriever")
