"""What a pushed view sends to a viewer, and when it sends the time alone."""

from __future__ import annotations

import msgspec

from croupier.server.staff.feeds import AGAIN, Feed, Viewer


class View(msgspec.Struct, frozen=True):
    round: int
    phase: str


def test_a_viewer_is_sent_changes_and_after_a_while_the_time_alone() -> None:
    clock = [1_000_000]
    views = [View(7, "ready"), View(7, "betting")]
    feed = Feed(lambda: (3, views[0]), lambda: clock[0])
    viewer = Viewer("a session")

    def told() -> object:
        feed._refresh()
        body = feed.next_message(viewer)
        return None if body is None else msgspec.json.decode(body)

    assert told() == {"seq": 3, "now": 1_000_000, "snapshot": {"round": 7, "phase": "ready"}}
    assert told() is None
    views.pop(0)
    clock[0] += 500
    assert told() == {"seq": 3, "now": 1_000_500, "changed": {"phase": "betting"}}
    clock[0] += int(AGAIN * 1000) - 1
    assert told() is None
    clock[0] += 1
    assert told() == {"seq": 3, "now": 1_010_500, "changed": {}}
    assert told() is None
