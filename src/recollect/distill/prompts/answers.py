"""The form of what a large model answers. Loaded when it is first asked."""

from __future__ import annotations

from pydantic import BaseModel, Field


class SummaryAnswer(BaseModel):
    summary: str = Field(min_length=1, description="At most 200 words.")
    topics: list[str] = Field(default=[], max_length=20, description="Up to five topics of one to three words.")
