"""A Player Terminal as a program: connects, bets, gets the result. Whatever happens to the line, an act counts once.

    import asyncio
    from croupier.client import TerminalClient

    async def main():
        async with TerminalClient("ws://127.0.0.1:7002/", token) as terminal:
            await terminal.until(lambda: terminal.room.phase == "betting")
            answer = await terminal.bet("small", 10_00)      # cents; answered once it is on disk
            print(answer)                                    # Ok(id='…', credit=…, held=1000) or No(…)
            number = terminal.room.round
            await terminal.until(lambda: terminal.own.last and terminal.own.last.round == number)
            print(terminal.own.last)                         # the result, each bet's fate and clause

    asyncio.run(main())

The same without asyncio:

    from croupier.client import SyncTerminalClient

    with SyncTerminalClient("ws://127.0.0.1:7002/", token) as terminal:
        terminal.until(lambda: terminal.room.phase == "betting")
        print(terminal.bet("small", 10_00))

A token comes from `croupier enrol`, or from the demo's page. docs/protocol.md describes the messages.
"""

from croupier.client.sync import SyncTerminalClient
from croupier.client.terminal import Answer, SentAway, TerminalClient
from croupier.protocol.terminal import Book, No, Ok, Own, OwnBet, OwnRound, RoomView, Welcome

__all__ = [
    "Answer",
    "Book",
    "No",
    "Ok",
    "Own",
    "OwnBet",
    "OwnRound",
    "RoomView",
    "SentAway",
    "SyncTerminalClient",
    "TerminalClient",
    "Welcome",
]
