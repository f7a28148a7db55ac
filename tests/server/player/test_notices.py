"""The notices of every evening of the transcripts: every case, from its facts, in both languages."""

from __future__ import annotations

from croupier.protocol.notices import NOTICES
from croupier.protocol.terminal import Notice
from croupier.server.player.notices import notices_of
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from croupier.transcript.play import play
from croupier.words import notice
from tests.support.transcripts import FILES

NO_EVENING = {
    ("loss", "records"): "rows were lost; tests/floor/test_shortened.py",
    ("corrected", "void-same"): "here below",
}


def test_every_notice_of_every_evening_is_declared_and_has_a_sentence() -> None:
    told: dict[tuple[str, str], Notice] = {}
    for file in FILES:
        boxes: dict[BetId, str] = {}
        for event in (event for turn in play(file.read_text()).turns for event in turn.events):
            if isinstance(event, m.BetPlaced):
                boxes[event.bet] = event.box
            told |= {(one.kind, one.case): one for _, one in notices_of(event, boxes)}
    declared = {(kind, case) for kind, cases in NOTICES.items() for case in cases}
    assert declared - told.keys() == NO_EVENING.keys()
    for (kind, case), one in told.items():
        assert one.message == f"{notice(kind, case, one.facts, one.clause)}."
        assert one.clause is None if kind == "book" else one.message.endswith(f"({one.clause}).")
        assert one.facts.get("box", "small"), one
        assert one.bet is None or f" {one.bet} " not in one.message
        assert "{$" not in notice(kind, case, one.facts, one.clause, "zh")


def test_a_player_whom_a_correction_costs_nothing_gets_a_notice() -> None:
    void = m.SettledRoundVoided("Sam", 1, RoundNumber(4), "damaged-dice", (), "a worn die", "5.6", (SeatId("A1"),))
    ((seat, told),) = notices_of(void, {})
    assert (seat, told.case, told.amount, told.round) == ("A1", "void-same", 0, 4)
    assert told.message == "Round 4 is void, because a worn die: nothing changes for you (5.6)."
