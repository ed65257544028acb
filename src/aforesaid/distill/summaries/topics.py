"""Extracts the topics of a conversation: the words that recur across its messages. A secret is never a topic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import regex

from aforesaid.models.message import Utterance
from aforesaid.text.analyzer import index_terms
from aforesaid.text.identifiers import identifiers
from aforesaid.text.masking import mask_secrets
from aforesaid.text.normalize import fold, normalize, script_runs
from aforesaid.text.sentences import speaker_sentences
from aforesaid.text.stopwords import STOPWORDS

MOST_TOPICS = 5
LONGEST_TOPIC = 40  # characters
LEAST_LETTERS = 4  # of a common word; shorter words are mostly grammar
NGRAM_SIZES = (4, 3, 2)  # characters of an n-gram in a script without spaces, the longest first
NAME_WEIGHT = 2.0  # weight of a name, relative to a common word

_MASKED = regex.compile(r"\[masked: [a-z ]++\]")
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’-]*+")


def topics(utterances: Sequence[Utterance], most: int = MOST_TOPICS) -> tuple[str, ...]:
    """At most `most` topics in their most frequent spelling, the heaviest first."""
    weights: defaultdict[str, float] = defaultdict(float)
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    places: set[tuple[str, int]] = set()
    for sentence in speaker_sentences(utterances):
        for key, spelling, weight in _words(_MASKED.sub(" ", mask_secrets(sentence.text))):
            spellings[key][spelling] += 1
            weights[key] += weight * (1.0 if (key, sentence.place) not in places else 0.3)
            places.add((key, sentence.place))
    spread = Counter(key for key, _ in places)
    repeated = {key: weight for key, weight in weights.items() if spread[key] > 1 or weight > 1} or weights
    ranked = sorted(repeated, key=lambda key: (-repeated[key] * spread[key] ** 0.5, key))
    return _distinct([spellings[key].most_common(1)[0][0] for key in ranked[: 4 * most]], most)


def _words(sentence: str) -> Iterator[tuple[str, str, float]]:
    """Each word that may be a topic: its key, its spelling, its weight."""
    for number, (dense, token) in enumerate(script_runs(normalize(sentence))):
        if dense:
            yield from _ngrams(dense)
            continue
        for match in _WORD.finditer(token[: 4 * LONGEST_TOPIC]):
            word = match[0].strip("._'’-").removesuffix("'s").removesuffix("’s")
            weight = _weight(word, opening=number == 0)
            terms = index_terms(word) if weight else ()
            if terms:
                yield terms[-1], word[:LONGEST_TOPIC], weight


def _weight(word: str, *, opening: bool) -> float:
    if fold(word) in CHAT_STOPWORDS or word.isdigit():
        return 0.0
    if identifiers(word) or (len(word) > 1 and word[0].isupper() and not opening):
        return NAME_WEIGHT
    return 1.0 if len(word) >= LEAST_LETTERS and not word[0].isdigit() else 0.0


def _ngrams(run: str) -> Iterator[tuple[str, str, float]]:
    for size in NGRAM_SIZES:
        for begin in range(len(run) - size + 1):
            ngram = run[begin : begin + size]
            yield ngram, ngram, size / 4


def _distinct(words: Sequence[str], most: int) -> tuple[str, ...]:
    """The words of which none contains another."""
    chosen: list[str] = []
    for word in words:
        folded = fold(word)
        if not any(folded in fold(other) or fold(other) in folded for other in chosen):
            chosen.append(word)
    return tuple(chosen[:most])


# Stop words of conversations in seven languages, in addition to those of the index.
_CHAT_WORDS = """
absolutely actually always amazing anything awesome back best better bye came come congrats cool definitely didn
everything feel fine first gets getting give glad goes going gonna good gotta great guess haha happy hear hello help
hey hi hmm hope idea keep kind know last least less like little lol long look looking lots love made make makes maybe
mean mind need never next nice nope okay part people perfect please pretty right said says seems since someone
something soon sorry sound sounds stuff super sure take talk tell thank thanks thing things think thought time today
together told tomorrow totally tried truly trying used using want wanted week welcome well went wonderful work working
wow yeah year years yep yes yesterday

aber alle alles auch beim bitte danke dann dass dein deine denn diese dieser dieses doch dort durch eine einem einen
einer eines etwas ganz gerade gibt habe haben hast hatte heute hier immer jetzt kann kannst kein keine können könnte
mache machen mehr mein meine mich muss nach nicht nichts noch oder ohne schon sehr sein seine sich sind soll sollte
unser viel viele vielleicht waren warum weil wenn werden wie wieder wird wirklich wurde zwischen über

alors aussi autre avec avez avoir beaucoup bien bonjour cela celui cette chez comme comment dans depuis donc elle
elles encore entre est faire fait faut ici leur leurs mais merci moins même nous parce pas pendant peut plus pour
pourquoi quand quel quelle quelque quelques sans sera ses son sont sous suis sur tous tout toute toutes trop très une
votre vous être

ahora algo alguna antes aquí aunque bueno cada casi como con cuando desde donde ella ellos entonces eres esta este
esto estos estoy están gracias hace hacer hacia hasta hola mejor menos mientras mismo mucha mucho muchos muy nada
nosotros nuestra nuestro nunca otra otro para pero poco porque puede puedo pues quiero quién sería siempre sino sobre
solo somos soy también tengo tiene tienes toda todo todos unas unos usted vamos

anche ancora avere bene casa ciao cosa così dalla dalle della delle dello dopo dove essere fare fatto forse grazie
hanno loro mentre molto nella nelle niente noi nostro ogni oppure perché più poi possiamo posso prima proprio qualche
quando quanto quella quello questa queste questi questo sarà sempre senza sono sopra sotto stato stesso sulla tanto
tutti tutto una vorrei

agora ainda algum alguma assim até bem coisa com dela dele depois dessa desse deve ela eles então essa esse estou
estão eu fazer foi isso isto mas mesmo meu minha muita muito nossa nosso nós obrigado onde outra outro pela pelo pode
pouco quem quero sem ser seu seus sua também tem tenho ter tudo uma umas vai você vocês

alleen altijd andere beetje bent daar dank deze doen door dus echt een eens eigenlijk ergens geen geven goed graag
haar heb hebben heeft heel hele hoe iets jouw jullie kan kunnen maar maken meer meest mijn misschien moet moeten naar
niet niets nog omdat onder onze ook sinds tegen toch toen tussen uit van veel voor waar waarom wanneer wat weer wel
welke werd wil worden wordt zal zeer zelf zich zijn zonder zou
"""
CHAT_STOPWORDS = STOPWORDS | {fold(word) for word in _CHAT_WORDS.split()}
CHAT_STOPWORD_TERMS = frozenset(term for word in CHAT_STOPWORDS for term in index_terms(word))
