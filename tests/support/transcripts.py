"""All evenings that stand as text in tests/transcripts."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "transcripts"
FILES = sorted(FOLDER.rglob("*.round"))
