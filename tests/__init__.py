"""A package of its own, so that no other of this name, wherever installed, is taken for it."""
