"""A table is played, corrected and verified under the text it was made under, whatever the book says today."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.rules.library import rulebook_text
from croupier.store.journal import Store
from croupier.store.recorder import Recorder
from croupier.store.verify import verify
from croupier.transcript.play import play
from tests.store.conftest import Open
from tests.support.recorders import ANN, correct, play_round, record, table_of

BOOK = "rws-sicbo-etg-v2"
SMALL = """boxes = "small"
wins = "total 4 to 10, not a triple"
pays = "{0} to 1"
win_clause = "4.1.1"
odds_clause = "4.1.1"
label = "SMALL 4 - 10"
prints = "1 WINS {0} EXCEPT FOR ANY TRIPLE"
"""


@pytest.mark.parametrize("pays", [1, 2])
def test_a_round_is_settled_corrected_and_verified_under_the_text_of_its_table(
    store: Store, open_store: Open, tmp_path: Path, pays: int
) -> None:
    """A text with the id of an approved book in which Small pays otherwise, as it might in another year."""
    text = rulebook_text(BOOK)
    assert text.count(SMALL.format(1)) == 1
    file = tmp_path / f"{BOOK}.toml"
    file.write_text(text.replace(SMALL.format(1), SMALL.format(pays)))
    made = record(store, play(f"table T {file} A\nseat Ann 100.00\n"), law=file.read_text())
    play_round(made, 1, "112")
    assert table_of(made).seats[ANN].credit == 100_00 + pays * 1_00
    recovered = Recorder.recover(open_store(), "two", 10_000, 5_000, "T")
    assert recovered.subject.state() == made.subject.state()
    correct(recovered, 1, "4-5-6", 20_000)
    assert table_of(recovered).seats[ANN].credit == 100_00 - 1_00
    correct(recovered, 1, "1-2-2", 30_000)
    assert table_of(recovered).seats[ANN].credit == 100_00 + pays * 1_00
    assert verify(store).lies == []
