"""Mutation testing: small bugs made by a program, one at a time; each should turn a test red. See docs/mutation.md."""
