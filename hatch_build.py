"""Refuses to build a distribution without the page, which node builds before Python packages it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src/aforesaid/ui/dist/index.html")


class PageCheck(BuildHookInterface):  # type: ignore[type-arg]
    """An editable install needs no page: `make setup` installs first and builds the page then."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's signature)
        if version != "editable" and not (Path(self.root) / PAGE).is_file():
            raise FileNotFoundError(
                f"{PAGE} is missing: the package would have no page. Run `make page` first, which needs node 20.19 or "
                "newer and npm, and then build again."
            )
