"""The patterns for partners, relatives, pets and possessions with names, which differ between languages only in words."""

from aforesaid.distill.grammar import ClaimPattern

KIN = "(?:<other:kin>|<other:pets>)"


def named_patterns(my: str, called: str, have: str, whose_name: str, beside: str = "") -> tuple[ClaimPattern, ...]:
    """Patterns for "my sister is called Ana", "my sister Ana" and "I have a dog named Rex".

    The language has the lists `partners`, `kin`, `pets` and `things`. `whose_name` contains the gap of the name. `beside`
    follows a name that no verb introduces, in a language whose nouns have capitals too.
    """
    return (
        ClaimPattern("partner", rf"{my} <list:partners> {called} <name>", 0.92, anywhere=True),
        ClaimPattern("partner", rf"{my} <list:partners>,? <name>{beside}", 0.84, anywhere=True),
        ClaimPattern("relative", rf"{my} {KIN} {called} <name>", 0.92, anywhere=True),
        ClaimPattern("relative", rf"{my} {KIN},? <name>{beside}", 0.84, anywhere=True),
        ClaimPattern("relative", rf"{have} {KIN}{whose_name}", 0.9),
        ClaimPattern("possession", rf"{my} <other:things> {called} <name>", 0.9, anywhere=True),
        ClaimPattern("possession", rf"{have} <other:things>{whose_name}", 0.9),
    )
