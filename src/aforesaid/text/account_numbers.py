"""Finds card numbers and IBANs by their format and their check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BEGIN = r"(?:(?<![A-Za-z0-9_.+])|(?<=\\[nrt]))"
_END = r"(?![A-Za-z0-9_]|\.[0-9])"
_CARD = re.compile(
    _BEGIN + r"(?:[0-9]{14,16}|[0-9]{4}([ \u00a0-])[0-9]{4}\1[0-9]{4}\1[0-9]{4}"
    r"|3[0-9]{3}([ \u00a0-])[0-9]{6}\2[0-9]{4,5})" + _END
)
_DIGITS = re.compile("[0-9]{4}")  # a quick check: every card number has four digits in a row
_ISSUERS = (  # first digits and length of the numbers of each issuer
    (re.compile(r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6(?:011|4[4-9]|5|2)|35(?:2[89]|[3-8])"), 16),
    (re.compile(r"3[47]"), 15),
    (re.compile(r"3(?:0[0-5]|[68])"), 14),
)

_IBAN = re.compile(r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))[A-Z]{2}[0-9]{2}(?=[ \u00a0]?[A-Z0-9]{4})")
_COUNTRY = re.compile("[A-Z]{2}[0-9]{2}")  # a quick check: how every IBAN starts
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FI FO GL NL", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV", 22: "BG BH CR DE GB GE IE ME RS", 23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV", 29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip


def find_card_numbers(text: str) -> Iterator[tuple[int, int]]:
    """The spans of card numbers of known issuers, with or without separators, whose check digit is valid."""
    for match in _CARD.finditer(text) if _DIGITS.search(text) else ():
        digits = re.sub("[^0-9]", "", match[0])
        if luhn(digits) and any(len(digits) == length and form.match(digits) for form, length in _ISSUERS):
            yield match.span()


def find_ibans(text: str) -> Iterator[tuple[int, int]]:
    """The spans of IBANs with the length of their country, with or without spaces, whose check digits are valid."""
    for match in _IBAN.finditer(text) if _COUNTRY.search(text) else ():
        length = _IBAN_LENGTHS.get(match[0][:2], 0)
        stop = _reach(text, match.start(), length) if length else None
        if stop is not None and mod_97(re.sub(r"[ \u00a0]", "", text[match.start() : stop])):
            yield match.start(), stop


def luhn(digits: str) -> bool:
    """Returns True if the last digit is the Luhn check digit of the others."""
    twice = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(twice) + sum(map(int, digits[-1::-2]))) % 10 == 0


def mod_97(iban: str) -> bool:
    """Returns True if the check digits after the country code are valid."""
    return int("".join(str(int(character, 36)) for character in iban[4:] + iban[:4])) % 97 == 1


def _reach(text: str, start: int, length: int) -> int | None:
    """The end of `length` letters and digits, with at most one space between two of them; None if there are fewer."""
    at, count = start, 0
    while count < length:
        if at < len(text) and text[at] in " \u00a0" and text[at - 1] not in " \u00a0":
            at += 1
        if at >= len(text) or not (text[at].isascii() and text[at].isalnum()) or text[at].islower():
            return None
        at, count = at + 1, count + 1
    goes_on = at < len(text) and text[at].isascii() and (text[at].isalnum() or text[at] == "_")
    return None if goes_on else at
