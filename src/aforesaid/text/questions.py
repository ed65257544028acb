"""Question analysis: which grammatical persons a text uses, and how much of it is questions.

Words that mean both persons in some language are left out."""

from __future__ import annotations

import regex

from aforesaid.text.sentences import rough_sentences

_FIRST = """
i my mine myself we our us ich mich mir mein meine meinen meiner meinem wir unser unsere
j'ai je mon mes moi nous notre nos yo mío mía mis nosotros nuestro nuestra io mio mia miei mie noi nostro nostra
eu meu minha meus minhas nós nosso nossa ik mijn mij wij ons onze
"""
_SECOND = """
you your yours du dich dir dein deine deinen ihnen euch vous votre vos toi tes usted ustedes
tuo tua tuoi tue voi vostro você vocês seu sua jij jou jouw jullie
"""
_POLITE = regex.compile(
    r"""
    \b(?:can|could|would|will)\s+you\b(?!') | \bdo\s+you\s+(?:have|think|know|mind)\b
    | \bthank\s+you\b
    | \b(?:kannst|könntest|würdest)\s+du\b | \b(?:können|könnten|würden)\s+sie\b
    | \b(?:peux|pourrais|veux)-tu\b | \b(?:pouvez|pourriez|voulez)-vous\b
    | \b(?:puede|podría)\s+usted\b | \bvocê\s+(?:pode|poderia)\b | \b(?:kun|kunt|zou)\s+(?:je|jij|u)\b
    """,
    regex.VERBOSE,
)
_ADVICE = regex.compile(
    r"""
    \b(?:should|can|could|must|shall)\s+(?:i|we)\b | \bdo\s+(?:i|we)\s+(?:need|have)\s+to\b
    | \bhow\s+(?:do|would|might)\s+(?:i|we)\b
    | \b(?:soll|sollte|kann|könnte|muss)\s+ich\b | \b(?:sollen|sollten|können|könnten|müssen)\s+wir\b
    | \b(?:dois|devrais|puis|pourrais)-je\b | \b(?:devons|devrions|pouvons|pourrions)-nous\b
    | \b(?:debo|debería|debemos|puedo|podemos|devo|dovrei|dobbiamo|posso|possiamo|devemos)\b
    | \b(?:moet|kan|zal|mag)\s+ik\b | \b(?:moeten|kunnen|zullen|mogen)\s+(?:we|wij)\b
    """,
    regex.VERBOSE,
)
_AMOUNT = regex.compile(r"\bhow\s+(?:much|many)\b")
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’]\p{L}+)?")
FIRST, SECOND = frozenset(_FIRST.split()), frozenset(_SECOND.split())


def grammatical_persons(text: str) -> tuple[bool, bool]:
    """Two flags: a text uses the first person, and the second, apart from polite requests ("can you suggest…")."""
    lowered = text.lower().replace("’", "'")
    return not FIRST.isdisjoint(_words(lowered)), not SECOND.isdisjoint(_words(_POLITE.sub(" ", lowered)))


def asks_for_advice(text: str) -> bool:
    """Returns True for "what should I buy?" and "how do we get there?", not for "how much can we spend?"."""
    lowered = text.lower()
    return _ADVICE.search(lowered) is not None and _AMOUNT.search(lowered) is None


def _words(text: str) -> set[str]:
    """The words of a text, and the part of each before an apostrophe."""
    whole = _WORD.findall(text)
    return {*whole, *(word.partition("'")[0] for word in whole)}


_ASKS = ("?", "？", "؟")
MAX_CHARACTERS = 2_000  # characters of a message that are read


def question_share(text: str) -> float:
    """The share of a text, by length, that is in questions."""
    head = text[:MAX_CHARACTERS]
    if "?" not in head and "？" not in head and "؟" not in head:  # a loop takes ten times as long
        return 0.0
    sentences = rough_sentences(head)
    questions = sum(len(sentence) for sentence in sentences if sentence.endswith(_ASKS))
    return questions / max(1, sum(map(len, sentences)))
