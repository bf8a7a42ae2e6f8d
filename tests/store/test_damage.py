"""Derived files that are damaged: built again once, with one trouble, or a clear error."""

import os
import shutil
import subprocess
import sys

import pytest

import memlab
from memlab.errors import DamagedError, ParameterError, StoreError
from memlab.store.place import arrays_of

PAGES = {
    "memory/2025-11-27.md": "## Retain\n- W @Peter: drinks tea\n- W @Andy: drinks coffee\n",
    "memory/2025-11-28.md": "- milk\n",
}


@pytest.fixture
def notes(pages):
    root = pages(PAGES)
    with memlab.open(root) as workspace:
        workspace.recall("tea")
    return root


def snapshot_of(root):
    with memlab.open(root, refresh="never") as workspace:
        return workspace.place.current()


def overwrite(place, part=slice(None)):
    """Other bytes, as many."""
    raw = bytearray(place.read_bytes())
    raw[part] = b"\xa5" * len(raw[part])
    place.write_bytes(raw)


def answers(workspace, **options):
    return [
        hit.fact.content for hit in workspace.recall("drinks tea", entities=["Peter"], **options)
    ]


def arrays_gone(snapshot):
    shutil.rmtree(arrays_of(snapshot))


def one_array_gone(snapshot):
    (arrays_of(snapshot) / "tie.npy").unlink()


def one_array_cut(snapshot):
    place = arrays_of(snapshot) / "offsets.npy"
    place.write_bytes(place.read_bytes()[:-8])


def seal_garbage(snapshot):
    (arrays_of(snapshot) / "seal.json").write_text("[]")


def cut(snapshot):
    snapshot.write_bytes(snapshot.read_bytes()[:5000])


def lines_of_noise(snapshot):
    overwrite(arrays_of(snapshot) / "facts.ndjson")


def lines_of_other_json(snapshot):
    place = arrays_of(snapshot) / "facts.ndjson"
    place.write_bytes(
        b"\n".join(b"[" + b"1" * (len(x) - 2) + b"]" for x in place.read_bytes().split(b"\n")[:-1])
        + b"\n"
    )


def array_header(snapshot):
    overwrite(arrays_of(snapshot) / "tie.npy", slice(0, 20))


def rows_out_of_range(snapshot):
    overwrite(arrays_of(snapshot) / "entity_rows.npy", slice(128, None))


def entities_of_noise(snapshot):
    overwrite(arrays_of(snapshot) / "entities.json")


SEEN_AT_OPENING = [arrays_gone, one_array_gone, one_array_cut, seal_garbage, cut]
SEEN_AT_READING = [
    lines_of_noise, lines_of_other_json, array_header, rows_out_of_range, entities_of_noise,
]  # fmt: skip


@pytest.mark.parametrize("damage", [*SEEN_AT_OPENING, *SEEN_AT_READING])
def test_a_damaged_snapshot_is_built_again_once_with_one_trouble(notes, damage):
    snapshot = snapshot_of(notes)
    damage(snapshot)
    with memlab.open(notes) as workspace:
        assert answers(workspace) == ["drinks tea"]
        assert [trouble.path for trouble in workspace.last.troubles] == [snapshot.name]
        assert workspace.last.troubles[0].message.startswith("built again: it is damaged")
        assert workspace.last.built
    with memlab.open(notes) as workspace:
        assert answers(workspace) == ["drinks tea"]
        assert not workspace.last.built


@pytest.mark.parametrize("damage", [*SEEN_AT_OPENING, *SEEN_AT_READING])
def test_where_nothing_may_be_built_damage_is_an_error_with_a_hint(notes, damage):
    damage(snapshot_of(notes))
    with memlab.open(notes, refresh="never") as workspace:
        with pytest.raises(DamagedError, match=r"is damaged: .+ Run: memlab index --full"):
            answers(workspace)
        workspace.refresh(full=True)
        assert answers(workspace) == ["drinks tea"]


def blocks_of_noise(snapshot):
    """DuckDB checks its blocks as it reads them; recall by arrays does not read them at all."""
    overwrite(snapshot, slice(12_288, None))  # all but the headers


FACT = "memory/2025-11-27.md#L2"
VERBS = {
    "recall": lambda notes: notes.recall("tea").to_dict()["hits"],
    "context": lambda notes: notes.context("tea").text.partition("time:")[2].partition("\n")[2],
    "core_render": lambda notes: "archival_facts: 3" in notes.core_render(),
    "status": lambda notes: (notes.status()["facts"], notes.status()["first_day"]),
    "doctor": lambda notes: [check.state for check in notes.doctor()][1],
    "show": lambda notes: notes.show(FACT).to_dict(),
    "facts": lambda notes: notes.facts().to_dict(),
    "why": lambda notes: notes.why(notes.recall("tea")[0].fact.id).to_dict(),
    "opinions": lambda notes: [one.to_dict() for one in notes.opinions()],
    "conflicts": lambda notes: [one.to_dict() for one in notes.conflicts()],
    "reflect": lambda notes: [one.after for one in notes.reflect(dry_run=True).changes],
    "retain": lambda notes: notes.retain("W @Peter: rests", supersedes=FACT).bullet,
    "infer": lambda notes: notes.infer("2025-11-28", dry_run=True).to_dict(),
}


@pytest.mark.parametrize("damage", [one_array_cut, lines_of_noise, blocks_of_noise])
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_every_verb_goes_on_over_what_is_built_again_once(notes, tmp_path, damage, verb):
    with memlab.open(shutil.copytree(notes, tmp_path / "sound")) as workspace:
        expected = verb(workspace)
        assert not workspace.mended
    snapshot = snapshot_of(notes)
    damage(snapshot)
    with memlab.open(notes) as workspace:
        assert verb(workspace) == expected
        mended = [trouble.path for trouble in workspace.mended]
    seen_by_all = damage in SEEN_AT_OPENING
    assert mended == [snapshot.name] or (mended == [] and not seen_by_all)


@pytest.mark.parametrize(
    ("verb", "damage"),
    [("show", lines_of_noise), ("facts", lines_of_noise), ("status", blocks_of_noise),
     ("doctor", blocks_of_noise), ("opinions", blocks_of_noise), ("reflect", blocks_of_noise),
     ("why", blocks_of_noise), ("core_render", blocks_of_noise), ("retain", blocks_of_noise)],
)  # fmt: skip
def test_what_only_a_verb_itself_meets_is_built_again_too(notes, verb, damage):
    damage(snapshot_of(notes))
    with memlab.open(notes) as workspace:
        VERBS[verb](workspace)
        assert len(workspace.mended) == 1
        assert workspace.mended[0].message.startswith("built again: it ")


def test_a_block_that_only_a_query_meets_is_an_error_where_nothing_may_be_built(notes):
    blocks_of_noise(snapshot_of(notes))
    with memlab.open(notes, refresh="never") as workspace:
        assert answers(workspace) == ["drinks tea"]
        with pytest.raises(StoreError, match=r"(damaged|opened): .+"):
            workspace.status()
        workspace.refresh(full=True)
        assert workspace.status()["facts"] == 3


def test_a_block_that_only_an_update_meets_is_built_again(notes, pages):
    overwrite(snapshot_of(notes), slice(12_288, None))
    pages({"memory/2025-11-28.md": "- cocoa\n"})
    with memlab.open(notes) as workspace:
        (trouble,) = workspace.refresh().troubles
        assert trouble.message.startswith("built again: it ")
        assert workspace.recall("cocoa")[0].fact.content == "cocoa"
        assert answers(workspace) == ["drinks tea"]


@pytest.mark.parametrize("retriever", ["lexical", "duckdb-fts", "sqlite-fts5"])
def test_a_derived_index_that_is_damaged_is_made_again(notes, retriever):
    with memlab.open(notes) as workspace:
        workspace.recall("tea", retriever=retriever)
        derived = workspace.corpus().derived({"lexical": "postings"}.get(retriever, retriever))
    for place in sorted(derived.rglob("*")) if derived.is_dir() else [derived]:
        place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])
    with memlab.open(notes) as workspace:
        assert answers(workspace, retriever=retriever) == ["drinks tea"]


@pytest.mark.parametrize(
    "pointer",
    [
        b"",
        b"\xff\xfe",
        b"garbage\n",
        b"index-gone-1.duckdb\n",
        b"../index-a.duckdb\n",
        b"\0" * 4096,
    ],
)
def test_a_pointer_of_garbage_means_no_snapshot_and_one_is_built(notes, pointer):
    (notes / ".memory/CURRENT").write_bytes(pointer)
    with memlab.open(notes) as workspace:
        assert answers(workspace) == ["drinks tea"]
        assert workspace.last.built


@pytest.mark.parametrize("name", ["stat.json", "generation", ".gitignore"])
def test_small_files_of_garbage_do_no_harm(notes, name):
    (notes / ".memory" / name).write_bytes(b"\xff{[garbage")
    with memlab.open(notes, refresh="always") as workspace:
        assert answers(workspace) == ["drinks tea"]


def test_a_snapshot_of_somebody_else_is_not_taken_for_ours(notes, tmp_path):
    import duckdb

    snapshot = snapshot_of(notes)
    foreign = tmp_path / "foreign.duckdb"
    with duckdb.connect(str(foreign)) as connection:
        connection.execute("CREATE TABLE facts AS SELECT 7 AS row")
    os.replace(foreign, snapshot)
    with memlab.open(notes) as workspace:
        assert answers(workspace) == ["drinks tea"]
        assert [trouble.path for trouble in workspace.last.troubles] == [snapshot.name]


def test_a_page_that_cannot_be_seen_outlives_a_full_build(notes, monkeypatch):
    real = os.scandir

    def scandir(place):
        if str(place) == str(notes / "memory"):
            raise PermissionError(13, "Permission denied")
        return real(place)

    with memlab.open(notes, refresh="always") as workspace:
        before = answers(workspace)
        with monkeypatch.context() as patch:
            patch.setattr(os, "scandir", scandir)
            done = workspace.refresh(full=True)
            assert [str(t) for t in done.troubles] == [
                "memory: cannot be listed: Permission denied"
            ]
            assert answers(workspace) == before
        assert workspace.refresh(full=True).removed == 0
        assert answers(workspace) == before


def test_pages_that_change_while_they_are_read_are_read_again(notes, pages, monkeypatch):
    """What is built was true at some moment: never one page before an edit and one after it."""
    from memlab.store import ingest as module

    first, second = sorted(PAGES)
    edits = [{second: "- after\n"}, {first: "- after\n"}, {second: "- later\n"}]
    real = module.ingest

    def ingest(*arguments, **options):
        done = real(*arguments, **options)
        if edits:
            pages(edits.pop(0))  # after what was wanted has been parsed
        return done

    monkeypatch.setattr(module, "ingest", ingest)
    pages({"new.md": "new\n"})
    with memlab.open(notes) as workspace:
        done = workspace.refresh()
        assert done.parsed == 3
        facts = {
            str(source): words for words, source in workspace.facts()[["content", "source"]].values
        }
    assert facts == {"new.md#L1": "new", f"{first}#L1": "after", f"{second}#L1": "later"}


def hold_lock(root):
    """Another process that holds the lock until its input ends."""
    code = (
        "import sys, memlab\n"
        "with memlab.open(sys.argv[1]) as workspace, workspace.place.lock():\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(root)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "held\n"
    return process


def test_while_one_builds_another_serves_the_snapshot_before_or_waits_as_asked(
    notes, pages, monkeypatch
):
    with (
        memlab.open(notes, refresh="always", busy="serve") as serves,
        memlab.open(notes, refresh="always") as waits,
        hold_lock(notes) as holder,
    ):
        pages({"memory/2025-11-28.md": "- cocoa\n"})
        assert [hit.fact.content for hit in serves.recall("milk cocoa")] == ["milk"]
        assert serves.last.busy
        real = waits.place.lock
        monkeypatch.setattr(waits.place, "lock", lambda **_: real(timeout=0.2))
        with pytest.raises(StoreError, match="another process has been writing for too long"):
            waits.recall("milk cocoa")
        monkeypatch.undo()
        holder.stdin.close()
        holder.wait()
        assert [hit.fact.content for hit in waits.recall("milk cocoa")] == ["cocoa"]
        assert [hit.fact.content for hit in serves.recall("milk cocoa")] == ["cocoa"]
        assert not serves.last.busy


def test_where_there_is_nothing_to_serve_one_waits(pages, monkeypatch):
    root = pages(PAGES)
    with memlab.open(root, busy="serve") as workspace, hold_lock(root) as holder:
        real = workspace.place.lock
        monkeypatch.setattr(workspace.place, "lock", lambda **_: real(timeout=0.2))
        with pytest.raises(StoreError, match="another process has been writing"):
            workspace.recall("tea")
        monkeypatch.undo()
        holder.stdin.close()
        holder.wait()
        assert answers(workspace) == ["drinks tea"]


def test_busy_is_one_of_two(notes):
    with pytest.raises(ParameterError, match=r"busy cannot be 'maybe'\. Known: wait, serve"):
        memlab.open(notes, busy="maybe")
