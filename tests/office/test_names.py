"""Names of people: written in one way, in one script, and never two that people take for one another."""

from __future__ import annotations

import unicodedata

import pytest

from croupier.office.names import check_new_name, look_of
from croupier.office.state import new_office
from croupier.rules.refusal import Refused

HERE = ("Sam", "Ann", "Bob", "O'Neil", "Marna", "Олег", "王明")


def refused(name: str, others: tuple[str, ...] = HERE) -> Refused:
    with pytest.raises(Refused) as no:
        check_new_name(name, others)
    assert no.value.reason == "name"
    return no.value


@pytest.mark.parametrize(
    ("name", "is_like"),
    [
        ("sam", "Sam"),
        ("SAM", "Sam"),
        ("Ѕам", "Sam"),  # all Cyrillic
        ("ΒΟΒ", "Bob"),  # all Greek
        ("вов", "Bob"),
        ("B0b", "Bob"),
        ("Mama", "Marna"),
        ("Олeг".replace("e", "е").upper(), "Олег"),
    ],
)
def test_no_name_looks_like_another(name: str, is_like: str) -> None:
    assert refused(name).facts == {"name": name, "other": is_like}
    assert look_of(name) == look_of(is_like) or name.casefold() == is_like.casefold()


@pytest.mark.parametrize("name", ["Sаm", "Βob", "Αnn", "Aнн", "Ann王", "Samα"])
def test_a_name_has_one_script(name: str) -> None:
    assert (refused(name).case, len(set(refused(name).facts.values()))) == ("two-scripts", 3)


def test_a_name_is_written_in_one_way() -> None:
    for name in ("Ｓａｍ２", "Rene\u0301", "ﬁona", "Ⅳan"):
        assert refused(name).facts == {"name": name, "plain": unicodedata.normalize("NFKC", name)}
    for name in ("Sam\u0327", "Ann★", "Ann\u02bb", "Сам\u0301", "ᏚᎪᎷ", "😀"):
        assert (refused(name).case, str(refused(name).facts["letter"]) in name) == ("letter", True)


def test_names_of_many_people_are_fine_beside_one_another() -> None:
    names = [*HERE]
    more = (
        "Sami",
        "René",
        "Rene",
        "Иван",
        "Ελένη",
        "小林",
        "たなか",
        "김철수",
        "محمد",
        "דנה",
        "สมชาย",
        "கமலா",
        "Dev-2",
        "J.R.",
    )
    for name in more:
        check_new_name(name, names)
        names.append(name)


def test_an_office_of_before_keeps_its_names() -> None:
    """Whoever has an account in a journal of before keeps it, however they are called."""
    both = {"Sam": ("administrator",), "Sаm": ("dealer",)}
    assert len(new_office(both).accounts) == 2  # type: ignore[arg-type]
    with pytest.raises(Refused, match="two-scripts"):
        new_office(both, 1)  # type: ignore[arg-type]
