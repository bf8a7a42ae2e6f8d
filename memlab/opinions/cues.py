"""Words that turn a meaning round, by hand: negations, endings, preferences, antonyms.

English in breadth; Danish, Swedish, German, Dutch, French, Spanish, Vietnamese, Urdu and Burmese
where a word or two says it. All are folded as `memlab.tokens.words` folds.
"""

from __future__ import annotations

import functools
import re

from memlab.tokens import tokens

NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without cannot can't don't doesn't didn't isn't "
    "aren't wasn't weren't won't wouldn't shouldn't couldn't hasn't haven't hadn't hardly barely "
    "rarely seldom lacks lack absence unable fail fails failed "
    "ikke ingen intet aldrig uden inte aldrig utan nicht kein keine keinen keiner nie niemals ohne "
    "niet geen nooit zonder ne n'est n'a n'aime pas jamais sans nunca jamás sin tampoco "
    "không chưa chẳng đừng نہیں نہ مت کبھی".split()
)
"""What follows in the clause is denied."""

DISLIKES = frozenset(
    "hate hates hated dislike dislikes disliked avoid avoids avoided refuse refuses refused reject "
    "rejects rejected detest detests loathe loathes despise despises oppose opposes against "
    "opposed quit quits stop stops stopped drop drops dropped abandon abandons abandoned ditched "
    "forget ban bans banned abolish forbid forbids prohibit prohibits outlaw prevent prevents "
    "tired sick hader undgår afviser hatar undviker hasse hasst vermeidet hört haat vermijdt "
    "déteste évite odia evita ghét tránh نفرت".split()
)
"""What follows in the clause is disliked, ended or fought."""

# Each opens a scope as a negation does; longer ones first.
ENDINGS = re.compile(
    r"\b(?:no longer|not any ?more|used to|gave up|given up|gives up|can't stand|sick of|tired of"
    r"|changed (?:his|her|their|my) mind about|ikke længere|holdt op med|inte längre|nicht mehr"
    r"|niet meer|ne plus|ya no|dejó de|không còn|bỏ)\b"
)
OPPOSED = re.compile(
    r"\b(?:instead of|rather than|in place of|over|as opposed to|i stedet for|fremfor|frem for"
    r"|istället för|hellre än|anstatt|statt|in plaats van|au lieu de|plutôt que|en lugar de"
    r"|en vez de|thay vì|hơn là)\b"
)
"""What stands before is wanted, what follows is not."""
URDU_OPPOSED = "کے بجائے"
"""What stands before is not wanted, what follows is."""
FROM_TO = re.compile(
    r"\b(?:switch|move|change|migrate|convert|shift|skift|wechsel|pas|cambi|chuyển)\w*"
    r" (?:from|fra|från|von|van|de|từ) (?P<old>.+?) (?:to|til|till|zu|auf|naar|à|a|sang) "
)
BURMESE = re.compile(r"မ\S*?ဘူး|မဟုတ်|မ\S*?တော့")
"""A verb denied: the marks stand on both its sides, with no space between."""
PREFERENCE = re.compile(r"\bprefer\w*\b")
CONCESSION = re.compile(r"\bused to\b.*?\b(?:but now|now)\b")

# One holds at a time, so another place contradicts.
PLACES = {
    "home": re.compile(
        r"\b(?:lives?|living|resides?|based|moved|moves|relocated|bor|flyttede|wohnt|zog|habite|vive)"
        r" (?:in|at|to|near|i|til|nach|à|en) (?:the )?(\w+)"
    ),
    "work": re.compile(r"\b(?:works?|working|employed) (?:at|for) (?:the )?(\w+)"),
}

CLAUSE = re.compile(
    r"[.;!?\n။۔](?=\s|$)|[;!?။۔]"
    r"|,? (?:but|however|whereas|although|though|men|aber|maar|mais|pero|nhưng)\b"
    r"|لیکن|, (?=(?:and |og )?(?:now|he|she|they|it|i|we|you|han|hun|er|sie|il|elle)\b)"
)

_ANTONYMS = """
like hate, love hate, like dislike, love dislike, like avoid, prefer avoid, prefer hate, enjoy hate
enjoy dislike, want refuse, accept reject, accept refuse, agree disagree, approve disapprove
support oppose, allow ban, allow forbid, allow prohibit, permit ban, permit forbid, legal illegal
increase decrease, increase reduce, increases reduces, raise lower, raise reduce, rise fall
higher lower, high low, more less, more fewer, most least, greater smaller, greater lower, up down
upregulate downregulate, activate inhibit, promote inhibit, promote prevent, induce inhibit
induce suppress, enhance reduce, enhance impair, enhance inhibit, improve worsen, improve impair
positive negative, positively negatively, gain loss, gain lose, win lose, success failure
good bad, better worse, best worst, benefit harm, beneficial harmful, safe dangerous, safe unsafe
safe risky, healthy unhealthy, useful useless, effective ineffective, necessary unnecessary
possible impossible, able unable, true false, right wrong, correct incorrect, correct wrong
long short, longer shorter, concise verbose, brief long, brief detailed, concise detailed
concise long, short detailed, terse verbose, big small, large small, large little, tall short
fast slow, quick slow, faster slower, early late, earlier later, morning evening, day night
before after, start stop, start end, begin end, open closed, open close, on off, in out
enable disable, enabled disabled, include exclude, add remove, buy sell, arrive leave, come go
always never, often rarely, everyone nobody, all none, everything nothing, present absent
hot cold, warm cold, cool warm, wet dry, sunny rainy, light dark, bright dark, light heavy
loud quiet, noisy quiet, strong weak, hard soft, hard easy, difficult easy, simple complex
simple complicated, cheap expensive, rich poor, full empty, clean dirty, new old, young old
modern old, public private, formal informal, happy sad, happy unhappy, satisfied unhappy
friendly rude, calm angry, calm nervous, boring interesting, dull interesting, tired rested
awake asleep, sleep awake, alive dead, married single, married divorced, vegetarian meat
vegan meat, alone together, inside outside, indoors outdoors, indoor outdoor, near far
sit stand, sitting standing, lie stand, walk run, man woman, boy girl, male female, empty fill
remember forget, keep discard, keep drop, trust distrust, reliable unreliable, stable unstable
stable flaky, responsible irresponsible, patient impatient, interested uninterested
remote office, tabs spaces, front back, left right, top bottom, first last, tighten loosen
put take, push pull, lock unlock, wear remove, load unload, climb descend
elsker hader, kan afviser, kort lang, god dårlig, tidligt sent, stor lille
mag hasst, liebt hasst, gut schlecht, kurz lang, früh spät, groß klein
aime déteste, bon mauvais, court long, tôt tard, ama odia, bueno malo, corto largo
thích ghét, ngắn dài, tốt xấu, sớm muộn, مختصر طویل, اچھا برا
"""


def _stems(word: str) -> str:
    return next(token for token in tokens(word) if not token.startswith("·"))


@functools.cache
def antonyms() -> dict[str, frozenset[str]]:
    """Each stem with those of its antonyms."""
    table: dict[str, set[str]] = {}
    for pair in _ANTONYMS.replace("\n", ",").split(","):
        if pair.strip():
            one, other = (_stems(word) for word in pair.split())
            table.setdefault(one, set()).add(other)
            table.setdefault(other, set()).add(one)
    return {stem: frozenset(others - {stem}) for stem, others in table.items()}


STOP = frozenset(
    "a an the and or of to in on at by for with from as is are was were be been being am it its "
    "this that these those he she they we you i his her their our your my me him them who which "
    "what when where there here do does did done have has had will would shall should can could "
    "may might must than then so too very just also about into if because while during some any "
    "one only own s t re ll ve "
    "og i en et den det de er var at på til af med for som har jeg han hun der ist sind war und "
    "der die das ein eine ich er sie es mit auf zu le la les un une des du et est il elle je que "
    "el los las y en es se lo que một là và của cho các những được đã "
    "ہے ہیں اور کو کا کی کے سے میں پر".split()
)

ATTITUDES = frozenset(
    "like love enjoy prefer want need wish hope hate dislike avoid detest loathe despise adore "
    "think believe find feel say said consider regard value trust doubt expect agree disagree "
    "recommend approve favour favor favourite favorite reject refuse good bad best better worst "
    "worse fine great nice right wrong worth worthwhile useful useless okay ok well really very "
    "quite rather always never often rarely anymore more less most least still again even use "
    "stop start no not nor longer "
    "elsker hader foretrækker synes mener god godt dårlig bedst bedre ikke aldrig altid "
    "mag liebt hasst findet gut schlecht besser nicht nie immer aime déteste pense bon mauvais "
    "pas jamais toujours ama odia piensa bueno malo nunca siempre "
    "thích ghét nghĩ tốt xấu không rất پسند نفرت اچھا برا نہیں ကြိုက်".split()
)
"""Words that tell what somebody makes of a thing, and not which thing it is."""

GOOD = frozenset(
    "good better best benefit help improve protect right freedom free fair safe safety save "
    "effective success successful succeed useful value important importance essential necessary "
    "need needed provide promote encourage ensure allow enable strengthen solve solution reduce "
    "support gain advantage opportunity healthy health happy positive progress growth create "
    "educate education learn empower justice equal equality moral peace stability stable efficient "
    "deserve entitled legitimate reasonable proven works boost increase enhance wise cheaper "
    "respect dignity democratic choice secure security duty guarantee love like enjoy great".split()
)
BAD = frozenset(
    "bad worse worst harm harmful hurt damage danger dangerous risk risky threat threaten violate "
    "violation cost costly expensive waste fail failure problem abuse abusive unfair unjust unsafe "
    "wrong immoral unethical crime criminal kill death die suffer suffering pain poverty poor "
    "discriminate discrimination racist inequality undermine destroy weaken prevent limit restrict "
    "lose loss lack ineffective useless unnecessary impossible impractical unrealistic difficult "
    "corrupt corruption exploit exploitation violence violent war conflict fear stigma negative "
    "burden force coerce infringe invade undemocratic oppressive oppress addiction addictive cruel "
    "backfire counterproductive deter discourage distort disrupt flawed unreliable inaccurate "
    "false mistake illegal unconstitutional tyranny hate unhealthy disease obesity pollute".split()
)


@functools.cache
def feelings() -> dict[str, int]:
    """Each stem of a word that praises (1) or blames (-1)."""
    return {
        **{_stems(word): 1 for word in sorted(GOOD)},
        **{_stems(word): -1 for word in sorted(BAD)},
    }
