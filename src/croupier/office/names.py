"""Names of people: one way to write each, one script, and no two that are the same or look the same.

What looks alike is a table of our own: the letters that fonts draw alike in the scripts named here, as the Unicode
Standard lists them for identifiers (UTS 39). With one script a name, only whole names can be taken for others.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from croupier.rules.refusal import Refused

_SCRIPTS = {
    "LATIN": "latin",
    "GREEK": "greek",
    "CYRILLIC": "cyrillic",
    **dict.fromkeys(("CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"), "chinese-or-japanese"),
    "HANGUL": "hangul",
    "ARABIC": "arabic",
    "HEBREW": "hebrew",
    "THAI": "thai",
    "DEVANAGARI": "devanagari",
    "TAMIL": "tamil",
}
"""By the first word of a letter's name."""
_ANY = "0123456789-.'_"
"""What stands beside letters of every script."""

_ALIKE = str.maketrans(
    # Latin and digits
    "I1|ı0ǀȷĸ"
    # Cyrillic
    "АВЕКМНОРСТУХЅІЈԚԜӀҮаеорсухѕіјԛԝһԁӏүгкпЬЗьвнтм"
    # Greek
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονρικυγηχωτ"
    # Katakana beside Chinese
    "ロエニカタハトヘー",
    "lllioljkABEKMHOPCTYXSlJQWlYaeopcyxsijqwhdlyrknb3bBHTMABEZHlKMNOPTYXaovpikuynxwt口工二力夕八卜へ一",
)
_TWO_AS_ONE = (("rn", "m"), ("vv", "w"))


def check_new_name(name: str, others: Iterable[str]) -> None:
    """Refuse a name that a new account cannot have beside those of others."""
    plain = unicodedata.normalize("NFKC", name)
    if plain != name:
        raise Refused("name", "written-otherwise", name=name, plain=plain)
    scripts = _scripts(name)
    if len(scripts) > 1:
        raise Refused("name", "two-scripts", name=name, one=scripts[0], other=scripts[1])
    seen = look_of(name)
    for other in others:
        if other == name:
            continue  # that it is there is another refusal
        if unicodedata.normalize("NFKC", other).casefold() == name.casefold() or look_of(other) == seen:
            raise Refused("name", "looks-like", name=name, other=other)


def look_of(name: str) -> str:
    """The same for names that people take for one another."""
    seen = unicodedata.normalize("NFKC", name).translate(_ALIKE).casefold()
    for two, one in _TWO_AS_ONE:
        seen = seen.replace(two, one)
    return seen


def _scripts(name: str) -> list[str]:
    """The scripts of its letters, in their order; Refused if one is not for names."""
    found: dict[str, None] = {}
    for letter in name:
        if letter in _ANY:
            continue
        word = unicodedata.name(letter, "").partition(" ")[0]
        if word not in _SCRIPTS or unicodedata.category(letter)[0] not in "LM":
            raise Refused("name", "letter", letter=letter)
        found[_SCRIPTS[word]] = None
    return list(found)
