// A Colyseus room that keeps every bet in memory and acknowledges it: no rules, no limits, no disk.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Room, Server, matchMaker } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";

const [count, file] = [Number(process.argv[2]), process.argv[3]];

class Table extends Room {
  maxClients = Infinity;
  maxMessagesPerSecond = Infinity;
  patchRate = null;
  seatReservationTimeout = 600;

  onCreate() {
    this.seats = new Map();
    this.onMessage("bet", (client, said) => {
      const seat = this.seats.get(client.sessionId);
      for (const bet of said.bets) {
        if (seat.bets.has(bet.id)) continue;
        seat.bets.set(bet.id, { round: said.round, box: bet.box, stake: bet.stake });
        seat.credit -= bet.stake;
        seat.held += bet.stake;
        client.send("ok", { id: bet.id, credit: seat.credit, held: seat.held });
      }
    });
  }

  onJoin(client) {
    this.seats.set(client.sessionId, { credit: 1e11, held: 0, bets: new Map() });
    client.send("ready", {});
  }

  clear() {
    for (const seat of this.seats.values()) {
      seat.held = 0;
      seat.bets.clear();
    }
  }
}

const server = new Server({ transport: new WebSocketTransport({ pingInterval: 0 }), greet: false });
server.define("table", Table);
await server.listen(0, "127.0.0.1");
const port = server.transport.server.address().port;
const lines = [];
let first;
for (let n = 0; n < count; n++) {
  const seat = await matchMaker.joinOrCreate("table", {});
  first ??= seat;
  const [process, room] = [seat.processId ?? seat.room.processId, seat.roomId ?? seat.room.roomId];
  lines.push(`/${process}/${room}?sessionId=${seat.sessionId} 0a 1 ${Buffer.from("ready").toString("hex")}`);
}
writeFileSync(file, `${lines.join("\n")}\n`);
console.log(JSON.stringify({ port }));
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "round") matchMaker.getLocalRoomById(first.roomId ?? first.room.roomId).clear();
  if (line === "quit") process.exit(0);
  const used = process.cpuUsage();
  console.log(JSON.stringify({ round: 1, used: (used.user + used.system) / 1e6, memory: process.memoryUsage().rss }));
}
