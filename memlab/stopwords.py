"""Function words of the languages that notes are searched in: what a question has beside its topic.

They are left in notes, so that a phrase of nothing else is found, and left out of questions that
have other words. Words are folded; Burmese ones are as ICU cuts them.
"""

from __future__ import annotations

_ENGLISH = """
    a about after again all also am an and any are as at be because been before being between both
    but by can could did do does doing done during each else ever every for from get got had has
    have having he her here hers him his how i if in into is it its itself just let like may me
    might mine more most much must my no nor not of off on once only or other our ours out over own
    please same shall she should so some such tell than that the their theirs them then there these
    they this those through to too under until up upon us very was we were what when where which
    while who whom whose why will with would yes yet you your yours don't didn't doesn't isn't
    wasn't what's who's it's i'm
"""
_DANISH = """
    af alle at blev blive bliver da de dem den denne der deres det dette dig din disse du efter
    eller en end er et fik for fra få får gør gøre ham han hans har havde have hende hendes her
    hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornår i ikke ind
    jeg kan kom kunne man med meget men mig min mit mod må nogen noget nogle nu når og også om
    op os over på sig sin sit skal skulle som så til ud under var ved vi vil ville vores være
    været
"""
_VIETNAMESE = """
    ai bao bị các cái cho chưa có của cùng cũng đã đang đâu đấy để đến đó được gì hay khi không là
    lại làm lúc mà mấy một này nào nên nếu nhiêu như nhưng những ở ra rằng rất sao sẽ tại thế thì
    trong từ và vẫn về vì việc với
"""
_URDU = """
    اس ان انہوں انھیں اور ایک اگر اب پر تک تھا تھی تھے تو جب جو جس جن جائے رہا رہی رہے سے کا کہ کی
    کیا کیوں کے کو کون کونسا کس کب کہاں کیسے کرنا کر کرتا کرتے کرتی کتنا کتنے کتنی گا گی گے گئی گیا
    گئے لیے میں نہیں نے وہ ہم ہو ہوا ہوئی ہوئے ہوں ہے ہیں ہی بھی یا یہ
"""
_BURMESE = """
    က ကို ကြ ကြောင့် ခဲ့ ချင် ဆို တယ် တဲ့ တာ တွင် တွေ ထဲ နဲ့ နှင့် နေ နိုင် ပါ ပဲ ပေး ပြီ ပြီး ဖြစ်
    ဘယ် ဘယ်လို ဘယ်သူ ဘယ်လောက် ဘာ ဘာ့ကြောင့် မ မည် မယ် မှ မှာ များ ရ ရဲ့ ရှိ လား လဲ လို့ လောက် သလဲ
    သလား သည် သူ သော အ ၏ ၌ ဒီ
"""

STOPWORDS = frozenset(f"{_ENGLISH}{_DANISH}{_VIETNAMESE}{_URDU}{_BURMESE}".split())
"""All of them together: a question need not say which language it is in."""
