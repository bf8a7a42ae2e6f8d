"""The memo of reflect saves time only: nights with it, without it and with a damaged one."""

import datetime as dt
import random

import pytest

import memlab
from memlab.verbs import promote
from tests.verbs.reflecting import OPINIONS, PETER, log, read, reflect, write

FIRST = dt.date(2025, 11, 1)
NAMES = ("Peter", "Andy", "Søren", "Pip")
BULLETS = (
    "W @{a}: lives in {place}", "W @{a}: moved to {place}", "W @{a}: is allergic to cats",
    "W @{a} @{b}: {a} and {b} share a boat", "B @{a}: painted the garden fence {place} green",
    "B @{a}: fell because of the ice", "O(c=0.9) @{a}: likes green tea",
    "O @{a}: prefers {place} to any other town", "B @{a} @{b}: drank green tea, liked it",
    "B @{a}: no longer drinks green tea", "B @{a}: bought green tea in {place}",
    "B @Peter: Petja moved to {place}", "B: met {a} in {place}",
    "{a} likes [[2025-11-03]] and green tea",
)  # fmt: skip


class Diary:
    """A workspace that a person writes in, at random but the same for a seed."""

    def __init__(self, root, seed):
        self.root = root
        self.draw = random.Random(seed)  # noqa: S311  # no secret
        self.today = FIRST
        self.steps = (
            self.backdate, self.reword, self.forget, self.keep, self.sure, self.scrap,
            self.scribble, self.rename, self.answer, self.note,
        )  # fmt: skip

    def night(self):
        """Another day, with its log and a few things more."""
        self.today += dt.timedelta(days=self.draw.choice((1, 1, 1, 2, 5)))
        self._append(self.today)
        for step in self.draw.sample(self.steps, self.draw.randrange(3)):
            step()

    def backdate(self):
        self._append(FIRST + dt.timedelta(days=self.draw.randrange(12)))

    def reword(self):
        """A word or a place on an old line is another."""
        file = self._any("memory/*.md")
        old, new = self.draw.sample(("green", "black", "Graz", "Wien", "likes", "Peter", "Andy"), 2)
        self._change(file, lambda text: text.replace(old, new, 1))

    def forget(self):
        """A log is gone, or a line of it."""
        file = self._any("memory/*.md")
        if self.draw.random() < 0.3:
            file.unlink()
        else:
            self._change(file, lambda text: text.rpartition("\n- ")[0] + "\n")

    def keep(self):
        """An old line says what it takes the place of, or what nothing does."""
        with memlab.open(self.root, now=self.today) as workspace:
            (fact,) = self.draw.sample(workspace.facts().index.tolist(), 1)
        mark = self.draw.choice((f"<!-- supersedes {fact} -->", f"<!-- memlab:keep {fact} -->"))
        self._change(self._any("memory/*.md"), lambda text: f"{text.rstrip()} {mark}\n")

    def sure(self):
        """A person is so sure of an opinion."""
        self._change(self.root / OPINIONS, lambda text: text.replace("\n**0.9", "\n**0.3", 1))

    def scrap(self):
        """A section of an opinion or of an entity page is deleted."""
        file = self._any("bank/**/*.md")
        self._change(file, lambda text: text[: text.find("<!-- memlab:begin")])

    def scribble(self):
        """A person writes into a generated part, or beside it."""
        file = self._any("bank/**/*.md")
        self._change(file, lambda text: text.replace("\n- ", "\n- really, ", 1))

    def rename(self):
        """An entity goes by another name."""
        name = self.draw.choice(("Peter", "PETER", "Petya"))
        page = f"---\nname: {name}\naliases: [Petja, Pip]\n---\n"
        file = self.root / PETER
        if file.exists():
            self._change(file, lambda text: page + text[text.find("---\n", 3) + 4 :])

    def answer(self):
        """A proposal is thrown away."""
        if files := sorted((self.root / "bank/proposals").glob("*.md")):
            self.draw.choice(files).unlink()

    def note(self):
        (self.root / "memory.md").write_text("## Human\n\n- Peter: is allergic to cats\n")

    def _append(self, day, *bullets):
        names = self.draw.sample(NAMES, 2)
        told = [
            one.format(a=names[0], b=names[1], place=self.draw.choice(("Graz", "Wien")))
            for one in self.draw.choices(BULLETS, k=3)
        ]
        file = self.root / f"memory/{day}.md"
        file.parent.mkdir(exist_ok=True)
        text = file.read_text(encoding="utf-8") if file.exists() else "## Retain\n\n"
        more = "".join(f"- {bullet}\n" for bullet in (*told, *bullets))
        file.write_text(text + more, encoding="utf-8")

    def _any(self, pattern):
        files = sorted(self.root.glob(pattern)) or sorted(self.root.glob("memory/*.md"))
        return self.draw.choice(files)

    def _change(self, file, edit):
        if file.exists():
            file.write_text(edit(file.read_text(encoding="utf-8")), encoding="utf-8")


def outcome(root, now, **options):
    done = reflect(root, now=now, **options)
    return done.changes, done.troubles, done.withheld, done.conflicts


def with_memo(root, text, now, **options):
    """What a reflect would do if that were the memo, which then is what it was."""
    file = root / ".memory/reflect.json"
    before = file.read_bytes() if file.exists() else None
    file.unlink(missing_ok=True)
    if text is not None:
        file.write_bytes(text)
    found = outcome(root, now, dry_run=True, **options)
    file.unlink(missing_ok=True)
    if before is not None:
        file.write_bytes(before)
    return found


def damaged(text, draw):
    """A file with one byte changed, or with its end missing."""
    at = draw.randrange(len(text))
    return text[:at] if draw.random() < 0.5 else text[:at] + b"7" + text[at + 1 :]


def live(root, seed, nights):
    """Nights of a diary, each planned without a memo and with a damaged one too."""
    diary = Diary(root, seed)
    changed = 0
    for _ in range(nights):
        diary.night()
        now = diary.today.isoformat()
        options = {"since": diary.draw.choice(("7d", "7d", "2d", None))}
        memo_file = root / ".memory/reflect.json"
        fresh = with_memo(root, None, now, **options)
        if memo_file.exists():
            text = damaged(memo_file.read_bytes(), diary.draw)
            assert with_memo(root, text, now, **options) == fresh
        past = {**options, "as_of": diary.today - dt.timedelta(days=3)}
        assert outcome(root, now, dry_run=True, **past) == with_memo(root, None, now, **past)
        assert outcome(root, now, **options) == fresh
        changed += bool(fresh[0])
        assert outcome(root, now, **options)[0] == ()
    return changed


LOGS = {
    **log("2025-11-01", "B @Peter: Petja moved to Graz", "W @Andy: is allergic to cats"),
    **log("2025-11-09", "W @Andy: is fond of dogs", "B @Peter @Andy: met"),
    **log("2025-11-10", "B @Peter @Andy: met again, at sea"),
}
WORLD, ANDY = "bank/world.md", "bank/entities/Andy.md"


@pytest.mark.parametrize(
    ("path", "edit", "changes"),
    [
        (PETER, lambda text: text.replace("name:", "aliases: [Petja]\nname:", 1), {WORLD}),
        (PETER, lambda text: text.replace("name: Peter", "name: PETER", 1), {ANDY}),
        ("memory/2025-11-09.md", lambda text: text.replace("dogs", "dogs {mark}"), {ANDY, WORLD}),
        ("memory.md", lambda _: "## Human\n", set()),
        (WORLD, lambda text: text.replace("cats", "dogs"), set()),
        (ANDY, lambda text: text.replace("cats", "dogs"), set()),
    ],
    ids=["an alias", "a name", "what a line supersedes", "the core", "a person", "another"],
)
def test_what_changes_while_the_facts_stay_is_seen(pages, path, edit, changes):
    root = pages({**LOGS, "memory.md": "# Memory\n"})
    reflect(root)
    assert reflect(root).changes == ()
    with memlab.open(root) as workspace:
        facts = workspace.facts()
    (old,) = facts.index[facts["content"] == "is allergic to cats"]
    write(root, edit(read(root, path)).replace("{mark}", f"<!-- supersedes {old} -->"), path)
    found = outcome(root, "2025-12-31", dry_run=True)
    assert {change.path for change in found[0]} == changes
    assert found == with_memo(root, None, "2025-12-31")
    assert found == with_memo(root, b"{}", "2025-12-31") == outcome(root, "2025-12-31")
    # and what cannot be written is told the next time too
    assert outcome(root, "2025-12-31") == with_memo(root, None, "2025-12-31")


def test_only_subjects_with_new_facts_are_looked_at(pages, monkeypatch):
    looked_at = []
    monkeypatch.setattr(promote, "durable", lambda facts, _: looked_at.append(facts) or [])
    root = pages(LOGS)

    def subjects(now="2025-12-31", **options):
        looked_at.clear()
        reflect(root, now=now, **options)
        return {fact.heads[0] for facts in looked_at for fact in facts}

    assert subjects() == {"peter", "andy"}
    assert subjects() == set()
    pages(log("2025-11-11", "W @Andy @Peter: has a boat"))
    assert subjects(since="7d", now="2025-11-12") == {"andy"}
    (root / "memory/2025-11-01.md").unlink()
    assert subjects(since="7d", now="2025-11-12") == {"peter", "andy"}
    (root / ".memory/reflect.json").unlink()
    assert subjects() == {"peter", "andy"}


def test_nights_give_the_same_with_a_memo_and_without(tmp_path):
    assert live(tmp_path, seed=7, nights=6) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_many_nights_give_the_same_with_a_memo_and_without(tmp_path, seed):
    assert live(tmp_path, seed, nights=30) >= 15
