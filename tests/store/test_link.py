import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memlab
from memlab.errors import CollisionError
from memlab.session import Session
from memlab.store import duck
from memlab.store.link import _mentioning, load_lexicon
from memlab.tokens import tokens
from memlab.workspace import parser
from memlab.workspace.entities import Lexicon

PETER = "---\naliases: [Pete]\n---\n# Peter\n"


def entities_of(root):
    with Session(root) as session:
        corpus = session.corpus()
        found = corpus.connection.execute("SELECT row FROM facts").fetchall()
        return {f.content: f.entities for f in corpus.facts(row for (row,) in found)}


def test_a_fact_is_about_its_head_its_tags_its_links_and_what_it_mentions(pages):
    log = "## Retain\n- W @Andy: saw [[warelay]] with Pete and @Søren\n- B: nothing\n"
    root = pages({"memory/2025-11-27.md": log, "bank/entities/Peter.md": PETER,
                  "bank/entities/warelay.md": "# warelay\n"})  # fmt: skip
    found = entities_of(root)
    assert found["saw [[warelay]] with Pete and @Søren"] == ("Andy", "Søren", "warelay", "Peter")
    assert found["nothing"] == ()


def test_all_facts_of_an_entitys_page_are_about_it(pages):
    assert entities_of(pages({"bank/entities/Peter.md": f"{PETER}\nA printer.\n"})) == {
        "A printer.": ("Peter",)
    }


def test_a_link_to_nobody_makes_no_entity(pages):
    assert entities_of(pages({"a.md": "see [[somewhere]]\n"})) == {"see [[somewhere]]": ()}


def test_an_alias_that_names_another_entity_is_a_trouble(pages):
    root = pages({"bank/entities/Pete.md": "# Pete\n", "bank/entities/Peter.md": PETER})
    with Session(root) as session:
        (trouble,) = session.corpus().troubles()
        assert str(trouble) == "bank/entities/Peter.md: the alias 'Pete' already names Pete"
        pages({"memory/2025-11-27.md": "tea\n"})
        assert session.corpus("always").troubles() == [trouble]
        (root / "bank/entities/Pete.md").unlink()
        assert session.corpus("always").troubles() == []


def test_the_spelling_to_show_is_the_pages_else_the_first_one_written(pages):
    log = "## Retain\n- W @the-castle: cold\n- W @søren: left\n- W @Søren: came\n"
    root = pages({"memory/2025-11-27.md": log, "bank/entities/The-Castle.md": "# The Castle\n"})
    found = entities_of(root)
    assert (found["cold"], found["left"], found["came"]) == (
        ("The Castle",),
        ("søren",),
        ("søren",),
    )


def test_a_lexicon_is_loaded_as_it_was_linked(pages):
    root = pages({"memory/2025-11-27.md": "## Retain\n- W @Andy: x\n",
                  "bank/entities/Peter.md": PETER})  # fmt: skip
    with Session(root) as session:
        lexicon = load_lexicon(session.corpus().connection)
    assert lexicon.names == {"peter": "Peter", "andy": "Andy"}
    assert lexicon.pages == {"peter": "bank/entities/Peter.md"}
    assert lexicon.resolve("pete") == "peter"


def test_unlike_facts_with_one_id_stop_the_build(pages, monkeypatch):
    monkeypatch.setattr(parser, "fact_id", lambda *_: "f-000000000000")
    with (
        Session(pages({"a.md": "one\n\ntwo\n"})) as session,
        pytest.raises(CollisionError, match=r"a\.md#L1 and a\.md#L3 are unlike facts with one id"),
    ):
        session.refresh()


def test_identical_facts_are_numbered_by_path_and_line(pages):
    root = pages({"memory/2025-11-27.md": "tea\n\ntea\n", "memory/2025-11-27-late.md": "tea\n"})
    with Session(root) as session:
        found = session.corpus().connection.execute(
            "SELECT id, path, start_line FROM facts ORDER BY path, start_line"
        )
        ids = [(id_.partition("-")[2][12:], path, line) for id_, path, line in found.fetchall()]
    assert ids == [
        ("", "memory/2025-11-27-late.md", 1),
        ("-2", "memory/2025-11-27.md", 1),
        ("-3", "memory/2025-11-27.md", 3),
    ]


def test_an_alias_of_a_dash_alone_stops_no_build(pages):
    entity = "---\nname: Ada\naliases: ['-', '_', Countess]\n---\n"
    with memlab.open(
        pages({"bank/entities/Ada.md": entity, "memory/2025-11-27.md": "the Countess\n"})
    ) as workspace:
        (fact,) = workspace.corpus().facts(workspace.corpus().rows_about("ada"))
    assert fact.content == "the Countess"


_names = st.sampled_from(
    ["Ada", "Peter", "The Castle", "x-y", "မောင်မောင်", "Søren", "MA", "O'Neil", "v2.0", "Café Ærø"]
)
_pieces = st.sampled_from(
    ["Ada", "ada's", "ADA’s", "Peter", "peter", "the", "castle", "The-Castle", "x_y", "မောင်မောင်",
     "Søren", "SØREN＇S", "MA", "ma", "O'Neil's", "v2.0.1", "v2.0", "'s", ".b", "-", " ", " ", ":x",
     "Cafe\u0301", "Ærø", "\u200d", "｀", "ſ", "og", "det"]
)  # fmt: skip


def looked_at(texts, lexicon):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE facts (row INTEGER, content VARCHAR, tokens VARCHAR)")
        for row, text in enumerate(texts):
            values = row, text, " ".join(tokens(text))
            connection.execute(duck.fill("INSERT INTO facts VALUES (?, ?, ?)", *values))
        return set(connection.execute(_mentioning("facts", lexicon)).fetchall())


@given(st.lists(_names, max_size=4), st.lists(st.lists(_pieces).map("".join), max_size=8))
def test_every_fact_that_mentions_a_name_is_looked_at(names, texts):
    lexicon = Lexicon()
    for name in names:
        lexicon.add(name)
    found = looked_at(texts, lexicon)
    for row, text in enumerate(texts):
        for own in lexicon.mentions(text):
            assert {(row, own), (row, None)} & found


def test_few_other_facts_are_looked_at():
    lexicon = Lexicon.of([("Ada", None, ["The Countess"]), ("Søren", None, [])])
    texts = ["Ada came", "Adam came", "it is Søren's.", "it's a countess", "the engine", "blåbær"]
    found = looked_at(texts, lexicon)
    assert found == {(0, "ada"), (2, "søren"), (2, None), (4, "ada")}  # another apostrophe?


def test_facts_that_were_carried_over_learn_new_names_and_forget_old_ones(pages):
    log = "## Retain\n- W @Andy: saw the Countess\n- W @Ada: came\n- W: nothing\n"
    root = pages({"memory/2025-11-27.md": log, "memory/2025-11-28.md": "Bob left.\n"})
    with memlab.open(root, refresh="always") as workspace:
        assert entities_of(root)["saw the Countess"] == ("Andy",)
        page = root / "bank/entities/Ada.md"
        page.parent.mkdir(parents=True)
        page.write_text("---\naliases: [Countess]\n---\n", encoding="utf-8")
        before = workspace.corpus().arrays.numbering
        found = entities_of(root)
        assert found["saw the Countess"] == ("Andy", "Ada")
        assert (found["Bob left."], found["nothing"]) == ((), ())
        page.write_text("- W @Bob: came back\n", encoding="utf-8")
        found = entities_of(root)
        assert found["saw the Countess"] == ("Andy",)
        assert workspace.corpus().arrays.numbering == before
