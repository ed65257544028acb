"""Who may make the server call somewhere."""

from __future__ import annotations

from recollect.access.principal import Principal
from recollect.access.refusal import NotAllowed

SCHEMES = ("http:", "https:")


def check(principal: Principal, *models: str | None) -> None:
    """A model that is named by its address is called there when something is summed up: that is for admins to say. A
    provider's name reaches only where whoever runs the server has said."""
    named = any(model is not None and model.strip().lower().startswith(SCHEMES) for model in models)
    if named and not principal.may("admin"):
        raise NotAllowed("a model that is named by its address needs a key that may admin; name one by its provider")
