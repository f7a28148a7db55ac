"""Copies of the checkpoints where the people who keep the floor cannot reach them: a folder elsewhere, or an address.

The file of checkpoints is the queue. A thread for each place sends it line by line, in order, and notes how far it has
come in a file: what was not sent when a program ended is sent by the next. A line that may or may not have arrived is
sent again, so the receiver can get a line twice. To keep it twice does no harm.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import threading
import time
from base64 import b64encode
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from croupier.rules.bad_input import cause
from croupier.store.checkpoint import drop_torn_line, hash_of_line

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 60.0
"""Seconds between two tries; each pause is twice as long as the one before."""
LOOK = 1.0
"""Seconds after which the file is read even without a call of `wake`."""
PATIENCE = 10.0
"""Seconds for an address to answer."""
LATE = 30.0
"""Seconds behind after which there is an alert."""
NAME = "checkpoints.jsonl"
_TAIL = 1 << 20


class Copies:
    """Sends every line of a file of checkpoints to one place."""

    def __init__(self, file: Path, target: str, folder: Path) -> None:
        """`folder` holds the note of how far the copy has come."""
        self._file = file
        self._target = target
        self._sent = folder / f"copied-{hash_of_line(target.encode())[:12]}.json"
        self.name = shown(target)
        self.trouble = ""
        """Why the last try failed; empty if it did not."""
        self.behind = 0
        """Bytes of the file that are not sent yet."""
        self.lines = 0
        """Lines sent since the program began."""
        self._behind_since: float | None = None
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def late(self) -> bool:
        since = self._behind_since
        return since is not None and time.monotonic() - since > LATE

    @property
    def seconds_behind(self) -> float:
        """For how long it has been behind."""
        since = self._behind_since
        return 0.0 if since is None else time.monotonic() - since

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name=f"copies to {self.name}", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Read the file now: it has a new line."""
        self._wake.set()

    def wait(self, seconds: float) -> None:
        """Wait until everything is sent, at most so long."""
        self.wake()
        last = time.monotonic() + seconds
        while self._thread is not None and self.unsent() and time.monotonic() < last:
            time.sleep(0.02)

    def unsent(self) -> int:
        """Bytes of the file that are not sent yet, by the note."""
        return self._lag(self._place())

    def stop(self) -> None:
        self._ended.set()
        self._wake.set()

    # ---- the thread

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._ended.is_set():
            try:
                self._send_rest()
                self.trouble, pause = "", FIRST_PAUSE
                self._wake.wait(LOOK)
                self._wake.clear()
            except Exception as why:  # whatever the error is, there is another try
                self.trouble = _why(why)
                self._ended.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _send_rest(self) -> None:
        """Send the lines that are not sent yet."""
        place = self._place()
        while not self._ended.is_set():
            if not self._lag(place):
                return
            with self._file.open("rb") as file:
                file.seek(place)
                line = file.readline()
            if not line.endswith(b"\n"):
                return  # it is being written
            if line.strip():
                _send(self._target, line[:-1])
                self.lines += 1
            place += len(line)
            self._note(place, line[:-1])

    def _lag(self, place: int) -> int:
        size = self._file.stat().st_size if self._file.exists() else 0
        self.behind = max(0, size - place)
        if not self.behind:
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = time.monotonic()
        return self.behind

    def _place(self) -> int:
        """The end of the last line that was sent; the beginning, if the file is another than the one in the note."""
        try:
            noted = json.loads(self._sent.read_bytes())
            place, hash = int(noted["place"]), str(noted["hash"])
            begin = max(0, place - _TAIL)
            with self._file.open("rb") as file:
                file.seek(begin)
                before = file.read(place - begin)
        except (OSError, ValueError, KeyError, TypeError):
            return 0
        line = before[:-1].rpartition(b"\n")[2]
        same = begin + len(before) == place and before.endswith(b"\n") and hash_of_line(line) == hash
        return place if same else 0

    def _note(self, place: int, line: bytes) -> None:
        text = json.dumps({"to": self.name, "place": place, "hash": hash_of_line(line)})
        fresh = self._sent.with_suffix(".new")
        fresh.write_text(text)
        fresh.replace(self._sent)


def is_address(target: str) -> bool:
    return target.startswith(("http://", "https://"))


def shown(target: str) -> str:
    """A place as it may be shown to people, without a password."""
    if not is_address(target):
        return target
    parts = urlsplit(target)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def _send(target: str, line: bytes) -> None:
    if is_address(target):
        _post(target, line)
    else:
        _put(Path(target), line)


class _NoRedirect(HTTPRedirectHandler):
    """A redirected request would arrive without its text, so a redirect is a failure."""

    def redirect_request(self, *_: object) -> None:
        return None


_opener = build_opener(_NoRedirect)


def _post(address: str, line: bytes) -> None:
    parts, headers = urlsplit(address), {"Content-Type": "application/json"}
    who, _, where = parts.netloc.rpartition("@")
    if who:
        headers["Authorization"] = f"Basic {b64encode(unquote(who).encode()).decode()}"
    request = Request(parts._replace(netloc=where).geturl(), line + b"\n", headers, method="POST")
    with _opener.open(request, timeout=PATIENCE) as answer:
        answer.read(1024)


def _put(folder: Path, line: bytes) -> None:
    """Add a line to the copy in a folder, unless it has it. A missing folder is not made: its disk may be unmounted."""
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
    with (folder / NAME).open("ab+") as copy:
        fcntl.flock(copy, fcntl.LOCK_EX)
        drop_torn_line(copy)
        copy.seek(max(0, copy.tell() - _TAIL))
        if line in copy.read().split(b"\n"):
            return
        copy.write(line + b"\n")
        copy.flush()
        os.fsync(copy.fileno())


def _why(error: Exception) -> str:
    if isinstance(error, HTTPError):
        return f"HTTP {error.code}"
    if isinstance(error, URLError):
        error = error.reason if isinstance(error.reason, Exception) else error
    return cause(error)
