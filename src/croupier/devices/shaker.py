"""A dice shaker and the camera that reads its dice, over MQTT.

The shaker is sent `/cycle/?pattern=..&amplitude=..&duration=..` and replies S2 received, S1 shaking, S0 idle, S90
fault. The camera is asked to detect and answers `{"response":"result","arg":{"round_id":…,"res":[2,3,5],"err":0}}`.
The length of a shake does not prove how often the dice tumbled, so cycles are counted, or the Dealer counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.devices.port import (
    Act,
    Capability,
    CoverLifted,
    Fault,
    Monotonic,
    Moving,
    Offline,
    OfflineCase,
    OnFact,
    Online,
    Progress,
    Rested,
    Shown,
    Time,
    Warned,
)
from croupier.rules.outcomes import DICE, FACES, Outcome
from croupier.rules.refusal import Refused

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

TICK = 0.05  # seconds


class Shake(msgspec.Struct, frozen=True):
    """How to shake. `cycles` 0: one shake without a count; else so many shakes, each of which counts as one tumble."""

    pattern: int = 0
    amplitude: int = 50
    duration: int = 3
    cycles: int = 0

    def command(self) -> bytes:
        return f"/cycle/?pattern={self.pattern}&amplitude={self.amplitude}&duration={self.duration}".encode("ascii")


class Topics(msgspec.Struct, frozen=True):
    """The topics of the House's broker. The last two belong to the camera."""

    command: str
    state: str
    detect: str
    result: str


class Patience(msgspec.Struct, frozen=True):
    """Milliseconds to wait for the shaking to begin, for it to end after its duration, and for the camera."""

    begin: int = 3000
    end: int = 5000
    camera: int = 5000


class _Arg(msgspec.Struct):
    round_id: str
    res: list[int] | None = None
    err: int = 0


class _Result(msgspec.Struct):
    response: str
    arg: _Arg


class ShakerMessages:
    """Makes facts of the messages of the shaker and the camera. Sends with `cycle` and `detect`, and never waits."""

    def __init__(
        self,
        device: str,
        on_fact: OnFact,
        *,
        shake: Shake,
        covered: bool,
        cycle: Callable[[], None],
        detect: Callable[[str], None],
        patience: Patience,
    ) -> None:
        self.device = device
        self.phase = "idle"
        """idle, asked, received, shaking, or reading"""
        self._on_fact = on_fact
        self._shake = shake
        self._covered = covered
        self._cycle = cycle
        self._detect = detect
        self._patience = patience
        self._done = 0
        self._asks = 0
        self._asked = ""
        self._read: tuple[int, ...] | None = None
        self._deadline: int | None = None
        self._faulty = False
        self._counts = False

    def begin(self, at: int) -> None:
        self._done, self._counts = 0, self._shake.cycles > 0
        self._next_cycle(at)

    def _next_cycle(self, at: int) -> None:
        self.phase, self._deadline = "asked", at + self._patience.begin
        self._cycle()

    def read_dice(self, at: int) -> None:
        """Ask the camera. In a covered game only once the cover is off: the camera must not read the dice before."""
        self._asks += 1
        self._asked, self._read = f"{self.device}-{at}-{self._asks}", None
        self.phase, self._deadline = "reading", at + self._patience.camera
        self._detect(self._asked)

    def state(self, payload: bytes, at: int) -> None:
        match payload.strip():
            case b"S2":
                self._received(at)
            case b"S1":
                self._shaking(at)
            case b"S0":
                self._idle(at)
            case b"S90":
                self._fault(at)
            case _:
                self._warn("garbled", at)

    def _received(self, at: int) -> None:
        if self.phase == "asked":
            self.phase, self._deadline = "received", at + self._patience.begin

    def _shaking(self, at: int) -> None:
        if self.phase == "shaking":
            return
        if self.phase == "asked":
            # A repeated message of an earlier cycle: this cycle was not received, and must not count as a tumble.
            self._warn("out-of-order", at)
            return
        asked = self.phase == "received"
        if not asked:
            # Not asked for: the dice that the camera was to read have moved, and one shake ends this motion.
            self._warn("reshake", at)
            self._asked, self._done, self._counts = "", self._shake.cycles, False
        if not asked or self._done == 0:
            self._on_fact(Moving(self.device, at))
        if self._counts:
            self._on_fact(Progress(self.device, at, "tumble", self._done + 1, self._shake.cycles))
        self._faulty = False
        self.phase, self._deadline = "shaking", at + 1000 * self._shake.duration + self._patience.end

    def _idle(self, at: int) -> None:
        # Idle before the shaking is the state before the command. If no shake follows, the deadline passes.
        if self.phase != "shaking":
            return
        self._done += 1
        if self._done < self._shake.cycles:
            self._next_cycle(at)
        else:
            self._at_rest(at)

    def _at_rest(self, at: int) -> None:
        self.phase, self._deadline = "idle", None
        self._on_fact(Rested(self.device, at, self._done if self._counts else 0))
        if not self._covered:
            self.read_dice(at)

    def _fault(self, at: int) -> None:
        if not self._faulty:
            self._faulty = True
            self._warn("motor-fault", at)
        if self.phase in ("asked", "received", "shaking"):
            self.phase, self._deadline = "idle", None

    def camera(self, payload: bytes, at: int) -> None:
        try:
            message = msgspec.json.decode(payload, type=_Result)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._warn("garbled", at)
            return
        if message.response == "result":
            self._result(message.arg, at)

    def _result(self, arg: _Arg, at: int) -> None:
        faces = tuple(sorted(arg.res or ()))
        if not self._asked or arg.round_id != self._asked:
            self._warn("late" if self._asks else "unasked", at)
        elif self._read is not None:
            self._warn("duplicate" if faces == self._read else "contradiction", at)
        elif self.phase != "reading":
            self._warn("late", at)
        else:
            self.phase, self._deadline, self._read = "idle", None, faces
            self._show(faces, arg.err, at)

    def _show(self, faces: tuple[int, ...], err: int, at: int) -> None:
        shown = tuple(map(str, faces))
        if err or not set(shown) <= set(FACES) or len(shown) > DICE:
            self._warn("unreadable-die", at)
        elif len(shown) < DICE:
            self._warn("die-lost", at)
        else:
            self._on_fact(Progress(self.device, at, "face", DICE, DICE, shown))
            self._on_fact(Shown(self.device, at, Outcome("-".join(shown))))

    def tick(self, at: int) -> None:
        """Warn of what did not happen in time."""
        if self._deadline is None or at < self._deadline:
            return
        late: dict[str, Fault] = {"shaking": "stuck-sensor", "reading": "unreadable-die"}
        self._warn(late.get(self.phase, "no-shake"), at)
        self.phase, self._deadline = "idle", None

    def _warn(self, what: Fault, at: int) -> None:
        self._on_fact(Warned(self.device, at, what))


class MqttShaker:
    """The driver: one connection to the House's broker, opened again when it is lost. Needs the extra `mqtt`."""

    def __init__(
        self,
        name: str,
        host: str,
        port: int,
        topics: Topics,
        *,
        covered: bool,
        shake: Shake | None = None,
        patience: Patience | None = None,
        picture: str = "",
        time: Time | None = None,
    ) -> None:
        self.name = name
        self._host, self._port, self._topics = host, port, topics
        self._covered = covered
        self._shake = shake or Shake()
        self.capabilities = self.able(cycles=self._shake.cycles)
        self._patience = patience or Patience()
        self._picture = picture
        self._time = time or Monotonic()
        self._client: Client | None = None
        self._messages: ShakerMessages | None = None
        self._on_fact: OnFact | None = None
        self._online: bool | None = None

    @staticmethod
    def able(*, cycles: int) -> frozenset[Capability]:
        """One long shake is not counted; the Dealer lifts the cover by hand."""
        return frozenset(("tumble", "reads", "counts") if cycles else ("tumble", "reads"))

    async def run(self, on_fact: OnFact) -> None:
        self._on_fact, self._online = on_fact, None
        self._messages = ShakerMessages(
            self.name,
            on_fact,
            shake=self._shake,
            covered=self._covered,
            cycle=self._cycle,
            detect=self._detect,
            patience=self._patience,
        )
        self._client = self._make_client(asyncio.get_running_loop())
        self._client.connect_async(self._host, self._port, keepalive=5)
        self._client.loop_start()
        try:
            while True:
                await asyncio.sleep(TICK)
                self._messages.tick(self._time.now())
        finally:
            self._on_fact = self._online = None
            self._client.disconnect()
            await asyncio.to_thread(self._client.loop_stop)

    def _make_client(self, loop: asyncio.AbstractEventLoop) -> Client:
        """The client calls back on its own thread; each callback is passed to the loop."""
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError:
            raise Refused("missing", "mqtt", device=self.name) from None

        def on_connect(client: Client, data: Any, flags: Any, reason: Any, properties: Any) -> None:
            if reason.is_failure:
                loop.call_soon_threadsafe(self._is_offline, "broker", str(reason))
                return
            client.subscribe([(self._topics.state, 1), (self._topics.result, 1)])
            loop.call_soon_threadsafe(self._is_online)

        def on_lost(client: Client, data: Any, *rest: Any) -> None:
            loop.call_soon_threadsafe(self._is_offline, "no-broker")

        def on_message(client: Client, data: Any, message: MQTTMessage) -> None:
            loop.call_soon_threadsafe(self._receive, message.topic, bytes(message.payload))

        client = Client(CallbackAPIVersion.VERSION2, client_id=f"croupier-{self.name}")
        client.on_connect = on_connect
        client.on_disconnect = on_lost
        client.on_connect_fail = on_lost
        client.on_message = on_message
        client.reconnect_delay_set(1, 5)
        return client

    def _receive(self, topic: str, payload: bytes) -> None:
        if self._messages is None or self._on_fact is None:
            return
        if topic == self._topics.state:
            self._messages.state(payload, self._time.now())
        elif topic == self._topics.result:
            self._messages.camera(payload, self._time.now())

    def _is_online(self) -> None:
        if not self._online and self._on_fact is not None:
            self._online = True
            self._on_fact(Online(self.name, self._time.now()))

    def _is_offline(self, why: OfflineCase, error: str = "") -> None:
        if self._online is not False and self._on_fact is not None:
            self._online = False
            self._on_fact(Offline(self.name, self._time.now(), why, {"error": error} if error else {}))

    def _cycle(self) -> None:
        self._publish(self._topics.command, self._shake.command())

    def _detect(self, round_id: str) -> None:
        order = {"command": "detect", "arg": {"round_id": round_id, "input": self._picture}}
        self._publish(self._topics.detect, msgspec.json.encode(order))

    def _publish(self, topic: str, payload: bytes) -> None:
        assert self._client
        # At most once: an order that waits for a connection would shake the dice at the wrong time.
        if self._online:
            self._client.publish(topic, payload, qos=0)

    def check(self, act: Act) -> None:
        can = ("tumble", "uncover") if self._covered else ("tumble",)
        if act not in can:
            raise Refused("act", "unable", device=self.name, act=act, able=can)
        if not self._online or self._messages is None:
            raise Refused("offline", "device", device=self.name)
        if self._messages.phase != "idle":
            raise Refused("busy", "in-motion", device=self.name, act=act)

    async def act(self, act: Act) -> None:
        self.check(act)
        assert self._messages
        now = self._time.now()
        if act == "tumble":
            self._messages.begin(now)
        else:
            self._uncovered(now)

    def _uncovered(self, now: int) -> None:
        """The Dealer has lifted the cover: now the camera may look."""
        assert self._messages
        assert self._on_fact
        self._on_fact(CoverLifted(self.name, now))
        self._messages.read_dice(now)
