"""Whose a claim is where several people speak in one memory, each by a name.

The first of them is the user, as is whoever speaks without a name. What another says of themselves is filed under their
name: so nobody's facts end another's.
"""

from __future__ import annotations

from dataclasses import replace

import regex

from recollect.distill.cut import safe
from recollect.records import Claim, Proposal, Utterance
from recollect.text.likeness import key

USER = "user"
RELATION = "relation to user"
LONGEST = 40  # characters of a name that stand in a fact
NOBODY = frozenset({"", USER, "project", "assistant", "system", "tool"})  # names that tell no person apart

_SPACE = regex.compile(r"\s+")
_MENTION = regex.compile(r"\Auser\b|\bthe user\b")


def speaker(utterance: Utterance) -> str | None:
    """The name of who spoke, in one line; None where it has none that tells them apart."""
    name = _SPACE.sub(" ", safe(utterance.speaker)).strip()[:LONGEST].strip()
    return None if key(name) in NOBODY else name


def under_name(proposal: Proposal) -> Proposal | None:
    """The claim as what its speaker, by their name, says of themselves; None where it is not about them, or has no
    named speaker."""
    claim, name = proposal.claim, proposal.speaker
    if name is None or not (claim.subject == USER or claim.attribute == RELATION):
        return None
    own = _renamed(claim, name)
    proof = proposal.proof
    return replace(proposal, claim=own, proof=None if proof is None else replace(proof, text=own.text))


def attributed(proposal: Proposal, user: str | None) -> Proposal:
    """The claim under its speaker's name where that is another than the user's, else as it is."""
    own = under_name(proposal)
    if own is None or user is None or key(user) == key(own.speaker or ""):
        return proposal
    return own


def _renamed(claim: Claim, name: str) -> Claim:
    return replace(
        claim,
        subject=name if claim.subject == USER else claim.subject,
        attribute=f"relation to {name}" if claim.attribute == RELATION else claim.attribute,
        text=_MENTION.sub(lambda _: name, claim.text, count=1),
    )
