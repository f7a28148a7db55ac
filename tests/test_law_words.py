"""The sentences of the books that a Dealer reads on the console are there in Chinese, each of them and no others."""

from __future__ import annotations

import json
import re
from pathlib import Path

from croupier import load_rulebook, rulebook_ids

CHINESE = json.loads((Path(__file__).parents[1] / "web" / "src" / "law" / "zh.json").read_text())


def test_every_prompt_and_every_irregularity_is_told_in_chinese() -> None:
    books = [load_rulebook(id) for id in rulebook_ids()]
    spoken = {prompt.says for book in books for prompt in book.prompts}
    spoken |= {part.trigger for book in books for part in book.irregularities}
    assert spoken - CHINESE.keys() == set()
    assert CHINESE.keys() - spoken == set(), "no book says this any more"


def test_clauses_and_rules_named_in_a_sentence_are_named_in_its_translation() -> None:
    for english, chinese in CHINESE.items():
        assert re.search(r"[\u4e00-\u9fff]", chinese), chinese
        for clause in re.findall(r"\d+\.\d+(?:\(\w\))*", english):
            assert clause in chinese, (english, chinese)
