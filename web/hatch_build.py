"""The package's build hook: no wheel, source archive or editable install without its pages."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        runpy.run_path(str(Path(self.root) / "web" / "build.py"))["build"]()
