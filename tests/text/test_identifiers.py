"""Tests the extraction of code identifiers from text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.text.identifiers import identifiers


@pytest.mark.req("D7")
@pytest.mark.parametrize(
    "text",
    ["parse_config", "parseConfig", "ParseConfig", "PARSE_CONFIG", "parseConfig()", "`parseConfig`", "__parse_config"],
)
def test_all_naming_styles_normalize_to_one_identifier(text):
    assert identifiers(text) == ("parseconfig",)


@pytest.mark.req("D7")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("call calculate() first", ("calculate",)),
        ("open main.py, please", ("mainpy",)),
        ("see src/app/main.py.", ("srcappmainpy", "mainpy")),
        ("in /etc/nginx/nginx.conf", ("etcnginxnginxconf", "nginxconf")),
        (r"C:\Users\ann\notes.txt", ("cusersannnotestxt", "notestxt")),
        ("run ./build.sh", ("buildsh",)),
        ("it ends with E1234", ("e1234",)),
        ("TS2345: not assignable", ("ts2345",)),
        ("an HTTP500 again", ("http500",)),
        ("PROJ-42 is done", ("proj42",)),
        ("since v1.2.3", ("v123",)),
        ("use obj.method there", ("objmethod",)),
        ("np.random.default_rng", ("nprandomdefaultrng", "defaultrng")),
        ("this.setState(x)", ("thissetstate", "setstate")),
        ("std::vector and node->next", ("stdvector", "nodenext")),
        ("pass --no-cache=1", ("nocache",)),
        ("npm i @scope/pkg", ("scopepkg",)),
        ("HTTPServer2", ("httpserver2",)),
        ("the `timeout` setting", ("timeout",)),
        ("revision 3f9a1c7d", ("3f9a1c7d",)),
        ("```py\nload_all(path)\n```", ("loadall",)),
        ("```calculateDose()```", ("calculatedose",)),
    ],
)
def test_code_identifiers_are_found(text, names):
    assert identifiers(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "He and/or she came at 3pm, i.e. late; I'm told it's fine, e.g. in the U.S. or at 10 a.m.",
        "I stopped at the end.Next day we left. wait...what? So...no.",
        "It costs $5/month, 24/7, w/o tax; on 10/12/2023 at 7:30 it was 3.14 km/h, 1,000.50 or 2-3.",
        "Look at https://example.com/some_dir/fileName.py?x=1 and www.Example.com/fooBar or ann.lee@example.com",
        "The day(s) off, a well-known problem (like this) -- truly -- in the 90s, 1st of B12 and 5GB of MP3.",
        "**Bold**, _slanted_ and __strong__ words; Mr.Smith, Ph.D., a.k.a. the LGBTQ :) group, a pH of 7 </b>",
        "Привет, как дела? Ça va très bien, merci. Größe und Straße. हिन्दी भाषा 你好，世界。",
        "",
        " \n\t ",
    ],
)
def test_prose_has_no_identifiers(text):
    assert identifiers(text) == ()


def test_identifiers_are_distinct_and_in_order():
    assert identifiers("load_all, then saveAll(), then loadAll") == ("loadall", "saveall")


@pytest.mark.req("X13")
def test_identifiers_are_found_in_text_of_another_script():
    assert identifiers("请调用parse_config函数，错误E1234。") == ("parseconfig", "e1234")


def test_accents_are_removed_and_other_letters_are_kept():
    assert identifiers("größe_max и сумма_итого") == ("grossemax", "суммаитого")


@pytest.mark.parametrize("unit", ["a", "`", "`a", "a_", "aB", "a.", "a/", "a(", "->", "--", "::", "a:\\", "www."])
def test_a_very_long_token_gives_at_most_one_identifier(unit):
    assert len(identifiers(unit * 200_000)) <= 1


@given(st.text(st.sampled_from("aB1_./\\`(-:@> é猫"), max_size=60))
def test_identifiers_are_casefolded_alphanumeric_and_of_bounded_length(text):
    for name in identifiers(text):
        assert name.isalnum()
        assert name == name.casefold()
        assert 2 <= len(name) <= 63
