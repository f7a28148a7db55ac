"""The journal: every decision is on disk before anyone sees it, with its transfers and replies in one transaction."""
