"""Answers in fractions, or within a stated error."""
