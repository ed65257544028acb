"""An OAuth authorization server on loopback, made of the routes of the MCP SDK. It approves every request for Ann."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from mcp.server.auth.provider import AuthorizationCode, AuthorizationParams
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.serving import serving

from aforesaid.access.oauth import SCOPES

HOUR = 3600
KEY_ID = "k1"
SCOPE = "aforesaid:read aforesaid:write"


class Issuer:
    def __init__(self, url: str) -> None:
        self.url = url
        self._key = generate_private_key(SECP256R1())
        self._clients: dict[str, OAuthClientInformationFull] = {}
        self._codes: dict[str, AuthorizationCode] = {}

    def token(self, resource: str, key: EllipticCurvePrivateKey | None = None, **claims: Any) -> str:
        """The claims replace the usual ones; None removes one."""
        usual = {"iss": self.url, "aud": resource, "sub": "ann", "scope": SCOPE, "exp": int(time.time()) + HOUR}
        said = {name: value for name, value in (usual | claims).items() if value is not None}
        return jwt.encode(said, key or self._key, "ES256", {"kid": KEY_ID})

    def routes(self) -> list[Route]:
        registration = ClientRegistrationOptions(enabled=True, valid_scopes=list(SCOPES))
        return [
            *create_auth_routes(self, AnyHttpUrl(self.url), client_registration_options=registration),
            Route("/.well-known/openid-configuration", self._metadata),
            Route("/keys", self._keys),
        ]

    async def _metadata(self, _: object) -> JSONResponse:
        return JSONResponse({"issuer": self.url, "jwks_uri": f"{self.url}keys"})

    async def _keys(self, _: object) -> JSONResponse:
        public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self._key.public_key()))
        return JSONResponse({"keys": [public | {"kid": KEY_ID, "use": "sig", "alg": "ES256"}]})

    async def get_client(self, id: str) -> OAuthClientInformationFull | None:
        return self._clients.get(id)

    async def register_client(self, client: OAuthClientInformationFull) -> None:
        self._clients[str(client.client_id)] = client

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        code = f"code{len(self._codes)}"
        asked = params.model_dump(include={"code_challenge", "redirect_uri", "redirect_uri_provided_explicitly"})
        self._codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + HOUR,
            client_id=str(client.client_id),
            resource=params.resource,
            **asked,
        )
        return f"{params.redirect_uri}?{urlencode({'code': code, 'state': params.state, 'iss': self.url})}"

    async def load_authorization_code(self, _: object, code: str) -> AuthorizationCode | None:
        return self._codes.get(code)

    async def exchange_authorization_code(self, _: object, code: AuthorizationCode) -> OAuthToken:
        granted = " ".join(code.scopes)
        return OAuthToken(access_token=self.token(code.resource or "", scope=granted), expires_in=HOUR, scope=granted)


@contextmanager
def issuing() -> Iterator[Issuer]:
    app = Starlette()
    with serving(app) as url:  # type: ignore[arg-type]
        issuer = Issuer(f"{url}/")
        app.router.routes.extend(issuer.routes())
        yield issuer
