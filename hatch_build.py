"""Build hooks: refuses a wheel or an sdist without the page, and makes the links of the readme absolute for PyPI."""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGE = "src/aforesaid/ui/dist/index.html"
DATA = "src/aforesaid/providers/data/static_rows.npy"
RELATIVE = re.compile(r"\]\((?!https?:|#|mailto:)([^)]+)\)")


class RequirePage(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if version == "editable":  # a developer builds the page later
            return
        for file, remedy in ((PAGE, "run `make page` first (it needs node)"), (DATA, "check out the whole repository")):
            if not (Path(self.root) / file).is_file():
                raise FileNotFoundError(f"{file} is missing, and the package would be incomplete; {remedy}")


class AbsoluteLinks(MetadataHookInterface):
    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Links and pictures lead to the repository, because PyPI shows the readme alone."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        source = metadata["urls"]["Source"]
        raw = source.replace("https://github.com/", "https://raw.githubusercontent.com/") + "/main/"
        text = RELATIVE.sub(
            lambda link: f"]({raw if link[1].endswith(('.png', '.svg')) else source + '/blob/main/'}{link[1]})", text
        )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
