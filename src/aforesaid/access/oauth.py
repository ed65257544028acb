"""OAuth for MCP over HTTP: this server is a resource server, and accepts the JWT access tokens of one issuer.

A token opens the space that is named by its `sub`, with the access of its scopes. It must be issued for this server:
its `aud` must have the server's URL (RFC 8707).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from aforesaid.access.authentication import Authenticator, Principal, credential
from aforesaid.access.problems import Forbidden, IssuerUnavailable, Unauthenticated
from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.models.key import KEY_ACCESS, KeyAccess

if TYPE_CHECKING:
    import httpx2
    from jwt import PyJWK

METADATA_PATH = "/.well-known/oauth-protected-resource"
SCOPES: Mapping[str, KeyAccess] = {f"aforesaid:{access}": access for access in KEY_ACCESS}
USUAL_SCOPES = [scope for scope, access in SCOPES.items() if access != "admin"]  # what a client asks for by itself
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
JWT_DOTS = 2  # a key has none
CLOCK_SKEW_SECONDS = 30
KEYS_SECONDS = 3600.0  # the issuer's keys are read again after this time
RETRY_SECONDS = 60.0  # and at most this often for a token with an unknown key
TIMEOUT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class OAuthOptions:
    """The issuer of the tokens, and the URL of this server's /mcp as its clients know it."""

    issuer: str
    resource: str

    def __post_init__(self) -> None:
        for url in (self.issuer, self.resource):
            check_url(url)

    @property
    def metadata_url(self) -> str:
        parts = urlsplit(self.resource)
        return f"{parts.scheme}://{parts.netloc}{METADATA_PATH}{parts.path}"

    def metadata(self) -> dict[str, Json]:
        """The protected resource metadata (RFC 9728)."""
        return {
            "resource": self.resource,
            "authorization_servers": [self.issuer],
            "scopes_supported": USUAL_SCOPES,
            "bearer_methods_supported": ["header"],
            "resource_name": "aforesaid",
        }

    def challenge(self, error: str | None = None) -> dict[str, str]:
        """The header that tells a client where to get a token, and for which scopes."""
        fields = {"error": error, "scope": " ".join(USUAL_SCOPES), "resource_metadata": self.metadata_url}
        said = ", ".join(f'{name}="{value}"' for name, value in fields.items() if value is not None)
        return {"WWW-Authenticate": f"Bearer {said}"}


def check_url(url: str) -> None:
    """Raises InvalidInput unless this is an https URL, or an http URL of this machine."""
    parts = urlsplit(url)
    try:
        loopback = parts.hostname == "localhost" or ip_address(parts.hostname or "").is_loopback
    except ValueError:
        loopback = False
    plain = parts.hostname and not parts.query and not parts.fragment
    if not plain or parts.scheme not in (("http", "https") if loopback else ("https",)):
        raise InvalidInput(f"{url!r} is not an https URL without query")


class TokenAuthenticator:
    """Accepts tokens of the issuer, and the keys of the store by `keys`. `count_failure` gets the address of each wrong
    token, and raises TooManyRequests after too many."""

    def __init__(self, options: OAuthOptions, keys: Authenticator, count_failure: Callable[[str], None]) -> None:
        self._options = options
        self._keys = keys
        self._count_failure = count_failure
        self._issuer_keys = IssuerKeys(options.issuer)

    def admit(self, headers: Mapping[str, str], address: str) -> Principal:
        """Raises Unauthenticated without a valid token or key, and Forbidden if a token has none of our scopes."""
        secret = credential(headers)
        if secret is None:
            raise Unauthenticated("get a token from the issuer, or send a key", self._options.challenge())
        if secret.count(".") == JWT_DOTS:
            return self._admit_token(secret, address)
        try:
            return self._keys.admit(headers, address)
        except Unauthenticated as exc:
            raise Unauthenticated(str(exc), self._options.challenge("invalid_token")) from exc

    def _admit_token(self, token: str, address: str) -> Principal:
        import jwt

        try:
            key = self._issuer_keys.find(jwt.get_unverified_header(token).get("kid"))
            claims = jwt.decode(
                token,
                key,
                ALGORITHMS,
                {"require": ["exp", "iss", "aud", "sub"]},
                audience=self._options.resource,
                issuer=self._options.issuer,
                leeway=CLOCK_SKEW_SECONDS,
            )
        except jwt.PyJWTError as exc:
            self._count_failure(address)
            challenge = self._options.challenge("invalid_token")
            raise Unauthenticated("this token is not valid here; get a new one", challenge) from exc
        granted = [access for scope, access in SCOPES.items() if scope in scopes(claims)]
        if not granted:
            challenge = self._options.challenge("insufficient_scope")
            raise Forbidden(f"this token has none of the scopes {', '.join(SCOPES)}", challenge)
        subject = claims["sub"]
        return Principal(f"oauth:{subject}", max(granted, key=KEY_ACCESS.index), (subject,), subject)


def scopes(claims: Mapping[str, Json]) -> list[str]:
    """Returns the scopes of a token: `scope` (RFC 9068), or `scp` as some issuers name it."""
    granted = claims.get("scope", claims.get("scp"))
    if isinstance(granted, str):
        return granted.split()
    return granted if isinstance(granted, list) else []


class IssuerKeys:
    """The public keys of an issuer by their id, read when they are first needed. Safe for several threads."""

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer
        self._keys: dict[str | None, PyJWK] = {}
        self._read_at = float("-inf")
        self._failed = False
        self._reading = threading.Lock()

    def find(self, id: str | None) -> PyJWK:
        """Raises PyJWTError if the issuer has no such key, and IssuerUnavailable if it does not answer."""
        import jwt

        with self._reading:
            age = time.monotonic() - self._read_at
            if age >= (KEYS_SECONDS if id in self._keys else RETRY_SECONDS):
                self._read()
            if id in self._keys:
                return self._keys[id]
        if self._failed:
            raise IssuerUnavailable("the issuer of the tokens does not answer; retry later")
        raise jwt.InvalidKeyError("the issuer has no such key")

    def _read(self) -> None:
        """Keeps the old keys if the issuer does not answer."""
        import httpx2
        import jwt

        self._read_at = time.monotonic()
        try:
            with httpx2.Client(timeout=TIMEOUT_SECONDS) as http:
                found = jwt.PyJWKSet.from_dict(_read_object(http, self._keys_url(http)))
        except (httpx2.HTTPError, ValueError, jwt.PyJWTError):
            self._failed = True
            return
        self._failed = False
        self._keys = {key.key_id: key for key in found.keys}

    def _keys_url(self, http: httpx2.Client) -> str:
        """Finds the metadata of the issuer (RFC 8414, or OpenID Connect Discovery)."""
        parts = urlsplit(self._issuer)
        root, path = f"{parts.scheme}://{parts.netloc}/.well-known", parts.path.rstrip("/")
        for url in (
            f"{root}/oauth-authorization-server{path}",
            f"{root}/openid-configuration{path}",
            f"{self._issuer.rstrip('/')}/.well-known/openid-configuration",
        ):
            found = _read_object(http, url)
            if found.get("issuer") == self._issuer and "jwks_uri" in found:
                return str(found["jwks_uri"])
        raise ValueError("the issuer has no metadata")


def _read_object(http: httpx2.Client, url: str) -> dict[str, Json]:
    """Returns the JSON object at a URL, or an empty one if there is none."""
    response = http.get(url)
    found = response.json() if response.is_success else {}
    return found if isinstance(found, dict) else {}
