# The page /enter.

enter-title = One-time link
enter-once = This link signs in one person, once.
