"""A workspace as git has it at a revision: ``memlab.open(path, rev=)``."""

import datetime as dt
import subprocess

import pytest
from click.testing import CliRunner

import memlab
from memlab.cli import main
from memlab.errors import ParameterError, WorkspaceError, WriteError
from memlab.workspace import revision

FIRST = "memory/2025-01-10.md"
SECOND = "memory/2025-03-10.md"


class Checkout:
    """A git checkout that holds a workspace, at its top or below."""

    def __init__(self, top, below=""):
        self.top = top
        self.root = top / below
        self.root.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main", ".")
        self.git("config", "user.name", "Somebody")
        self.git("config", "user.email", "somebody@example.org")
        self.git("config", "commit.gpgsign", "false")

    def git(self, *words, stdin=None, **env):
        done = subprocess.run(
            ["/usr/bin/env", "git", *words], cwd=self.top, input=stdin, check=True,
            capture_output=True,
            env={"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(self.top), **env},
        )  # fmt: skip
        return done.stdout.decode().strip()

    def commit(self, day, **texts):
        """Write pages, given by their paths with ``__`` for ``/``, and commit them at noon."""
        for name, text in texts.items():
            place = self.root / (name.replace("__", "/") + ".md")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        self.git("add", "--all")
        at = f"{day}T12:00:00+01:00"
        self.git("commit", "--quiet", "-m", day, GIT_COMMITTER_DATE=at, GIT_AUTHOR_DATE=at)
        return self.git("rev-parse", "HEAD")


@pytest.fixture(params=["", "home/notes"], ids=["top", "below"])
def checkout(request, tmp_path):
    """Two commits: Peter lives in Berlin, then he moves."""
    made = Checkout(tmp_path / "checkout", request.param)
    made.commit("2025-01-10", **{"memory__2025-01-10": "## Retain\n- W @Peter: lives in Berlin\n"})
    made.commit("2025-03-10", **{"memory__2025-03-10": "## Retain\n- W @Peter: moved to Lisbon\n"})
    return made


def opened(checkout, rev, **more):
    return memlab.open(checkout.root, rev=rev, **more)


def contents(workspace, text="Peter", **more):
    return sorted(hit.fact.content for hit in workspace.recall(text, **more))


def test_the_pages_are_those_of_the_revision(checkout):
    with opened(checkout, "HEAD~1") as then, opened(checkout, "HEAD") as now:
        assert contents(then) == ["lives in Berlin"]
        assert contents(now) == ["lives in Berlin", "moved to Lisbon"]
        assert then.recall("Berlin")[0].fact.superseded_by is None
        assert now.recall("Berlin")[-1].fact.superseded_by is not None
        assert str(then.recall("Berlin")[0].source) == f"{FIRST}#L2"


def test_the_checkout_is_left_alone_and_what_is_not_committed_is_not_seen(checkout):
    checkout.git("tag", "v1")
    (checkout.root / FIRST).write_text("Draft about Peter.\n")
    before = checkout.git("status", "--porcelain")
    for rev in ("HEAD", "main", "v1", checkout.git("rev-parse", "--short", "HEAD")):
        with opened(checkout, rev) as then:
            assert contents(then) == ["lives in Berlin", "moved to Lisbon"]
    assert checkout.git("status", "--porcelain") == before
    assert (checkout.root / FIRST).read_text() == "Draft about Peter.\n"


def test_a_revision_is_written_out_once(checkout, monkeypatch):
    with opened(checkout, "HEAD~1") as then:
        snapshot = then.corpus().snapshot
    monkeypatch.setattr(revision, "_export", None)  # must not be called again
    with opened(checkout, "HEAD~1") as then:
        assert then.corpus().snapshot == snapshot
        assert then.last.parsed == 0
        assert then.root.is_relative_to(checkout.root / ".memory" / "revisions")
    with pytest.raises(TypeError):
        opened(checkout, "HEAD")


def test_what_was_spoilt_is_written_again(checkout):
    with opened(checkout, "HEAD") as then:
        folder = then.root
    (folder / revision._NOTE).unlink()
    (folder / FIRST).unlink()
    with opened(checkout, "HEAD") as then:
        assert contents(then) == ["lives in Berlin", "moved to Lisbon"]


def test_the_clock_is_the_commits(checkout):
    with opened(checkout, "HEAD~1", timezone="UTC") as then:
        assert then.now() == dt.datetime(2025, 1, 10, 11, tzinfo=dt.UTC)
        assert contents(then, since="1d") == ["lives in Berlin"]
    with opened(checkout, "HEAD~1", now="2025-06-01") as then:
        assert contents(then, since="1d") == []


def test_embeddings_are_shared_with_the_workspace(checkout):
    with opened(checkout, "HEAD~1") as then:
        assert then.place.cache == checkout.root / ".memory"
        assert then.place.folder == then.root / ".memory"


@pytest.mark.parametrize(
    "write",
    [
        lambda ws: ws.retain("W @Peter: likes tea"),
        lambda ws: ws.reflect(),
        lambda ws: ws.infer("2025-01-10"),
        lambda ws: ws.core_append("core", "Likes tea."),
        lambda ws: ws.core_rethink("core", "Likes tea."),
    ],
    ids=["retain", "reflect", "infer", "append", "rethink"],
)
def test_nothing_can_be_written(checkout, write):
    checkout.commit("2025-04-01", memory="A core.\n")
    with opened(checkout, "HEAD") as then:
        pages = {path: path.read_bytes() for path in then.root.rglob("*.md")}
        with pytest.raises(WriteError, match=r"open as of commit \w+ of 2025-04-01, read-only"):
            write(then)
        assert {path: path.read_bytes() for path in then.root.rglob("*.md")} == pages
        then.reflect(dry_run=True)


@pytest.mark.parametrize(
    "rev", ["HEAD~30", "nowhere", "", " ", "--help", "-h", "HEAD:memory", "a\0b"]
)
def test_what_is_no_revision_is_an_error(checkout, rev):
    with pytest.raises(ParameterError, match="git has no revision"):
        opened(checkout, rev)


def test_where_there_is_no_checkout_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "memory").mkdir()
    with pytest.raises(WorkspaceError, match="is in no git checkout"):
        memlab.open(tmp_path, rev="HEAD")


def test_where_there_is_no_git_is_an_error(checkout, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(WorkspaceError, match="git, which is not installed"):
        opened(checkout, "HEAD")


def test_a_workspace_that_was_not_there_yet_is_an_error(tmp_path):
    made = Checkout(tmp_path / "checkout", "notes")
    (made.top / "README").write_text("Nothing yet.\n")
    made.commit("2025-01-01")
    made.commit("2025-02-01", memory="Peter.\n")
    with opened(made, "HEAD") as then:
        assert contents(then) == ["Peter."]
    with pytest.raises(WorkspaceError, match="was not there yet"):
        opened(made, "HEAD~1")


def test_another_checkouts_environment_does_not_count(checkout, tmp_path, monkeypatch):
    other = Checkout(tmp_path / "other")
    other.commit("2025-05-01", memory="Another Peter.\n")
    monkeypatch.setenv("GIT_DIR", str(other.top / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.top))
    with opened(checkout, "HEAD") as then:
        assert contents(then) == ["lives in Berlin", "moved to Lisbon"]


def test_the_configuration_is_that_of_the_revision(checkout):
    (checkout.root / "memlab.toml").write_text('timezone = "Asia/Yangon"\n')
    checkout.commit("2025-04-01")
    (checkout.root / "memlab.toml").write_text('timezone = "Europe/Copenhagen"\n')
    with opened(checkout, "HEAD") as then:
        assert then.config.timezone == "Asia/Yangon"


def test_links_and_submodules_are_named_and_not_followed(checkout, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text("The secret of Peter.\n")
    (checkout.root / "link.md").symlink_to(secret)
    (checkout.root / "memlab.toml").symlink_to(secret)
    (checkout.root / "memory" / "up").symlink_to(tmp_path)
    other = Checkout(tmp_path / "other")
    other.commit("2025-05-01", memory="Another Peter.\n")
    checkout.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
                 str(other.top), f"{checkout.root.relative_to(checkout.top)}/sub")  # fmt: skip
    checkout.commit("2025-06-01")
    with opened(checkout, "HEAD") as then:
        assert contents(then) == ["lives in Berlin", "moved to Lisbon"]
        assert then.status()["troubles"] == [
            "link.md: is a link, not followed", "sub: is a submodule, not followed",
        ]  # fmt: skip
        assert not any(path.is_symlink() for path in then.root.rglob("*"))


def test_a_tree_made_by_hand_does_not_get_out(tmp_path):
    made = Checkout(tmp_path / "checkout")
    blob = made.git("hash-object", "-w", "--stdin", stdin=b"Escaped.\n")

    def tree(*entries):
        raw = b"".join(
            mode.encode() + b" " + name.encode() + b"\0" + bytes.fromhex(object_)
            for mode, name, object_ in entries
        )
        words = ("hash-object", "-t", "tree", "-w", "--literally", "--stdin")
        return made.git(*words, stdin=raw)

    inner = tree(("100644", "escaped.md", blob))
    top = tree(("40000", "..", inner), ("100644", "a\\..\\b.md", blob), ("100644", "good.md", blob))
    commit = made.git("commit-tree", top, "-m", "made by hand")
    with opened(made, commit) as then:
        assert [fact.source.path for fact in then.corpus().facts([0])] == ["good.md"]
        assert then.corpus().size == 1
    assert list(tmp_path.rglob("escaped.md")) == []


def test_bytes_are_as_they_were(checkout):
    raw = "\ufeff- Peter\r\n- Ærø\r\n".encode()
    (checkout.root / "memory.md").write_bytes(raw)
    checkout.commit("2025-04-01", empty="")
    with opened(checkout, "HEAD") as then:
        assert (then.root / "memory.md").read_bytes() == raw
        assert (then.root / "empty.md").read_bytes() == b""


def test_the_commands_have_it(checkout):
    def run(*words):
        return CliRunner().invoke(main, [*words, "--workspace", str(checkout.root)])

    found = run("recall", "Peter", "--rev", "HEAD~1")
    assert (found.exit_code, "Berlin" in found.output, "Lisbon" in found.output) == (0, True, False)
    assert run("show", f"{FIRST}#L2", "--rev", "HEAD~1").exit_code == 0
    assert run("show", f"{SECOND}#L2", "--rev", "HEAD~1").exit_code == 2
    assert checkout.git("rev-parse", "HEAD~1") in run("status", "--rev", "HEAD~1").output
    unknown = run("recall", "Peter", "--rev", "HEAD~30")
    assert unknown.exit_code == 2
