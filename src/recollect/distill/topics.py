"""What a conversation is about, in a few of its own words: those that come back in message after message.

Names and identifiers weigh more than common words. Of scripts without spaces the stretches count that are repeated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import regex

from recollect.distill.sayings import sayings
from recollect.records import Utterance
from recollect.text.identifiers import identifiers
from recollect.text.scripts import fold, normal, runs
from recollect.text.stopwords import STOPWORDS
from recollect.text.terms import index_terms

MOST = 5
LONGEST = 40  # characters of a topic
LEAST_LETTERS = 4  # of a common word; shorter ones are mostly grammar, in any language that has spaces
STRETCHES = (4, 3, 2)  # characters of a repeated stretch of a script without spaces, the longest first
NAME = 2.0  # how much more a name weighs than a common word

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’-]*+")
_COMMON = """
about actually again also always anything back because been before best better both came come could didn does doing done
down each else even ever every everything feel fine first from gets getting give goes going good gonna gotta great
happy have hear hello help here hope idea into just keep kind know last least less like little long look looking lots
love made make makes many maybe mean might mind more most much must need never next nice okay once only other over part
people perfect please pretty quite really right said same says seems should since some someone something soon sorry sound
sounds still stuff such super sure take talk tell thank thanks that then there these they thing things think this those
though thought through time today together told tomorrow totally tried truly trying under until used using very want
wanted week well went were what when where which while will with without work working would yeah year years yesterday
your yours awesome amazing cool wonderful definitely absolutely glad guess

aber alle alles also auch beim bitte dann danke dass dein deine denn diese dieser dieses doch dort durch eine einem einen
einer eines etwas ganz gerade gibt habe haben hast hatte heute hier immer jetzt kann kannst kein keine können könnte
mache machen mehr mein meine mich mehr muss nach nicht nichts noch oder ohne schon sehr sein seine sich sind soll
sollte über unser viel viele vielleicht waren warum weil wenn werden wie wieder wird wirklich wurde würde zwischen

alors aussi autre avec avez avoir beaucoup bien bonjour cela celui cette chez comme comment dans depuis donc elle elles
encore entre est être faire fait faut ici leur leurs mais même merci moins nous parce pas pendant peut plus pour pourquoi
quand quel quelle quelque quelques sans sera ses son sont sous suis sur tous tout toute toutes très trop une votre vous

ahora algo alguna antes aquí aunque bien bueno cada casi como cómo con cuando cuándo desde donde dónde ella ellos entonces
entre eres esta está están este esto estos estoy gracias hace hacer hacia hasta hola mejor menos mientras mismo mucha
mucho muchos muy nada nosotros nuestra nuestro nunca otra otro para pero poco porque puede puedo pues quién quiero
sería siempre sino sobre solo sólo somos soy también tengo tiene tienes toda todo todos unas unos usted vamos

anche ancora avere bene casa ciao come cosa così dalla dalle della delle dello dopo dove essere fare fatto forse grazie
hanno loro mentre molto nella nelle niente noi nostro ogni oppure perché più poco poi possiamo posso prima proprio qualche
quando quanto quella quello questa queste questi questo sarà sempre senza sono sopra sotto stato stesso sulla tanto tutti
tutto una vorrei

agora ainda algum alguma aqui assim até bem cada coisa com como dela dele depois dessa desse deve ela eles então entre
essa esse esta está estão este estou eu fazer foi isso isto mais mas mesmo meu minha muito muita nada nós nossa nosso
obrigado onde outra outro para pelo pela pode porque posso pouco quando quem quero sem sempre ser seu seus sobre sua
também tem tenho ter toda todo todos tudo uma umas vai você vocês

alleen alles altijd andere beetje bent daar dank deze doen door dus echt een eens eigenlijk ergens geen geven goed graag
haar heb hebben heeft heel hele hier hoe iets jouw jullie kan kunnen maar maken meer meest mijn misschien moet moeten naar
niet niets nog omdat onder onze ook over sinds tegen toch toen tussen uit van veel voor waar waarom wanneer want waren
wat weer wel welke werd wil worden wordt zal zeer zelf zich zijn zonder zou
"""
COMMON = STOPWORDS | {fold(word) for word in _COMMON.split()}


def topics(utterances: Sequence[Utterance], most: int = MOST) -> tuple[str, ...]:
    """At most so many, the weightiest first, as they were written most often. None where nothing tells it apart."""
    weights: Counter[str] = Counter()
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    heard: set[tuple[str, int]] = set()
    for one in sayings(utterances):
        for key, form, weight in _words(one.text):
            written[key][form] += 1
            weights[key] += weight * (1.0 if (key, one.place) not in heard else 0.3)
            heard.add((key, one.place))
    spread = Counter(key for key, _ in heard)
    repeated = {key: weight for key, weight in weights.items() if spread[key] > 1 or weight > 1} or weights
    ranked = sorted(repeated, key=lambda key: (-repeated[key] * spread[key] ** 0.5, key))
    return _apart([written[key].most_common(1)[0][0] for key in ranked[: 4 * most]], most)


def _words(sentence: str) -> Iterator[tuple[str, str, float]]:
    """Each word that may be a topic: what it counts as, how it is written, what it weighs."""
    for number, (dense, token) in enumerate(runs(normal(sentence))):
        if dense:
            yield from _stretches(dense)
            continue
        for match in _WORD.finditer(token[: 4 * LONGEST]):
            word = match[0].strip("._'’-").removesuffix("'s").removesuffix("’s")
            weight = _weight(word, opening=number == 0)
            terms = index_terms(word) if weight else ()
            if terms:
                yield terms[-1], word[:LONGEST], weight


def _weight(word: str, *, opening: bool) -> float:
    if fold(word) in COMMON or word.isdigit():
        return 0.0
    if identifiers(word) or (len(word) > 1 and word[0].isupper() and not opening):
        return NAME
    return 1.0 if len(word) >= LEAST_LETTERS and not word[0].isdigit() else 0.0


def _stretches(run: str) -> Iterator[tuple[str, str, float]]:
    for size in STRETCHES:
        for begin in range(len(run) - size + 1):
            stretch = run[begin : begin + size]
            yield stretch, stretch, size / 4


def _apart(words: Sequence[str], most: int) -> tuple[str, ...]:
    """Without those that another one contains, or is contained in."""
    kept: list[str] = []
    for word in words:
        folded = fold(word)
        if not any(folded in fold(other) or fold(other) in folded for other in kept):
            kept.append(word)
    return tuple(kept[:most])
