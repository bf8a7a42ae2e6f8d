"""What recall and context cannot use is an error that says what can be used, from both sides."""

import builtins
from importlib import metadata

import pytest

import memlab
from memlab import registry
from memlab.cli import main
from memlab.errors import MissingExtraError, ParameterError, UnknownNameError

BAD = [
    ({"retriever": "leksical"}, "no retriever 'leksical'. Known: bm25s, "),
    ({"retriever": "lexical(k2=1)"}, "no parameter of lexical 'k2'. Known: b, context, "),
    ({"retriever": "lexical(b=2)"}, "b must lie in 0 to 1, got 2"),
    ({"retriever": "lexical(k1)"}, "cannot read the parameters of 'lexical(k1)'. Write them as "),
    ({"retriever": "lexical("}, "'lexical(' is no spec. Write NAME or NAME(parameter=value)"),
    ({"retriever": "lexical + lexical"}, "one retriever stands twice in 'lexical + lexical'"),
    ({"retriever": "lexical | rff"}, "no fusion or reranker 'rff'. Known: "),
    ({"retriever": "lexical | rrf(q=1)"}, "no parameter of rrf 'q'. Known: "),
    ({"retriever": "lexical | mmr(share=2.0)"}, "no parameter of mmr 'share'. Known: "),
    ({"retriever": "dense(embedding='bge')"}, "no embedding 'bge'. Known: "),
    ({"k": 0}, "k must be at least 1, got 0"),
    ({"k": -3}, "k must be at least 1, got -3"),
    ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
    ({"max_tokens": -100}, "max_tokens must be at least 1, got -100"),
    ({"around": -1}, "around must be at least 0, got -1"),
    ({"counter": "bytes5"}, "no counter 'bytes5'. Known: bytes4, tokenizer, words"),
    ({"counter": "bytes4(size=3)"}, "no parameter of bytes4 'size'. Known: none"),
    ({"since": "2025-11-27", "until": "2025-11-26"},
     "since (2025-11-27) lies after until (2025-11-26)"),
    ({"since": "1d", "until": "2d"}, "lies after until"),
    ({"since": "2025-02-30"}, "since: '2025-02-30' is no day"),
    ({"until": "2025-13-01"}, "until: '2025-13-01' is no day"),
    ({"until": "soon"}, "until: 'soon' is no day"),
    ({"since": "99999y"}, "since: "),
    ({"as_of": "2025-02-30"}, "as_of: '2025-02-30' is no day"),
    ({"now": "2025-02-30"}, "'2025-02-30' is no moment"),
    ({"kinds": ["rumour"]}, "no kind 'rumour'. Known: world (W), experience (B), "),
    ({"refresh": "often"}, "no refresh policy 'often'. Known: auto, always, never"),
    ({"query": ""}, "the query is empty"),
    ({"query": " \t"}, "the query is empty"),
]  # fmt: skip
OPTIONS = {"kinds": "--kind", "as_of": "--as-of", "max_tokens": "--max-tokens"}
VERBS = ("recall", "context")
each_case = pytest.mark.parametrize(("given", "message"), BAD, ids=[str(given) for given, _ in BAD])


@pytest.fixture
def notes(pages):
    return pages({"memory/2025-11-27.md": "- W @Peter: tea\n"})


@pytest.mark.parametrize("verb", VERBS)
@each_case
def test_by_the_library(notes, verb, given, message):
    arguments = {**given}
    query = arguments.pop("query", "tea")
    with memlab.open(notes, now="2025-11-30") as opened, pytest.raises(ParameterError) as caught:
        getattr(opened, verb)(query, **arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize("verb", VERBS)
@each_case
def test_by_the_command_line(notes, capsys, verb, given, message):
    words = [verb, given.get("query", "tea"), "--workspace", str(notes)]
    for name, value in given.items():
        for one in value if isinstance(value, list) else [value]:
            words += [] if name == "query" else [OPTIONS.get(name, f"--{name}"), str(one)]
    with pytest.raises(SystemExit) as done:
        main(words if "now" in given else [*words, "--now", "2025-11-30"])
    out, err = capsys.readouterr()
    assert (done.value.code, out) == (2, "")
    if "refresh" in given:  # click itself knows the choices
        message = "'often' is not one of 'auto', 'always', 'never'"
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("value", [1.5, "3", True, float("nan")])
def test_a_number_that_is_no_whole_one(notes, verb, value):
    with memlab.open(notes) as opened:
        for name in ("k", "max_tokens", "around"):
            with pytest.raises(ParameterError, match=f"{name} must be a whole number, got "):
                getattr(opened, verb)("tea", **{name: value})


def test_what_is_unknown_carries_what_is_known(notes):
    with memlab.open(notes) as opened, pytest.raises(UnknownNameError) as caught:
        opened.recall("tea", retriever="leksical")
    assert (caught.value.name, caught.value.known) == ("leksical", registry.names("retriever"))


MISSING = [
    ("tantivy", "tantivy", "lexical"),
    ("bm25s", "bm25s", "lexical"),
]


@pytest.fixture
def without(monkeypatch):
    """Makes a package one that is not installed."""

    def forget(package):
        real = builtins.__import__

        def refuse(name, *rest, **more):
            if name.partition(".")[0] == package:
                raise ImportError(name)
            return real(name, *rest, **more)

        monkeypatch.setattr(builtins, "__import__", refuse)

    return forget


@pytest.mark.parametrize(("spec", "package", "extra"), MISSING)
def test_a_missing_extra_names_its_pip_line(notes, without, capsys, spec, package, extra):
    without(package)
    with memlab.open(notes) as opened, pytest.raises(MissingExtraError) as caught:
        opened.recall("tea", retriever=spec)
    line = f"pip install 'memlab[{extra}]'"
    assert line in str(caught.value)
    with pytest.raises(SystemExit) as done:
        main(["recall", "tea", "--workspace", str(notes), "--retriever", spec])
    assert done.value.code == 3
    assert line in capsys.readouterr().err


def test_a_missing_model_names_its_pip_line(notes, monkeypatch, capsys):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    spec = "dense(embedding='minilm')"
    with memlab.open(notes) as opened, pytest.raises(MissingExtraError, match="pip install "):
        opened.recall("tea", retriever=spec)
    with pytest.raises(SystemExit) as done:
        main(["recall", "tea", "--workspace", str(notes), "--retriever", spec])
    assert done.value.code == 3
    assert (
        "the model 'minilm' is not installed. Install it: pip install " in capsys.readouterr().err
    )


def specs():
    """Every retriever, meaning by a model that needs no package."""
    for name in registry.names("retriever"):
        takes = "embedding" in registry.parameters("retriever", name)
        yield f"{name}(embedding='tfidf-svd')" if takes else name


@pytest.mark.parametrize("spec", [*specs(), "lexical + sqlite-fts5 | rrf | mmr | decay"])
def test_an_empty_workspace_recalls_nothing_without_an_error(pages, capsys, spec):
    root = pages({})
    try:
        with memlab.open(root, now="2025-11-30") as opened:
            found = opened.recall("When did Peter drink tea last week?", retriever=spec)
            budgeted = opened.recall("tea", retriever=spec, max_tokens=100, around=2, explain=True)
    except MissingExtraError as error:
        pytest.skip(str(error))
    assert (found.hits, found.answered) == ((), False)
    assert (budgeted.hits, budgeted.explanation.facts) == ((), ())
    main(["recall", "tea", "--workspace", str(root), "--retriever", spec])
    assert capsys.readouterr() == ("", "memlab: no hits\n")
