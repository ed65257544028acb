"""Attributes a claim to its speaker. A speaker with a name is stored under it, so nobody's words replace the facts of
another person. A speaker without a name is the user, and so is one with the name of the space."""

from __future__ import annotations

from dataclasses import replace

import regex

from aforesaid.models.fact import FactProposal
from aforesaid.models.message import Utterance
from aforesaid.text.normalize import storable_text
from aforesaid.text.similarity import comparison_key

USER = "user"
RELATION_TO_USER = "relation to user"
LONGEST_NAME = 40  # characters
_GENERIC = "user human me you person guest anonymous customer client default project assistant system tool"
GENERIC_NAMES = frozenset({"", *_GENERIC.split()})  # names that identify no person

_SPACE = regex.compile(r"\s+")
_MENTION = regex.compile(r"\Auser\b|\bthe user\b")


def speaker_name(utterance: Utterance) -> str | None:
    """The speaker's name on one line; None if it identifies no person."""
    name = _SPACE.sub(" ", storable_text(utterance.speaker)).strip()[:LONGEST_NAME].strip()
    return None if comparison_key(name) in GENERIC_NAMES else name


def attribute(proposal: FactProposal, space: str) -> FactProposal:
    """The claim with the speaker's name in place of "user", if it is about a speaker with a name. The person whose name
    the space has is the user."""
    claim, name = proposal.claim, proposal.speaker
    if name is None or comparison_key(name) == comparison_key(space):
        return proposal
    if claim.schema is not None:
        return replace(proposal, claim=replace(claim, subject=name)) if claim.subject == USER else proposal
    if claim.subject != USER and claim.attribute != RELATION_TO_USER:
        return proposal
    renamed = replace(
        claim,
        subject=name if claim.subject == USER else claim.subject,
        attribute=f"relation to {name}" if claim.attribute == RELATION_TO_USER else claim.attribute,
        text=_MENTION.sub(lambda _: name, claim.text, count=1),
    )
    proof = None if proposal.proof is None else replace(proposal.proof, text=renamed.text)
    return replace(proposal, claim=renamed, proof=proof)
