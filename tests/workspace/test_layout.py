import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.types import Kind
from memlab.workspace.layout import IMPLIED, Role, daily_path, day_of, is_page, is_walked, role_of


@pytest.mark.parametrize(
    ("path", "role", "kind"),
    [
        ("memory.md", Role.CORE, Kind.WORLD),
        ("MEMORY.md", Role.CORE, Kind.WORLD),
        ("SOUL.md", Role.CORE, Kind.WORLD),
        ("memory/2025-11-27.md", Role.DAILY, Kind.EXPERIENCE),
        ("memory/2025-11-27-evening.md", Role.DAILY, Kind.EXPERIENCE),
        ("memory/2025-99-99.md", Role.NOTE, Kind.EXPERIENCE),
        ("memory/notes/2025-11-27.md", Role.NOTE, Kind.EXPERIENCE),
        ("memory/notes/relay.md", Role.NOTE, Kind.EXPERIENCE),
        ("bank/world.md", Role.WORLD, Kind.WORLD),
        ("bank/World.md", Role.WORLD, Kind.WORLD),
        ("bank/experience.md", Role.EXPERIENCE, Kind.EXPERIENCE),
        ("bank/opinions.md", Role.OPINIONS, Kind.OPINION),
        ("bank/entities/Peter.md", Role.ENTITY, Kind.OBSERVATION),
    ],
)
def test_a_path_tells_role_and_kind(path, role, kind):
    assert role_of(path) is role
    assert IMPLIED[role] is kind


@pytest.mark.parametrize(
    ("path", "page"),
    [("a.md", True), ("A.MD", True), ("a.markdown", True), ("a.txt", False), ("md", False),
     ("bank/proposals/2025-11-27-a1b2c3.md", False)],
)  # fmt: skip
def test_pages_are_markdown_and_no_proposals(path, page):
    assert is_page(path) is page


def test_hidden_and_derived_folders_are_not_walked():
    assert [name for name in (".memory", ".git", "node_modules", "memory") if is_walked(name)] == [
        "memory"
    ]


@pytest.mark.parametrize(
    "path", ["2025-11-27.md", "bank/2025-11-27.md", "memory/2025-02-30.md", "memory/12025-11-27.md",
             "memory/2025-11-271.md"],
)  # fmt: skip
def test_only_a_real_day_under_memory_is_a_day(path):
    assert day_of(path) is None


@given(st.dates())
def test_the_log_of_a_day_is_of_that_day(day):
    path = daily_path(day)
    assert day_of(path) == day
    assert role_of(path) is Role.DAILY
    assert day_of(f"memory/{day.year:04}/{day}.md") == day


def test_the_day_of_a_log_is_a_date():
    assert day_of("memory/2025-11-27.md") == dt.date(2025, 11, 27)
