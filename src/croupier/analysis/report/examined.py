"""The examination of a source of outcomes: as `croupier rng` prints it, and as a report that a lab can file."""

from __future__ import annotations

from croupier import __version__
from croupier.analysis.simulate.randomness import Examination, Found, SampleResult
from croupier.paper.document import Document, Facts, Part, Rows, Section, Signatures, Words

_HEADS = ("test", "looks at", "cells", "statistic", "freedom", "p", "")


def examination(found: Examination) -> Document:
    """The source, every test, and the verdict."""
    numbers = ("first sample", "second sample")
    facts = (
        ("device", found.device),
        ("program", f"Croupier {__version__}"),
        ("level", f"{1 - found.level:.0%} confidence for all tests together"),
    )
    sections = (
        Section(f"The {name}: {look.outcomes:,} outcomes", _look(look))
        for name, look in zip(numbers, found.looks, strict=False)
    )
    title = f"Examination of randomness: {found.device}"
    return Document(title, found.looks[0].source, (Facts(facts),), tuple(sections), verdict(found))


def examined(found: Examination) -> Document:
    """The same as a report to be filed, with the rule and lines for signatures."""
    shown = examination(found)
    filed = Section("Filed", (Signatures(("Examined by", "Witnessed by", "Date and place")),))
    return shown._replace(sections=(*shown.sections, Section("The rule", _rule(found)), filed))


def verdict(found: Examination) -> str:
    first = found.looks[0]
    made = sum(test.p is not None for test in first.tests)
    match found.verdict:
        case "failed":
            return f"FAILED. On two samples, one after the other, this spoke: {', '.join(found.alarms)}."
        case "examine again":
            return (
                f"NOT PASSED: {', '.join(first.speaking)} spoke. One such finding is not an alarm: examine a fresh "
                "sample, and if the same test speaks again, the source has failed."
            )
        case "passed" if len(found.looks) == 2:
            return (
                f"PASSED. {', '.join(first.speaking)} spoke on the first sample and not on the second: by the rule, "
                "chance."
            )
        case "passed":
            return f"PASSED. None of {made} tests spoke on {first.outcomes:,} outcomes."


def _look(look: SampleResult) -> tuple[Part, ...]:
    facts = Facts(
        (
            ("source", look.source),
            ("outcomes", f"{look.outcomes:,}, {look.symbols:,} symbols"),
            ("SHA-256 of the sample", look.digest),
            ("a test speaks", f"if its p is below {look.threshold:.6f}"),
            ("smallest bias seen", f"one symbol {look.sees:.2%} too often or too rare, in 99 of 100 such samples"),
        ),
        frozenset({"SHA-256 of the sample"}),
    )
    return facts, Rows(_HEADS, tuple(_row(test) for test in look.tests), frozenset(_HEADS[2:6]), frozenset(_HEADS[1:2]))


def _row(test: Found) -> tuple[str, ...]:
    if test.p is None or test.statistic is None:
        return test.test, test.what, "", "", "", "", f"not made: needs {test.needs:,}"
    freedom = str(test.freedom) if test.freedom else "normal"
    spoke = "SPEAKS" if test.speaks else "silent"
    return test.test, test.what, f"{test.cells:,}", f"{test.statistic:,.3f}", freedom, f"{test.p:.4f}", spoke


def _rule(found: Examination) -> tuple[Part, ...]:
    false = found.level**2
    return (
        Words(
            "The suite is fixed beforehand; which of its tests are made depends only on the length of the sample. A "
            f"test speaks when its p-value is below {found.level:g} divided by the number of tests made (Bonferroni), "
            f"so a fair source makes any of them speak in at most {found.level:.0%} of samples. What speaks is looked "
            "at once more, on a fresh sample; it is an alarm only if the same test speaks again. A fair source then "
            f"raises an alarm at most once in {1 / false:,.0f} examinations."
        ),
        Words(
            "Chi-square: cells as likely as the rulebook's ways have them, none that expects fewer than 5; neighbours "
            "of a tail are thrown together. Runs: values on the middle are left out. Gap, poker, coupon and "
            "permutation are those of Knuth, with exact probabilities; groups of the permutation test in which an "
            "outcome repeats are left out. The smallest bias is that of chi-square over the symbols (dice: faces), by "
            "the noncentral distribution.",
            quiet=True,
        ),
    )
