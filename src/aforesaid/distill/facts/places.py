"""Tells a place from a part of it: a city is no other home than its state or country."""

from __future__ import annotations

from aforesaid.text.similarity import comparison_key

_COUNTRIES = """
afghanistan, albania, algeria, america, argentina, armenia, australia, austria, azerbaijan, bangladesh, belarus,
belgium, bolivia, bosnia, brazil, britain, bulgaria, cambodia, cameroon, canada, chile, china, colombia, costa rica,
croatia, cuba, cyprus, czechia, czech republic, denmark, dominican republic, ecuador, egypt, el salvador, england,
estonia, ethiopia, europe, finland, france, georgia, germany, ghana, great britain, greece, guatemala, haiti,
honduras, hong kong, hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy, jamaica, japan, jordan,
kazakhstan, kenya, korea, kuwait, latvia, lebanon, libya, lithuania, luxembourg, malaysia, malta, mexico, moldova,
mongolia, montserrat, morocco, mozambique, myanmar, namibia, nepal, netherlands, new zealand, nicaragua, nigeria,
northern ireland, norway, pakistan, panama, paraguay, peru, philippines, poland, portugal, puerto rico, qatar,
romania, russia, rwanda, saudi arabia, scotland, senegal, serbia, singapore, slovakia, slovenia, south africa, south
korea, spain, sri lanka, sudan, sweden, switzerland, syria, taiwan, tanzania, thailand, tunisia, turkey, uae,
uganda, uk, ukraine, united arab emirates, united kingdom, united states, uruguay, us, usa, venezuela, vietnam,
wales, yemen, zambia, zimbabwe, deutschland, österreich, schweiz, frankreich, italien, spanien, france, allemagne,
suisse, belgique, espagne, italie, españa, alemania, francia, méxico, perú, brasil, italia, germania, spagna,
svizzera, portogallo, alemanha, espanha, itália, nederland, belgië, duitsland, frankrijk, spanje,
中国, 日本, 美国, 德国, 法国, 英国, ドイツ, アメリカ, フランス, イギリス
"""
_REGIONS = """
alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, hawaii, idaho, illinois,
indiana, iowa, kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi,
missouri, montana, nebraska, nevada, new hampshire, new jersey, new mexico, north carolina, north dakota, ohio,
oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee, texas, utah, vermont,
virginia, west virginia, wisconsin, wyoming, alberta, british columbia, manitoba, new brunswick, nova scotia,
ontario, quebec, saskatchewan, bay area, new england, midwest, new south wales, queensland, tasmania, bavaria,
bayern, catalonia, cataluña, andalusia, andalucía, tuscany, toscana, sicily, sicilia, provence, bretagne, brittany,
flanders, kerala, punjab
"""


def _keys(names: str) -> frozenset[str]:
    return frozenset(comparison_key(name) for name in names.split(","))


COUNTRIES, REGIONS = _keys(_COUNTRIES), _keys(_REGIONS)


def may_contain(one: str, other: str) -> bool:
    """Returns True if one place may be a part of the other: a part of "Lisbon, Portugal", or of another size."""
    parts, others = _parts(one), _parts(other)
    return parts <= others or others <= parts or _size(parts) != _size(others)


def _parts(place: str) -> frozenset[str]:
    return frozenset(comparison_key(part).removeprefix("near ").removeprefix("the ") for part in place.split(","))


def _size(parts: frozenset[str]) -> int:
    return 2 if parts <= COUNTRIES else 1 if parts <= REGIONS | COUNTRIES else 0
