"""Who a question speaks of: the one who asks, or the one who is asked. Words that mean both in some language are left
out."""

from __future__ import annotations

import regex

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
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’]\p{L}+)?")
FIRST, SECOND = frozenset(_FIRST.split()), frozenset(_SECOND.split())


def persons(text: str) -> tuple[bool, bool]:
    """Whether a text speaks in the first person, and whether it speaks of a second. To ask somebody politely ("can you
    suggest…") is not to speak of them."""
    lowered = text.lower().replace("’", "'")
    return not FIRST.isdisjoint(_words(lowered)), not SECOND.isdisjoint(_words(_POLITE.sub(" ", lowered)))


def _words(text: str) -> set[str]:
    """The words of a text, and what stands before an apostrophe in them."""
    whole = _WORD.findall(text)
    return {*whole, *(word.partition("'")[0] for word in whole)}
