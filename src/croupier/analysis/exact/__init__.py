"""Exact answers: fractions, or numbers within a stated error."""
