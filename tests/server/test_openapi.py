"""Tests that responses conform to the OpenAPI description."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.server.conftest import bearer
from tests.server.operations import ENDLESS, operations

from aforesaid import Memory
from aforesaid.server.app import make_app

PROBLEMS = {400, 401, 403, 404, 409, 413, 415, 421, 422, 429, 500, 502, 503, 504, 507}  # `default` describes some


def has_a_known_status(context, response, case):
    """`default` alone would accept every status."""
    assert response.status_code < 400 or response.status_code in PROBLEMS


CHECKS = [
    has_a_known_status,
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
LOCAL = {"Host": "localhost"}
QUIET = list(HealthCheck)


@pytest.fixture(scope="module")
def memory():
    with Memory(":memory:", worker=False, environment={}) as memory:
        yield memory


@pytest.fixture(scope="module")
def headers(memory):
    """Headers with a key: a key that a test request creates would lock out requests without one."""
    return LOCAL | bearer(memory.create_key("tester", access="admin").secret)


@pytest.fixture(scope="module")
def api(memory):
    return schemathesis.openapi.from_asgi("/openapi.json", make_app(memory), headers=LOCAL).exclude(path=list(ENDLESS))


@pytest.mark.timeout(900)  # it calls every operation
def test_every_described_request_gets_a_described_response(api, headers):
    for operation in operations():
        print(operation)  # identifies the operation that failed
        ask_as_described(api[operation.path][operation.method], headers)


def ask_as_described(operation: APIOperation, headers: dict[str, str]) -> None:
    @settings(max_examples=20, deadline=None, suppress_health_check=QUIET, database=None)
    @given(operation.as_strategy())
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()


def test_linked_requests_get_described_responses(api, headers):
    machine = api.as_state_machine()

    class Story(machine):
        def get_call_kwargs(self, case):  # noqa: ARG002
            return {"headers": headers}

        def validate_response(self, response, case, **rest):  # noqa: ARG002
            case.validate_response(response, checks=CHECKS)

    Story.run(settings=settings(max_examples=10, stateful_step_count=6, deadline=None, suppress_health_check=QUIET))
