"""Detects texts that mention a credential by name. The `masking` module detects the credentials themselves."""

from __future__ import annotations

import re
from functools import cache

_IS = r"(?:\s+(?:is|was|are|ist|war|lautet|est|es|era|è|é)\b|'s\b|\s*[:=])"
_MINE = r"(?:my|our|meine?n?|unsere?n?|mon|notre|mi|nuestr[oa]|mi[oa]|nostr[oa]|meu|minha|noss[oa]|mijn|onze?)"
_STATE = (
    r"(?:broken|slow|down|failing|not|too|so|now|still|done|handled|working|ready|required|optional|based|secured)\b"
)

# These words always name a credential …
_NAMES = (
    r"passwords?|pass(?:phrase|code)s?|(?:pass|kenn)w(?:ort|örtern?)|mots? de passe|contraseñas?|senhas?"
    r"|palavras?-passe|wachtwoord(?:en)?|api[\s_-]?(?:keys?|token)|(?:secret|private) keys?|seed phrases?"
    r"|access token|(?:wi-?fi|wlan|network) key|wlan-?schlüssel"
    r"|netzwerkschlüssel|credentials?|zugangsdaten|identifiants|credenciales|credenziali|credenciais|inloggegevens"
    r"|log-?in (?:data|details|name)|cvv2?|cvc2?",
    r"pin[\s-]?(?:codes?(?! review)|numbers?|nummern?)|code pin|codice pin|código pin|geheimzahl|one[\s-]time code"
    r"|(?:2fa|mfa|verification|recovery|unlock) codes?",
    r"ssn|social security number|sozialversicherungsnummer|numéro de sécurité sociale|burgerservicenummer"
    r"|número de (?:la )?seguridad social",
    r"(?:door|alarm|entry|entrance|gate|garage|keypad|locker|vault|access) (?:codes?|combinations?)"
    r"|(?:safe|lock|padlock)(?:'s)? combinations?|combination (?:of|to|for) (?:the|my|our) (?:safe|lock|padlock|vault)",
    r"(?:haus)?tür-?code|alarm-?code|zugangs-?code|(?:safe|tresor)-?(?:code|kombination)|zahlenkombination",
    r"codes? (?:de (?:la )?(?:porte|entrée)|d'(?:entrée|accès)|de l'(?:alarme|immeuble)|du (?:portail|coffre)|secret"
    r"|confidentiel)|digicode|combinaison du (?:coffre|cadenas)",
    r"código (?:de (?:la )?(?:puerta|alarma|entrada|caja fuerte)|de acceso|del portal|secreto)"
    r"|combinación de(?: la|l) (?:caja|cofre|candado)|clave (?:de (?:acceso|la tarjeta|la puerta)|del (?:wifi|banco))",
    r"codice (?:della (?:porta|cassaforte)|d'accesso|di accesso|dell'allarme|del cancello|segreto)"
    r"|combinazione del(?:la cassaforte| lucchetto)",
    r"código (?:da porta|de acesso|do (?:alarme|portão|cofre))|combinação do (?:cofre|cadeado)",
    r"(?:deur|toegangs|kluis)code|code van (?:de|het) (?:deur|alarm|kluis|poort)",
)
# … and these only beside a value: a pin, a token or a login can be something else.
_BESIDE = (
    rf"{_MINE} (?:\w+ ){{0,2}}pin{_IS}",
    rf"pin(?:{_IS})?\W{{1,3}}\d{{3,8}}(?!\w)",
    r"\d{3,8} (?:is|ist|est|es|è|é) (?:\w+ ){1,3}pin",
    rf"token{_IS}\s*(?!{_STATE})\S+",
    rf"{_MINE} (?:\w+ )?log-?in{_IS}\s*(?!{_STATE})\S+",
    rf"safe code{_IS}",
    rf"{_MINE} clave{_IS}|clave{_IS}\s*\S*\d\S*",
)
_UPPER = r"(?-i:TAN|OTP)\b\W{0,3}(?:\w+\W{1,3}){0,2}\d{4,8}(?!\w)"
_CLOSED = "密码|口令|验证码|パスワード|パスコード|暗証番号"
_HINTS = (
    "pass", "kenn", "contrase", "senha", "wacht", "key", "schlüssel", "token", "seed", "credenc", "credent", "credenz",
    "zugang", "identifiants", "inlog", "log", "cvv", "cvc", "pin", "geheim", "code", "ssn", "social", "sozial",
    "sécurité", "seguridad", "burger", "combina", "kombina", "código", "codice", "clave", "tan", "otp",
    *_CLOSED.split("|"),
)  # fmt: skip


def names_credential(text: str) -> bool:
    """Returns True if a text names a password, a PIN, a key or an access code; "pin this" and "use tokens" do not."""
    folded = text.casefold()
    return any(map(folded.__contains__, _HINTS)) and _form().search(text) is not None


@cache
def _form() -> re.Pattern[str]:
    """Compiled when it is first needed: it takes as long as the import of ten modules."""
    return re.compile(rf"\b(?:{'|'.join((*_NAMES, *_BESIDE, _UPPER))})(?!\w)|{_CLOSED}".replace(" ", r"\s{1,3}"), re.I)
