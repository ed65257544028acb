import httpx2
import pytest

from aforesaid.providers.http_client import proxy_mounts

PROXY = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("url", "proxied"),
    [
        ("http://localhost:1/v1", False),
        ("http://LOCALHOST:1/v1", False),
        ("http://127.0.0.1:1/v1", False),
        ("http://127.8.9.1/v1", False),
        ("http://[::1]:1/v1", False),
        ("http://a.localhost/v1", False),
        ("http://box/v1", True),
        ("https://api.openai.com/v1", True),
    ],
)
def test_what_is_on_this_machine_is_never_asked_through_a_proxy(monkeypatch, url, proxied):
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(variable, PROXY)
    address = httpx2.URL(url)
    with httpx2.Client(mounts=proxy_mounts(address)) as client:
        transport = client._transport_for_url(address)
        assert (transport is not client._transport) is proxied
