"""Whether a question may speak of time at all: a cheap look that most questions end with."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z]+|[0-9]")
_WORDS = frozenset(
    """
    0 1 2 3 4 5 6 7 8 9
    day days week weeks month months year years night nights morning mornings evening evenings
    afternoon today tonight tomorrow yesterday lately recently recent nowadays ago
    monday tuesday wednesday thursday friday saturday sunday
    spring summer autumn fall winter sommer vinter
    before prior until till after since during time last latest newest first
    second third fourth fifth sixth seventh eighth ninth tenth
    dag dage uge uger morgen overmorgen morges formiddags eftermiddags aften aftes nylig tiden
    mandag tirsdag onsdag torsdag fredag mandags tirsdags onsdags torsdags fredags
    sidste senest nyeste gang inden indtil efter siden
    jan january januar januari janeiro janv janvier ene enero gen gennaio
    feb february februar februari febbraio febrero fev fevereiro
    mar march mars marts maart marzo mrt
    apr april aprile abr abril avr avril
    may mai maj mei mag maggio maio mayo
    jun june juni junio junho juin giu giugno
    jul july juli julio julho juil juillet lug luglio
    aug august augusti augustus agosto
    sep sept september septembre septiembre set setembro settembre
    oct october oktober octobre octubre okt ott ottobre out outubro
    nov november novembre novembro noviembre
    dec december dez dezember dezembro des desember dic dicembre diciembre
    """.split()
)


def may_tell(folded: str) -> bool:
    """Whether a question may name a time, or an event before or after which something was.

    Args:
        folded: The question, folded. What is not of ASCII letters may.
    """
    return not folded.isascii() or not _WORDS.isdisjoint(_WORD.findall(folded))
