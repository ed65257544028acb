"""Attributes a claim to its speaker. The first named speaker, and any speaker without a name, is the user. Claims of
other speakers are stored under their names, so they never replace the user's facts."""

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
GENERIC_NAMES = frozenset({"", USER, "project", "assistant", "system", "tool"})  # names that identify no person

_SPACE = regex.compile(r"\s+")
_MENTION = regex.compile(r"\Auser\b|\bthe user\b")


def speaker_name(utterance: Utterance) -> str | None:
    """The speaker's name on one line; None if it identifies no person."""
    name = _SPACE.sub(" ", storable_text(utterance.speaker)).strip()[:LONGEST_NAME].strip()
    return None if comparison_key(name) in GENERIC_NAMES else name


def under_speaker_name(proposal: FactProposal) -> FactProposal | None:
    """The claim with the speaker's name in place of "user"; None if it is not about a speaker with a name."""
    claim, name = proposal.claim, proposal.speaker
    if name is None or not (claim.subject == USER or claim.attribute == RELATION_TO_USER):
        return None
    renamed = replace(
        claim,
        subject=name if claim.subject == USER else claim.subject,
        attribute=f"relation to {name}" if claim.attribute == RELATION_TO_USER else claim.attribute,
        text=_MENTION.sub(lambda _: name, claim.text, count=1),
    )
    proof = None if proposal.proof is None else replace(proposal.proof, text=renamed.text)
    return replace(proposal, claim=renamed, proof=proof)


def attribute(proposal: FactProposal, user: str | None) -> FactProposal:
    """The claim under its speaker's name if the speaker is not the user, else unchanged."""
    renamed = under_speaker_name(proposal)
    if renamed is None or user is None or comparison_key(user) == comparison_key(renamed.speaker or ""):
        return proposal
    return renamed
