"""The package's build hook: no wheel, source archive or editable install without its pages and words; no wheel without
tables."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        runpy.run_path(str(Path(self.root) / "web" / "build.py"))["build"]()
        if self.target_name == "wheel" and version == "standard":
            # Where nobody has made tables yet, a demonstration plays at those that come with Croupier.
            build_data["force_include"][str(Path(self.root) / "tables")] = "croupier/tables"
