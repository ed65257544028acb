"""Words that are in every talk and tell none apart: English, German, French, Spanish, Italian, Portuguese, Dutch.

Words of three letters and less are left out elsewhere. Of other languages nothing is known beyond what a talk repeats.
"""

from __future__ import annotations

from recollect.text.scripts import fold
from recollect.text.stopwords import STOPWORDS
from recollect.text.terms import index_terms

_WORDS = """
about absolutely actually again also always amazing anything awesome back because been before best better both bye
came come congrats cool could definitely didn does doing done down each else even ever every everything feel fine
first from gets getting give glad goes going gonna good gotta great guess haha happy have hear hello help here hey hi
hmm hope idea into just keep kind know last least less like little lol long look looking lots love made make makes
many maybe mean might mind more most much must need never next nice nope okay once only other over part people perfect
please pretty quite really right said same says seems should since some someone something soon sorry sound sounds
still stuff such super sure take talk tell thank thanks that then there these they thing things think this those
though thought through time today together told tomorrow totally tried truly trying under until used using very want
wanted week welcome well went were what when where which while will with without wonderful work working would wow yeah
year years yep yes yesterday your yours

aber alle alles also auch beim bitte danke dann dass dein deine denn diese dieser dieses doch dort durch eine einem
einen einer eines etwas ganz gerade gibt habe haben hast hatte heute hier immer jetzt kann kannst kein keine können
könnte mache machen mehr mein meine mich muss nach nicht nichts noch oder ohne schon sehr sein seine sich sind soll
sollte unser viel viele vielleicht waren warum weil wenn werden wie wieder wird wirklich wurde würde zwischen über

alors aussi autre avec avez avoir beaucoup bien bonjour cela celui cette chez comme comment dans depuis donc elle
elles encore entre est faire fait faut ici leur leurs mais merci moins même nous parce pas pendant peut plus pour
pourquoi quand quel quelle quelque quelques sans sera ses son sont sous suis sur tous tout toute toutes trop très une
votre vous être

ahora algo alguna antes aquí aunque bien bueno cada casi como con cuando cuándo cómo desde donde dónde ella ellos
entonces entre eres esta este esto estos estoy está están gracias hace hacer hacia hasta hola mejor menos mientras
mismo mucha mucho muchos muy nada nosotros nuestra nuestro nunca otra otro para pero poco porque puede puedo pues
quiero quién sería siempre sino sobre solo somos soy sólo también tengo tiene tienes toda todo todos unas unos usted
vamos

anche ancora avere bene casa ciao come cosa così dalla dalle della delle dello dopo dove essere fare fatto forse
grazie hanno loro mentre molto nella nelle niente noi nostro ogni oppure perché più poco poi possiamo posso prima
proprio qualche quando quanto quella quello questa queste questi questo sarà sempre senza sono sopra sotto stato
stesso sulla tanto tutti tutto una vorrei

agora ainda algum alguma aqui assim até bem cada coisa com como dela dele depois dessa desse deve ela eles entre então
essa esse esta este estou está estão eu fazer foi isso isto mais mas mesmo meu minha muita muito nada nossa nosso nós
obrigado onde outra outro para pela pelo pode porque posso pouco quando quem quero sem sempre ser seu seus sobre sua
também tem tenho ter toda todo todos tudo uma umas vai você vocês

alleen alles altijd andere beetje bent daar dank deze doen door dus echt een eens eigenlijk ergens geen geven goed
graag haar heb hebben heeft heel hele hier hoe iets jouw jullie kan kunnen maar maken meer meest mijn misschien moet
moeten naar niet niets nog omdat onder onze ook over sinds tegen toch toen tussen uit van veel voor waar waarom
wanneer want waren wat weer wel welke werd wil worden wordt zal zeer zelf zich zijn zonder zou
"""
COMMON = STOPWORDS | {fold(word) for word in _WORDS.split()}
COMMON_TERMS = frozenset(term for word in COMMON for term in index_terms(word))
