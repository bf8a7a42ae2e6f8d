"""What made-up people hold, and how notes speak of it: by hand, plain English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """A statement and sentences about it; ``{who}`` stands for a person.

    Attributes:
        statement: What is held.
        supports: Sentences of somebody of whom it is true.
        against: Sentences of somebody of whom it is not true.
        beside: Sentences about the person that say nothing of it, though some share a word.
    """

    statement: str
    supports: tuple[str, ...]
    against: tuple[str, ...]
    beside: tuple[str, ...]


THEMES = (
    Theme(
        "{who} likes tea",
        (
            "{who} asked for tea before the meeting",
            "{who} likes the green tea from the market",
            "{who} drinks tea with breakfast",
            "{who} bought two more tins of black tea",
            "{who} praised the tea at the harbour",
            "{who} still enjoys a cup of tea at night",
            "{who} wants tea on the train, not coffee",
            "{who} made a pot of tea for everyone and drank most of it",
        ),
        (
            "{who} no longer drinks tea",
            "{who} switched from tea to coffee",
            "{who} does not like tea any more",
            "{who} asked for coffee instead of tea",
            "{who} refuses tea these days",
            "{who} hates the taste of tea by now",
            "{who} poured the tea down the sink",
            "{who} gave the last tins of tea to a neighbour, since tea gives headaches",
        ),
        (
            "{who} repaired the fence",
            "{who} missed the ferry at noon",
            "{who} sold a tea set that had been an aunt's",
            "{who} called about the invoice",
        ),
    ),
    Theme(
        "{who} prefers short replies",
        (
            "{who} asked for short replies again",
            "{who} thanked me for a short reply",
            "{who} says that a short reply of three lines is best",
            "{who} prefers replies that fit on one screen",
            "{who} wants brief replies while travelling",
            "{who} cut my draft down to a short reply",
            "{who} likes replies concise",
            "{who} wrote that long replies go unread",
        ),
        (
            "{who} no longer wants short replies",
            "{who} asked for long replies with all the details",
            "{who} does not like short replies any more",
            "{who} prefers detailed replies over short ones now",
            "{who} complained that short replies leave too much out",
            "{who} said that a short reply is not enough",
            "{who} wants the whole story, however many pages it takes",
            "{who} sent a short reply back and asked for a longer one",
        ),
        (
            "{who} planted an apple tree",
            "{who} is on a short holiday",
            "{who} wrote to the council about the bridge",
            "{who} found the lost key",
        ),
    ),
    Theme(
        "{who} trusts the new gateway",
        (
            "{who} trusts the new gateway with live data",
            "{who} says the new gateway is reliable",
            "{who} moved two more sensors to the new gateway",
            "{who} praised the gateway after the storm",
            "{who} showed the new gateway to a client, proudly",
            "{who} calls the new gateway stable",
            "{who} relies on the gateway for the alarm",
            "{who} recommends the new gateway to the harbour",
        ),
        (
            "{who} no longer trusts the new gateway",
            "{who} went back to the old gateway instead of the new one",
            "{who} says the new gateway is unreliable",
            "{who} does not trust the gateway with alarms",
            "{who} lost trust in the new gateway after the outage",
            "{who} calls the new gateway flaky",
            "{who} keeps a second logger running, in case the gateway drops data",
            "{who} stopped using the new gateway",
        ),
        (
            "{who} baked bread for the crew",
            "{who} painted the door of the shed",
            "{who} has a new bicycle",
            "{who} counted the life jackets",
        ),
    ),
    Theme(
        "{who} enjoys early meetings",
        (
            "{who} enjoys the early meetings on Tuesdays",
            "{who} asked for an early meeting, before eight",
            "{who} likes early meetings, since the day is still quiet",
            "{who} came to the early meeting in high spirits",
            "{who} moved another meeting to the early morning",
            "{who} says early meetings are the best",
            "{who} was first at the early meeting again",
            "{who} wants all meetings early",
        ),
        (
            "{who} no longer enjoys early meetings",
            "{who} asked for late meetings instead of early ones",
            "{who} hates early meetings by now",
            "{who} does not enjoy the early meetings",
            "{who} refuses meetings before ten",
            "{who} called the early meetings a torment",
            "{who} slept through the early meeting and did not mind",
            "{who} avoids early meetings where possible",
        ),
        (
            "{who} is learning to sail",
            "{who} came home early from the fair",
            "{who} wrote the minutes",
            "{who} lent me a book about lighthouses",
        ),
    ),
    Theme(
        "{who} wants to keep the old workshop",
        (
            "{who} wants to keep the old workshop",
            "{who} spoke for keeping the workshop at the quay",
            "{who} says the old workshop is worth its rent",
            "{who} will keep the old workshop another year",
            "{who} would miss the old workshop",
            "{who} signed to keep the old workshop open",
            "{who} had the roof of the old workshop mended, to stay there",
            "{who} loves the old workshop",
        ),
        (
            "{who} no longer wants to keep the old workshop",
            "{who} wants to sell the old workshop",
            "{who} does not want the old workshop any more",
            "{who} would rather have a new place than keep the old workshop",
            "{who} gave notice for the old workshop",
            "{who} says the old workshop is not worth keeping",
            "{who} dropped the plan to keep the old workshop",
            "{who} looked at new rooms and liked them better than the old workshop",
        ),
        (
            "{who} sharpened the chisels",
            "{who} ate old bread with the ducks",
            "{who} phoned the pilot",
            "{who} keeps a diary of the weather",
        ),
    ),
)
"""Each of another kind: a taste, a form, trust, a time, a plan."""
