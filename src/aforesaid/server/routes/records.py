"""Routes for the owner's own schemas, and the records that are extracted by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import BaseModel, Field

from aforesaid.models.fact import Fact, FactStatus
from aforesaid.models.json import Json
from aforesaid.models.record import Schema
from aforesaid.server.dependencies import AdminSpace, ReadableSpace
from aforesaid.server.params import After, Limit, PercentDecoded, ShortText, StrictBody
from aforesaid.server.router import ListResponse, Page, api_router, list_response, paginate

router = api_router("schemas", "/schemas")
records_router = api_router("records", "/records")

SchemaPathName = Annotated[str, Path(description="The schema's name.", examples=["Task"]), PercentDecoded]
TASK = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}


class SchemaBody(StrictBody):
    """What a record is, and what to look for."""

    json_schema: dict[str, Json] = Field(description="The JSON schema of a record: an object.", examples=[TASK])
    instructions: str = Field("", description="What the model is to look for.", examples=["Chores at home."])
    key: list[ShortText] | None = Field(
        None,
        max_length=100,
        description="The fields that identify a record, so that a later statement updates it. Empty: one per person.",
        examples=[["title"]],
    )
    past: bool = Field(False, description="Also reads the messages that are stored already.")


class DeleteSchemaResponse(BaseModel):
    removed: bool = Field(description="False if there was no such schema.")


@dataclass(frozen=True, slots=True)
class RecordResponse:
    """A record, and the fact that holds it, with its evidence and history."""

    schema: str
    value: dict[str, Json]
    fact: Fact


@router.get("", name="list")
def schemas(space: ReadableSpace) -> ListResponse[Schema]:
    """Lists the schemas that records are extracted by."""
    return list_response(space.schemas())


@router.put("/{name}", name="update")
def learn(space: AdminSpace, name: SchemaPathName, body: SchemaBody) -> Schema:
    """Lets the background model extract records of a schema from new messages. Replaces a schema of the same name."""
    return space.learn(body.json_schema, instructions=body.instructions, name=name, key=body.key, past=body.past)


@router.delete("/{name}", name="delete")
def unlearn(space: AdminSpace, name: SchemaPathName) -> DeleteSchemaResponse:
    """Removes a schema. Its records stay, as facts."""
    return DeleteSchemaResponse(removed=space.unlearn(name))


@records_router.get("", name="list")
def records(
    space: ReadableSpace,
    schema: Annotated[str, Query(max_length=64, description="The schema's name.", examples=["Task"])],
    limit: Limit = 50,
    after: After = None,
    status: Annotated[FactStatus | Literal["any"], Query(description="`any`: records of every status.")] = "active",
) -> Page[RecordResponse]:
    """Lists records of a schema in the order in which they were added. A record is a fact: the operations of facts take
    its id."""
    found = space.records(schema, limit + 1, after=after, status=None if status == "any" else status)
    responses = [RecordResponse(record.schema, record.value, record.fact) for record in found]
    return paginate(responses, limit, lambda record: record.fact.id)
