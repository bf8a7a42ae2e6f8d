import memlab
from memlab.embedding.passages import Context, passages

LOG = "# 2025-11-27\n\n## The roof\n\n- Palle came early\n- he had slates\n"
TURNS = ["Ada: is there tea?", "Bo: there is", "Ada: milk?", "Bo: no", "Ada: pity", "Bo: yes"]
TALK = "# Tea\n\n" + "".join(f"- {turn}\n" for turn in TURNS)


def texts(pages, context):
    with memlab.open(pages({"memory/2025-11-27.md": LOG, "bank/talk.md": TALK})) as workspace:
        return passages(workspace.corpus(), context).texts


def test_headings_are_read_with_a_fact_but_not_in_a_conversation(pages):
    found = texts(pages, Context(heading=True))
    assert "2025-11-27 > The roof · Palle came early" in found
    assert "Ada: is there tea?" in found
    assert len(found) == 8


def test_the_day_is_read_with_a_fact_of_a_log(pages):
    found = texts(pages, Context(day=True))
    assert "2025-11-27 · he had slates" in found
    assert "Bo: no" in found


def test_facts_before_and_after_are_read_with_a_fact(pages):
    assert "Palle came early\nhe had slates" in texts(pages, Context(neighbours=1))
