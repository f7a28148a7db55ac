"""The bound that a page of the screens keeps, as it is built and as a browser loads it."""

MOST_BYTES = 150_000
"""Bytes that a page may take, compressed, until it can be used."""
