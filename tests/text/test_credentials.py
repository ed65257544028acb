"""Tests that credentials are detected by their names in every supported language."""

import time

import pytest

from aforesaid.text.credentials import names_credential

NAMED = [
    "my PIN is 4412", "my bank PIN's 4412", "PIN: 4412", "4412 is my PIN", "my pin is four four one two",
    "my pin code is 4412", "the door code is 4412", "the alarm code is 9911", "the safe combination is 12-34-56",
    "the combination to the safe is 12", "the safe code is 99", "my SSN is 078-05-1120", "my CVV is 123",
    "my login is anna / swordfish", "my API token is abc", "the token is abc", "API_KEY", "our passphrase is x",
    "my OTP is 123456", "verification code 1234", "the wifi key is abc",
    "dass meine PIN 4412 ist", "die Geheimzahl ist 1", "das Kennwort", "die Passwörter", "der Haustürcode",
    "TAN 123456",
    "mon code PIN est 4412", "mon mot de passe", "le code de la porte est 12", "le code d'entrée", "le digicode",
    "mi clave es luna22", "la clave es luna22", "la clave del wifi", "mi contraseña", "el código de la puerta",
    "il mio PIN è 4412", "il codice della porta è 12", "minha senha", "o código da porta é 1",
    "mijn pincode 4412 is", "de deurcode is 12", "mijn wachtwoord",
    "我的密码是 abc", "パスワードはabc", "暗証番号は4412",
]  # fmt: skip
OTHERS = [
    "pin this", "we pinned numpy", "pin numpy to 1.26.4", "the last pin in bowling", "my pin board",
    "pin 13 of the board",
    "pin code review to Monday", "we pay by tokens", "max_tokens=3000", "3000 tokens", "JWT tokens are short lived",
    "refresh token rotation", "our login page is slow", "our login is broken", "we write safe code", "my door is red",
    "tea and cake, a fine combination", "la clave es la paciencia", "Pinterest", "spinning", "key points of the talk",
    "the code is in main", "the area code is 030", "the booking code is ABC123", "my pass is valid until May",
    "I am tan",
]  # fmt: skip


@pytest.mark.req("X12")
def test_a_credential_is_detected_by_its_name():
    assert [text for text in NAMED if not names_credential(text)] == []
    assert [text for text in NAMED if not names_credential(f"Well, {text}.")] == []


def test_similar_words_are_not_detected_as_credentials():
    assert [text for text in OTHERS if names_credential(text)] == []


@pytest.mark.parametrize("text", ["my pin is ", "token is ", "code de la ", "1234 is a b pi", "OTP a b ", "pin\t"])
def test_a_long_repetitive_text_takes_less_than_five_seconds(text):
    begin = time.monotonic()
    names_credential(text * 20_000)
    assert time.monotonic() - begin < 5
