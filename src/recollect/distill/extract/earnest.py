"""Whether words stand in their author's own voice, and are said in earnest: asked, supposed or denied, they prove
nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import regex

from recollect.distill.extract.claims import spoken
from recollect.distill.extract.language import Language, finder
from recollect.distill.extract.languages import LANGUAGES
from recollect.distill.extract.prose import HIDDEN, Sentence, sentences, voice

OWN = 0.5  # the share of a quote's letters that its author says in their own voice, at least

Place = tuple[int, int]

# Words that, before a claim in its sentence, leave open whether it is so …
OPEN: Mapping[str, str] = {
    "en": r"if(?! (?:it|that|this) (?:helps|matters)| you (?:need|must|ask|care|want)| i (?:recall|remember))|unless"
    r"|suppose|supposing|assume|assuming|whether|hypothetically|in case|imagine|pretend|maybe|perhaps|possibly|might"
    r"|i wish|we wish|as if|as though|don't think|doubt|not sure|not true|thinking (?:of|about)|considering",
    "de": "wenn|falls|ob|vielleicht|eventuell|womöglich|möglicherweise|angenommen|angeblich|stell dir vor|glaube nicht",
    "fr": "si|s'il|s'ils|peut-être|éventuellement|supposons|imagine|imaginons|crois pas|pense pas",
    "es": "si|ojalá|quizás?|tal vez|a lo mejor|supongamos|imagina|no creo",
    "it": "se|magari|forse|supponiamo|immagina|non credo",
    "pt": "se(?! (?:chama|chamam|mudou|formou|casou|dedica|sente))|talvez|quem sabe|suponha|imagina"
    "|imagine|oxalá|tomara|não acho",
    "nl": "als (?:ik|we|wij|je|jij|het|er|iemand)|indien|misschien|wellicht|stel je voor|denk niet",
    "zh": "如果|要是|假如|假设|也许|可能|大概|是否",
    "ja": "もし|かもしれ|たぶん|多分|仮に|れば|なら",
}
# … and words that, in its clause, say that it is not so.
DENIED: Mapping[str, str] = {
    "en": r"not|no|never|neither|nor|cannot|\w+n't|no longer",
    "de": r"nicht|kein\w*|nie|niemals|weder|ohne",
    "fr": r"ne|n'\w+|pas|jamais|aucune?|sans",
    "es": "no|nunca|jamás|tampoco|ningún|ninguna?|sin",
    "it": "non|mai|nessun[oa]?|senza",
    "pt": "não|nunca|jamais|nenhuma?|sem",
    "nl": "niet|geen|nooit|zonder",
    "zh": "不|没|别|未|非",
    "ja": "ない|ません|なかった|ず",
}
_AGAINST = (  # other words by which a note says that something is not so
    r"none|without|dislik\w*|avoid\w*|hat(?:e[sd]?|ing)|allerg\w*|intoleran\w*|unable|refus\w*|lack\w*|against|former\w*"
    r"|stop\w*|quit\w*|instead|opposed|declin\w*|reject\w*|left|drop\w*|exclud\w*|forb\w*|prohibit\w*|ban\w*|free"
)
_LETTER = re.compile(r"\w")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_HAN = regex.compile(r"\p{Han}")
_PAUSE = regex.compile(r"[,;:(–—，、；：]\s*")
_SAID = (".", "!", "。", "！")


def own(text: str, place: Place) -> bool:
    """Whether the author says it themselves: not in code, a quotation, a list, a paste or what recollect injected."""
    heard = voice(text)[slice(*place)].replace(HIDDEN, "")
    return len(_LETTER.findall(heard)) >= OWN * len(_LETTER.findall(text[slice(*place)]))


def language_of(text: str) -> Language:
    """The likeliest language of a text."""
    dense = "ja" if _KANA.search(text) else "zh" if _HAN.search(text) else None
    return spoken(text)[0] if dense is None else next(each for each in LANGUAGES if each.code == dense)


def stated(text: str) -> list[Sentence]:
    """The sentences that their author says in earnest: no question, and nothing behind words that make it another's
    text; none of a message that takes itself back."""
    heard = voice(text)
    language = language_of(heard)
    if finder(language, language.irony, heard).search(heard):
        return []
    kept: list[Sentence] = []
    for sentence in sentences(heard):
        frame = finder(language, language.frame, sentence.text).search(sentence.text)
        told = sentence.text if frame is None else sentence.text[: frame.start()]
        if told.strip() and not _asks(language, sentence):
            kept.append(Sentence(told, sentence.start))
        if frame is not None and ":" in sentence.text[frame.start() :]:
            break
    return kept


def meeting(found: Sequence[Sentence], place: Place) -> list[Sentence]:
    """Those of the sentences that a quote stands in."""
    return [one for one in found if one.start < place[1] and place[0] < one.start + len(one.text)]


def agrees(note: str, sentence: Sentence, place: int) -> bool:
    """Whether a note leaves open what the sentence leaves open at that place, and denies what it denies there."""
    language = language_of(sentence.text)
    at = max(0, place - sentence.start)
    before, clause = sentence.text[:at], _clause(language, sentence.text, at)
    if _has(language, OPEN, before) and not (_has(language, OPEN, note) or _has(LANGUAGES[0], OPEN, note)):
        return False
    if not _has(language, DENIED, clause):
        return True
    english = LANGUAGES[0]
    return any(
        finder(each, pattern, note).search(note) is not None
        for each, pattern in ((language, DENIED[language.code]), (english, DENIED["en"]), (english, _AGAINST))
    )


def _has(language: Language, words: Mapping[str, str], text: str) -> bool:
    return finder(language, words[language.code], text).search(text) is not None


def _asks(language: Language, sentence: Sentence) -> bool:
    if sentence.asks:
        return True
    opens = finder(language, language.question, sentence.text).match(sentence.text)
    return opens is not None and not sentence.text.rstrip().endswith(_SAID)


def _clause(language: Language, text: str, at: int) -> str:
    """The words around a place, up to the next pauses and connectives."""
    forms = [_PAUSE, finder(language, language.connectives, text)]
    spans = [found.span() for form in forms for found in form.finditer(text)]
    start = max((stop for _, stop in spans if stop <= at), default=0)
    return text[start : min((begin for begin, _ in spans if begin >= at), default=len(text))]
