"""Tests the claim patterns of German, French, Spanish, Italian, Portuguese, Dutch, Chinese and Japanese."""

from datetime import UTC, datetime

import pytest

from aforesaid.distill.facts.claims import claims
from aforesaid.models.message import Utterance

AT = datetime(2026, 3, 11, 12, tzinfo=UTC)


def found(text):
    said = claims(Utterance("m1", 0, "user", "user", text, AT, None, 1))
    return [(claim.attribute, claim.subject if claim.kind == "entity" else claim.value) for claim in said]


@pytest.mark.req("B14")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich bin gegen Erdnüsse allergisch und wohne in Porto.", [("allergy to Erdnüsse", "yes"), ("home", "Porto")]),
        ("Je m'appelle Louis et j'habite à Lyon.", [("name", "Louis"), ("home", "Lyon")]),
        ("Je suis infirmière et habite à Lyon.", [("occupation", "infirmière"), ("home", "Lyon")]),
        ("Soy abogado y tengo 40 años.", [("occupation", "abogado"), ("age", "40")]),
        ("Sono vegana e abito a Genova.", [("diet", "vegana"), ("home", "Genova")]),
        ("Sou enfermeira e moro em Natal.", [("occupation", "enfermeira"), ("home", "Natal")]),
        ("Ik ben kok en woon in Zwolle.", [("occupation", "kok"), ("home", "Zwolle")]),
        ("我叫王芳，住在上海。", [("name", "王芳"), ("home", "上海")]),
        ("ピーナッツのアレルギーがあって、大阪に住んでいます。", [("allergy to ピーナッツ", "yes"), ("home", "大阪")]),
    ],
)  # fmt: skip
def test_both_clauses_with_one_subject_are_claims(text, expected):
    assert found(text) == expected


@pytest.mark.req("B14")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich heiße Mehmet, kannst du mir helfen?", ("name", "Mehmet")),
        ("Bonjour, je suis Amélie, tu peux m'aider ?", ("name", "Amélie")),
        ("hola, soy Marta, ¿me ayudas con mi currículum?", ("name", "Marta")),
        ("Visto che abito a Verona, dove trovo un dentista?", ("home", "Verona")),
        ("Como moro em Braga, onde encontro um dentista?", ("home", "Braga")),
        ("Ik ben 19 jaar, mag ik een auto huren?", ("age", "19")),
        ("我对青霉素过敏，可以吃什么药？", ("allergy to 青霉素", "yes")),
        ("神戸に住んでいるのですが、おすすめの歯医者はありますか？", ("home", "神戸")),
    ],
)
def test_a_clause_before_a_question_is_a_claim(text, expected):
    assert found(text) == [expected]


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("Ich bin letztes Jahr von München nach Berlin umgezogen.", "Berlin"),
        ("J'ai déménagé de Paris à Bordeaux en mars.", "Bordeaux"),
        ("Nos mudamos de Sevilla a Granada en mayo.", "Granada"),
        ("Mi sono trasferita da Napoli a Bologna a maggio.", "Bologna"),
        ("Mudei-me de Coimbra para Lisboa em março.", "Lisboa"),
        ("Ik ben in maart van Leiden naar Haarlem verhuisd.", "Haarlem"),
        ("我去年从北京搬到了深圳。", "深圳"),
        ("去年、福岡から名古屋に引っ越しました。", "名古屋"),
    ],
)
def test_a_move_ends_in_the_new_home(text, city):
    assert found(text) == [("home", city)]


@pytest.mark.req("B14")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich habe einen Hund, der Balu heißt.", ("relation to user", "balu")),
        ("J'ai une chatte nommée Minette.", ("relation to user", "minette")),
        ("Tengo un perro que se llama Rocky.", ("relation to user", "rocky")),
        ("La mia barca si chiama Stella.", ("relation to user", "stella")),
        ("O meu carro chama-se Relâmpago.", ("relation to user", "relâmpago")),
        ("Mijn naam is Pieter van der Berg.", ("name", "Pieter van der Berg")),
        ("Mi nombre es Javier de la Torre.", ("name", "Javier de la Torre")),
        ("Ik werk bij de Universiteit van Amsterdam.", ("employer", "Universiteit van Amsterdam")),
        ("我养了一只猫叫咪咪。", ("relation to user", "咪咪")),
        ("コタロウという名前の犬がいます。", ("relation to user", "コタロウ")),
        ("soy alergico a la penicilina", ("allergy to penicilina", "yes")),
        ("Je mange pas de porc.", ("diet", "no porc")),
        ("Ich bin vierzig Jahre alt.", ("age", "vierzig")),
        ("Mi cumpleaños es el 3 de mayo.", ("birthday", "3 de mayo")),
        ("我的生日是八月十二号。", ("birthday", "八月十二号")),
    ],
)
def test_names_dates_and_informal_spellings_are_whole(text, expected):
    assert found(text) == [expected]


@pytest.mark.req("B14")
@pytest.mark.parametrize(
    "text",
    [
        "Ich habe früher in Bremen gewohnt.",
        "Hallo, ich bin Studentinnenvertreterin.",
        "Wir leben in Angst und Armut.",
        "Im Zoo, da war ein Löwe.",
        "Ma sœur travaille à Dijon et habite à Paris.",
        "Avant, j'habitais à Brest.",
        "El perro de mi vecina se llama Bruno.",
        "Me gustaría tener un perro llamado Rex.",
        "Il cane della mia vicina si chiama Bruno.",
        "Antes eu morava em Salvador.",
        "De hond van mijn buurvrouw heet Bruno.",
        "我妈妈叫我吃饭，住在天津也好。",
        "我在上海工作。",
        "东京很好，我以前住在那里。",
        "東京に住んでいる友達がいます。",
        "夫は医者で、日産で働いています。",
    ],
)
def test_other_people_and_the_past_give_no_claim(text):
    assert found(text) == []
