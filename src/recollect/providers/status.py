"""What a service's status says about asking again."""

from __future__ import annotations

import httpx2

from recollect.errors import ProviderError, ProviderRefused

WORTH_ANOTHER_TRY = (408, 409, 429)
NOT_UNDERSTOOD = (400, 422)
TOO_LARGE = 413


class NotUnderstood(ProviderRefused):
    """The service takes a part of the question for wrong; put in another way it may do."""


def refuse_failure(name: str, response: httpx2.Response) -> None:
    """ProviderError for a failure that may pass, ProviderRefused for one that will not, mendable where it would be the
    same whatever is asked: no key, no such model, another address. The body is not repeated."""
    if worth_another_try(response):
        raise ProviderError(f"{name} answered {response.status_code}")
    if response.status_code in NOT_UNDERSTOOD:
        raise NotUnderstood(f"{name} refused with {response.status_code}")
    if not response.is_success:
        mendable = response.status_code != TOO_LARGE
        raise ProviderRefused(f"{name} refused with {response.status_code}", mendable=mendable)


def worth_another_try(response: httpx2.Response) -> bool:
    return response.status_code in WORTH_ANOTHER_TRY or response.is_server_error
