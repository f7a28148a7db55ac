"""Names of people: one spelling, one script, and no two names that are the same or look the same.

`_ALIKE` lists letters that fonts draw alike in the scripts below, after the Unicode Standard for identifiers (UTS 39).
Each name uses one script, so only a whole name can be mistaken for another.
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
"""The script by the first word of a letter's Unicode name."""
_ANY = "0123456789-.'_"
"""Characters that a name of any script may have."""

_ALIKE = str.maketrans(
    # Latin and digits
    "I1|ı0ǀȷĸ"
    # Cyrillic
    "АВЕКМНОРСТУХЅІЈԚԜӀҮаеорсухѕіјԛԝһԁӏүгкпЬЗьвнтм"
    # Greek
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονρικυγηχωτ"
    # Katakana that look like Chinese
    "ロエニカタハトヘー",
    "lllioljkABEKMHOPCTYXSlJQWlYaeopcyxsijqwhdlyrknb3bBHTMABEZHlKMNOPTYXaovpikuynxwt口工二力夕八卜へ一",
)
_TWO_AS_ONE = (("rn", "m"), ("vv", "w"))


def check_new_name(name: str, others: Iterable[str]) -> None:
    """Refuse a name that a new account cannot have, given the names of the others."""
    plain = unicodedata.normalize("NFKC", name)
    if plain != name:
        raise Refused("name", "written-otherwise", name=name, plain=plain)
    scripts = _scripts(name)
    if len(scripts) > 1:
        raise Refused("name", "two-scripts", name=name, one=scripts[0], other=scripts[1])
    seen = look_of(name)
    for other in others:
        if other == name:
            continue  # the same name is refused elsewhere
        if unicodedata.normalize("NFKC", other).casefold() == name.casefold() or look_of(other) == seen:
            raise Refused("name", "looks-like", name=name, other=other)


def look_of(name: str) -> str:
    """A text that is equal for names that look alike."""
    seen = unicodedata.normalize("NFKC", name).translate(_ALIKE).casefold()
    for two, one in _TWO_AS_ONE:
        seen = seen.replace(two, one)
    return seen


def _scripts(name: str) -> list[str]:
    """The scripts of a name's letters, in order. Refuses a letter that names cannot have."""
    found: dict[str, None] = {}
    for letter in name:
        if letter in _ANY:
            continue
        word = unicodedata.name(letter, "").partition(" ")[0]
        if word not in _SCRIPTS or unicodedata.category(letter)[0] not in "LM":
            raise Refused("name", "letter", letter=letter)
        found[_SCRIPTS[word]] = None
    return list(found)
