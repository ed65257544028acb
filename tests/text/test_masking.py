"""Tests that secrets are found by their format and check digits, and that similar text is left unchanged."""

import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aforesaid.text.account_numbers import luhn, mod_97
from aforesaid.text.masking import SECRET_FORMS, find_secrets, mask_secrets

BODY = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2bC3d"  # random like a key, and not a real one
HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
PEM = "-----BEGIN {}PRIVATE KEY-----\n" + (BODY + "\n") * 3 + "-----END {}PRIVATE KEY-----"

SECRETS = [
    ("api key", f"sk-{BODY}"),
    ("api key", f"sk-ant-api03-{BODY}-{BODY}"),
    ("api key", f"sk-proj-{BODY}_{BODY}"),
    ("api key", f"sk-or-v1-{'0f' * 32}"),
    ("api key", f"ghp_{BODY[:36]}"),
    ("api key", f"gho_{BODY[:36]}"),
    ("api key", f"github_pat_11ABCDEFG0{BODY}"),
    ("api key", f"glpat-{BODY[:20]}"),
    ("api key", "AKIAIOSFODNN7EXAMPLE"),
    ("api key", "ASIAIOSFODNNEXAMPLEX"),
    ("api key", "xoxb-" + "123456789012-123456789012-" + BODY[:24]),
    ("api key", f"xapp-1-A0123-{BODY}"),
    ("api key", f"AIza{BODY[:35]}"),
    ("api key", f"hf_{BODY[:34]}"),
    ("api key", f"sk_{'live'}_{BODY[:24]}"),
    ("api key", f"rk_{'test'}_{BODY[:24]}"),
    ("api key", f"whsec_{BODY[:32]}"),
    ("api key", f"npm_{BODY[:36]}"),
    ("api key", f"gsk_{BODY}{BODY[:12]}"),
    ("api key", f"SG.{BODY[:22]}.{BODY}"),
    ("api key", f"110201543:AA{BODY[:33]}"),
    ("api key", f"SK{HEX}"),
    ("api key", f"key-{HEX}"),
    ("api key", f"{HEX}-us12"),
    ("api key", f"sq0atp-{BODY[:22]}"),
    ("api key", f"dapi{HEX}"),
    ("api key", f"NRAK-{BODY[:27].upper()}"),
    ("api key", f"glsa_{BODY[:32]}_0f0f0f0f"),
    ("api key", f"dp.pt.{BODY}3d4e"),
    ("api key", f"pscale_tkn_{BODY}"),
    ("api key", f"PMAK-{HEX[:24]}-{HEX}0f"),
    ("api key", f"pul-{HEX}0a1b2c3d"),
    ("api key", f"hvs.{BODY}{BODY}"),
    ("api key", "pat-na1-0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f"),
    ("api key", f"secret_{BODY}3d4"),
    ("api key", f"ntn_{BODY}"),
    ("api key", f"dckr_pat_{BODY[:27]}"),
    ("api key", f"ATATT3xFfGF0{BODY}{BODY}"),
    ("api key", f"GOCSPX-{BODY[:28]}"),
    ("api key", f"1//0{BODY}"),
    ("api key", f"AKC{BODY}{BODY[:20]}"),
    ("api key", f"pat{BODY[:14]}.{HEX}{HEX}"),
    ("api key", f"sntrys_{BODY}{BODY}"),
    ("api key", f"sl.{BODY * 3}"),
    ("api key", f"{BODY[:14]}.atlasv1.{BODY}{BODY}"),
    ("api key", f"rubygems_{HEX}{HEX[:16]}"),
    ("api key", f"EAACEdEose0cBA{BODY}"),
    ("token", JWT),
    ("private key", PEM.format("", "")),
    ("private key", PEM.format("RSA ", "RSA ")),
    ("private key", PEM.format("OPENSSH ", "OPENSSH ")),
    ("private key", PEM.format("EC ", "EC ").replace("\n", "\\n")),
    ("card number", "4111111111111111"),
    ("card number", "4111 1111 1111 1111"),
    ("card number", "5500-0055-5555-5559"),
    ("card number", "3782 822463 10005"),
    ("card number", "6011000990139424"),
    ("card number", "3530111333300000"),
    ("card number", "30569309025904"),
    ("iban", "DE89370400440532013000"),
    ("iban", "DE89 3704 0044 0532 0130 00"),
    ("iban", "GB82 WEST 1234 5698 7654 32"),
    ("iban", "FR14 2004 1010 0505 0001 3M02 606"),
    ("iban", "NO93 8601 1117 947"),
]

GIVEN_AWAY = [
    ("postgres://app:{}@db.example.com:5432/app", "s3cr3t-pw"),
    ("redis://:{}@cache:6379/0", "hunter22"),
    ("https://me:{}@git.example.com/x.git", "p%40ss"),
    ("Authorization: Bearer {}", "0123456789abcdef0123"),
    ("curl -H 'Authorization: Basic {}'", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    ("password={}", "hunter2"),
    ("PASSWORD: {}", "Tr0ub4dor&3"[:8]),
    ("DB_PASSWORD={}", "q9!vbn"),
    ("dbPassword = '{}'", "geheim"),
    ('{{"api_key": "{}"}}', "abcd1234efgh"),
    ('{{\\"apiKey\\": \\"{}\\"}}', "abcd1234efgh"),
    ('os.environ["CLIENT_SECRET"] = "{}"', "a-very-private-one"),
    ("x-api-key: {}", "0f9e8d7c6b5a"),
    ("aws_secret_access_key = {}", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    ("AccountName=x;AccountKey={}", "Zm9vYmFyMTIzNDU2Nzg5"),
    ("my password is {}.", "hunter2"),
    ("Mein Passwort ist {}", "Sommer2026!"),
    ("la contraseña es {}, ok?", "gato#77"),
    ("passphrase: '{}'", "correct horse battery staple"),
    ("token: {}", "9f8e7d6c5b4a"),
    ("Pwd={};", "x1!y2z3"),
    ("İİİ PASSWORD={} İ", "hunter2"),
]

HARMLESS = [
    "ask the path of key-value stores, a pull-request in US-east, and the secret_name of the skeleton",
    "git checkout 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "order 4111111111111112 shipped",
    "order number 1000-2000-3000-4000",
    "call +49 170 1234 5678 9012 or 0041 44 668 18 00",
    "+4915112345678901",
    "tracking 1Z999AA10123456784",
    "at 1700000000000 and 1700000000000000",
    "0.4111111111111111",
    "version 2026.11.16, build 4111",
    "DE89370400440532013001",
    "the password is required",
    "The password is wrong, try again.",
    "password is 8 characters at least",
    "Your token is expired; the secret is patience.",
    "def login(user: str, password: str) -> Token:",
    "connect(password=password, token=self.token)",
    "password = os.environ['DB_PASSWORD']",
    "password=getpass.getpass('Password: ')",
    "api_key = settings.api_key",
    "api_key=${OPENAI_API_KEY}",
    'api_key: "{{ vault.key }}"',
    "password: <your password>",
    "password=********",
    '"password": "string"',
    '"password": "Password"',
    '<input type="password" name="password">',
    '"password": "At least 8 characters"',
    "max_tokens=3000, tokens: 12345678",
    "if token == None: raise",
    "password_hash = bcrypt.hash(password)",
    "sk-fading-circle-container-wrapper",
    '<div class="sk-estimator-doc-link fitted">',
    "see https://example.com:8080/a@b",
    "postgres://user:${PASSWORD}@host/db",
    "postgres://localhost:5432/app",
    "the bearer of this letter, Bearer authentication-is-needed",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    "a file begins with -----BEGIN PRIVATE KEY----- and then the key follows",
    "eyJ is how a token begins",
    "PWD=/home/ann",
    "Pin the secret: never tell.",
    "日本語のパスワード",
    "if token == 'lambda': return",
]


@pytest.mark.req("X12")
@pytest.mark.parametrize("around", ["{}", "it is {}, keep it", "KEY={}\n", '{{"a": "{}"}}', "x\\n{}"])
def test_a_secret_is_masked_in_any_surrounding_text(around: str) -> None:
    for kind, secret in SECRETS:
        text = mask_secrets(around.format(secret))
        assert secret not in text
        assert f"[masked: {kind}]" in text or "[masked: password]" in text, secret


@pytest.mark.req("X12")
def test_a_value_is_masked_when_its_context_identifies_it_as_a_secret() -> None:
    for around, secret in GIVEN_AWAY:
        text = around.format(secret)
        assert [text[one.start : one.stop] for one in find_secrets(text)] == [secret], text


@pytest.mark.req("X12")
def test_text_that_only_resembles_a_secret_is_not_masked() -> None:
    assert [mask_secrets(text) for text in HARMLESS] == HARMLESS


def test_the_test_set_has_the_documented_size() -> None:
    assert (len(SECRETS), len(GIVEN_AWAY), len(HARMLESS)) == (64, 22, 46)


def test_a_truncated_private_key_block_is_masked() -> None:
    block = PEM.format("", "").rsplit("\n", 1)[0]
    assert mask_secrets(f"{block}\n\nand so on") == "[masked: private key]\n\nand so on"


texts = st.text(max_size=200) | st.lists(
    st.sampled_from(
        [*[s for _, s in SECRETS], *[a.format(s) for a, s in GIVEN_AWAY], *HARMLESS, " ", "\n", "=", ":", '"']
    )
).map("".join)


@given(texts)
@example("password is [masked: password] = x1x1x1")
@example(
    "110201543:AAaB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1-----BEGIN PRIVATE KEY-----\n"
    + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2bC3d\n" * 3
    + "-----END PRIVATE KEY-----"
)
def test_masking_is_idempotent(text: str) -> None:
    once = mask_secrets(text)
    assert mask_secrets(once) == once


@given(texts)
@example(
    "Your token is expired; the secret is patience.postgres://app:s3cr3t-pw@db.example.com:5432/appsha256:"
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855sk-" + BODY
)
def test_secret_spans_are_sorted_and_disjoint_and_other_text_is_unchanged(text: str) -> None:
    spans = find_secrets(text)
    assert all(one.start < one.stop <= len(text) for one in spans)
    assert all(a.stop <= b.start for a, b in pairwise(spans))
    once, reached = "", 0
    for one in spans:
        once += f"{text[reached : one.start]}[masked: {one.kind}]"
        reached = one.stop
    once += text[reached:]
    assert mask_secrets(text) == mask_secrets(once)
    assert find_secrets(once) or mask_secrets(text) == once  # masking one secret can reveal its neighbor


@given(st.integers(min_value=10**14, max_value=10**15 - 1))
def test_exactly_one_last_digit_passes_the_luhn_check(number: int) -> None:
    assert sum(luhn(f"{number}{last}") for last in range(10)) == 1


def test_an_iban_with_transposed_digits_fails_the_check() -> None:
    assert mod_97("DE89370400440532013000")
    assert not mod_97("DE98370400440532013000")


HOSTILE = [
    "password=", "a://a:", "sk-", "-----BEGIN PRIVATE KEY-----", "4111 ", "DE89 ", "eyJ", "eyJaaaaaaaaa.", "bearer ",
    'password="', "pass", "-", "1", "password is ", "ab://:" + "x" * 250, "x@", "://:@", "secret\\", "token:'", "key ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_linearly_with_the_length(piece: str) -> None:
    def spent(length: int) -> float:
        """The CPU time of this thread, best of three runs: a garbage collection or another thread is no growth."""
        text = (piece * (length // len(piece) + 1))[:length]
        runs = []
        for _ in range(3):
            begin = time.thread_time()
            find_secrets(text)
            runs.append(time.thread_time() - begin)
        return min(runs)

    assert spent(200_000) < 40 * max(spent(20_000), 0.005)


def test_every_secret_form_has_lower_case_hints() -> None:
    assert all(form.hints and all(hint == hint.lower() for hint in form.hints) for form in SECRET_FORMS)
