"""The forms in which a slot is filled, in several languages; read by `memlab.workspace.slots`.

Each line matches a whole predicate: what stands after the subject, without "now" and the like
before it and "today" and the like after it. Brackets capture nothing, and words in capitals stand
for the patterns of `_WORDS`: REST and SOME are the value (SOME where a verb follows), OLD is what
it took the place of; NOT and NO say that the slot does not hold the value, as do forms with GONE.
"""

from __future__ import annotations

import re

# Words of one group say the same of a thing; only groups of one line exclude each other.
_STATES: tuple[dict[str, str], ...] = (
    {
        "planned": "planned in-planning planlagt geplant",
        "open": """open reopened active ongoing running live underway in-progress i-gang åben åbent
            offen aktiv en-cours en-curso""",
        "review": "in-review under-review in-testing",
        "waiting": """blocked stuck paused waiting postponed on-hold på-pause sat-på-pause udsat
            pausiert blockiert verschoben en-pause en-pausa tạm-dừng""",
        "done": """done finished complete completed shipped delivered closed resolved merged færdig
            færdigt afsluttet lukket fertig erledigt abgeschlossen geschlossen terminé terminée
            terminado terminada cerrado cerrada xong hoàn-thành""",
        "ended": """cancelled canceled dropped abandoned discontinued aflyst abgesagt annulé annulée
            cancelado cancelada""",
    },
    {
        "broken": "broken down out-of-order i-stykker kaputt en-panne",
        "working": """repaired fixed mended working works-again working-again up-again back-up
            repareret repariert réparé réparée reparado reparada""",
    },
)
STATE = {
    word: (number, name)
    for number, groups in enumerate(_STATES)
    for name, group in groups.items()
    for word in group.split()
}
"""The line and the group of each word that tells a state."""

_WORDS = {
    "REST": "(?P<rest>.+)",
    "SOME": "(?P<rest>.+?)",
    "OLD": "(?P<old>.+?)",
    "FORMER": "(?P<old>.+)",
    "SCOPE": r"(?P<scope>\w+)",
    "NOT": "(?P<no>no longer |not |does not |doesn't |do not |don't |stopped |quit |gave up )?",
    "NO": "(?P<no>ikke |nicht |inte |niet )?(længere |mehr |längre |meer )?",
    "NOW": "(nu |nå |jetzt |maintenant |ahora |adesso |giờ )?",
    "THEIRS": "(the|his|her|their|its)",
    "PROGRAM": "(version|release|firmware|software)",
    "NUMBER": r"(?P<rest>v\d+(\.\d+)*[\w.-]*|\d+(\.\d+)+[\w.-]*)",
    "WHOLE": r"(?P<rest>v\d+(\.\d+)*[\w.-]*|\d+(\.\d+)*[\w.-]*)",
    "FIGURES": r"(?P<old>v?\d[\w.-]*)",
    "STATE": f"(?P<rest>{'|'.join(sorted(STATE, reverse=True)).replace('-', '[- ]')})",
    "WAITING": "(?P<rest>blocked|stuck|paused|waiting|postponed|on[- ]hold)",
    "TAIL": "(?P<tail>,.*| (because|since|as of|after) .*)?",
    "AUX": "(been |was |er |ist |est |está |đã |đang )?",
}
_IN_CAPITALS = re.compile("|".join(sorted(_WORDS, key=len, reverse=True)))
_GONE = re.compile(r"GONE\[(.*?)\]")  # GONE[sold|donated] REST

_FORMS = {
    "home": """
        NOT(lives?|living|resides?|based) (in|at|on) REST
        (moved|relocated)( from OLD)?( back)? to REST
        (settled( down)? in|moved into|rents) REST
        (THEIRS )?(home|address)( is|:)( now)?( in| at)? REST
        GONE[moved (away|out)] (from|of) REST
        (bor|wohnt|lebt|woont) NOWNO(i|in|på) REST
        (habite|vive|vit|abita) NOW(à|a|en|au|in) REST
        ((er|har) flyttet|har flyttat|flyttede|flyttade)( (fra|från) OLD)? till? REST
        (ist )?(von OLD )?nach SOME (um)?gezogen
        (is verhuisd|verhuisde) naar REST
        a déménagé( de OLD)? (à|en|au) REST
        se (mudó|ha mudado)( de OLD)? a REST
        (sống|đang sống|ở) (ở|tại) REST
        (đã )?chuyển (nhà )?(từ OLD )?(đến|tới|về|ra|vào|sang) REST
        SOME میں رہت(ا|ی|ے) ہ(ے|یں)
        (OLD سے )?SOME منتقل ہو (گیا|گئی|گئے|چکا|چکی)( ہے| ہیں)?
        SOME(မှာ|တွင်) ?နေ(ထိုင်)?(တယ်|သည်|ပါတယ်)
        (OLD(က|ကနေ|မှ) )?SOME(ကို|သို့) ?ပြောင်း(ရွှေ့)?(သွား|ခဲ့)?(ပြီ|တယ်|သည်)
        """,
    "work": """
        NOT(works?|working|employed)( as [^,]+?)? (at|for|by) REST
        (took|got|accepted|started|has) (a|her|his|their) new job (at|with) REST
        (changed|switched) jobs?( from OLD)? to REST
        left OLD for REST
        joined SOME as .+
        (been |was |got )?hired (by|at) REST
        GONE[quit|left( (her|his|their) job at)?] REST
        GONE[resigned|retired|(been |was )?(fired|laid off)] (from|by) REST
        (arbejder|arbeitet|jobbar|jobber|werkt) NOWNO(hos|for|för|bei|bij|på) REST
        (er begyndt|har fået (nyt )?job) hos REST
        (ist|hat) (von OLD )?zu SOME gewechselt
        (travaille|trabaja|lavora) NOW(chez|pour|en|para|per) REST
        (đang )?làm (việc )?(ở|tại|cho) REST
        SOME میں کام کرت(ا|ی|ے) ہ(ے|یں)
        SOME(မှာ|တွင်) ?အလုပ် ?လုပ်(တယ်|သည်|ပါတယ်|နေတယ်)
        """,
    "version": """
        (at |on |runs |running |kører |læuft auf )*PROGRAM WHOLE
        (at|on|runs|running|på|auf) NUMBER
        ((the|its) )?((current|latest) )?PROGRAM( is|:)( now)? WHOLE
        version WHOLE (is out|is live|was released|has shipped)
        released (PROGRAM )?NUMBER
        PROGRAM (bumped|raised|upgraded) to WHOLE
        AUX(upgraded|updated|bumped|opgraderet)( (from|fra) FIGURES)? (to|til) (PROGRAM )?NUMBER
        (von FIGURES )?auf NUMBER aktualisiert
        """,
    "status": """
        status( is|:)( now)? STATE
        (status |AUX)(changed|set|marked) (to|as) STATE
        AUXSTATE( again)?TAIL
        AUXWAITING (until|till|for|on|by) .*
        """,
    "uses": """
        NOT(uses?|using) REST
        (keeps?|takes?|writes?) THEIRS SCOPE (in|with|on) REST
        (writes|logs|saves|sends|exports|deploys) to REST
        (runs|hosted|written|built) (on|in|with) REST
        AUX(switched|changed|migrated|moved|ported)( from OLD)? (over )?to REST
        AUXreplaced OLD (with|by) REST
        GONE[gave up|dropped(?! off| by| in)|ditched|abandoned|moved off|moved away from] REST
        (bruger|benutzt|nutzt|verwendet|gebruikt|utilise|usa|utiliza|dùng|sử dụng) NOWNOREST
        (er skiftet|skiftede|har skiftet|har bytt) (fra|från) OLD till? REST
        (ist|hat) von OLD (auf|zu) SOME (umgestiegen|gewechselt)
        est passée? de OLD à REST
        (pasó|cambió|ha pasado|ha cambiado) de OLD a REST
        (đã )?(chuyển|đổi) từ OLD sang REST
        """,
    "prefers": """
        NOTprefers? REST
        likes SOME (best|(more|better) than FORMER)
        (foretrækker|föredrar) NOWSOME( (frem for|framför) FORMER)?
        bevorzugt NOWSOME( gegenüber FORMER)?
        préfère NOWSOME( à FORMER)?
        prefiere NOWSOME( (a|antes que) FORMER)?
        thích SOME hơn FORMER
        SOME کو OLD پر ترجیح دیت(ا|ی|ے) ہ(ے|یں)
        OLDထက် ?SOME(ကို) ?ပို ?ကြိုက်(တယ်|သည်)
        """,
    "owns": """
        NOTowns? REST
        (has|bought) (?P<rest>an? .+)
        GONE[sold|gave away|got rid of|donated|scrapped] REST
        GONE[gave] (?P<rest>THEIRS .+?) (away|to .+)
        (traded|swapped|exchanged) OLD for REST
        (ejer|besitzt|possède|posee) NOWNOREST
        GONE[har solgt|har sålt|a vendu|vendió|ha vendido] REST
        GONE[hat] SOME verkauft
        """,
}


def _pattern(form: str) -> str:
    form = _GONE.sub(r"(?P<no>\1)", form)
    form = _IN_CAPITALS.sub(lambda word: _WORDS[word[0]], form)
    return re.sub(r"(?<!\\)\((?!\?)", "(?:", form)


FORMS = tuple(
    (slot, _pattern(form.strip()))
    for slot, forms in _FORMS.items()
    for form in forms.strip().splitlines()
)
"""Slot and pattern, in the order in which they are tried."""

_CUES = """
    liv(?:es?|ing) |resid|based |moved |relocat|settled |rents |home|address|bor |wohnt|lebt|woont
    habite|viv?[et] |abita|flytte|flyttat|gezogen|verhuis|déménagé|mudó|mudado|sống |ở |chuyển
    رہت|منتقل|နေ|ပြောင်း|works? |working |employed |jobs? |joined |hired |quit |fired |laid off
    resigned|retired|left |arbe[ij]|jobb|werkt|hos |gewechselt|travail|trabaj|lavora|làm |کام|အလုပ်
    version|release|firmware|software|[0-9]\\.[0-9]|v[0-9]|status
    us(?:es?|ing) |keeps? |takes? |writes? |logs |saves |sends |exports |deploys |runs |hosted
    written |built |switched|changed|migrated|ported|replaced|gave |dropped |ditched|abandoned
    bruger|nutzt|verwendet|gebruikt|utili[sz]|usa |dùng |sử dụng|skifte|bytt |umgestiegen|passée?
    pas(?:ó|ado) |cambi|đổi |prefer|likes |foretræk|föredrar|bevorzugt|préfère|prefiere|thích
    ترجیح|ကြိုက်|owns? |has an? |bought |sold |got rid|donated|scrapped|traded|swapped|exchanged
    ejer|besitzt|possède|posee|solgt|sålt|vendu|vendi|verkauft
    """
CUES = "(?i)" + "|".join(
    [
        *(line.lstrip() for line in _CUES.strip().splitlines()),
        *(word.replace("-", "[- ]") for word in STATE),
    ]
)
"""What every text with a claim matches, in the syntax of RE2: most texts make none."""
