import { assert, assertEquals } from "@std/assert";
import { inTurns, nextTurn, type Stages, Turns } from "./turns.ts";

/** Runs three stages for each name, each with the key of its first letter, and returns the names between turns. */
async function orderOf(names: readonly string[]): Promise<string> {
  const turns = new Turns();
  const events: string[] = [];
  const work = async (name: string) => {
    for (let stage = 0; stage < 3; stage++) {
      await turns.next(name[0]!);
      events.push(name);
    }
  };
  let isRunning = true;
  const count = () => {
    events.push("turn");
    if (isRunning) setTimeout(count, 0);
  };
  const all = Promise.all(names.map(work));
  setTimeout(count, 0);
  await all;
  isRunning = false;
  return events.join(" ").replaceAll(/(?:turn ?)+/g, "| ");
}

Deno.test("turns: between two turns of the event loop, one stage runs", async () => {
  assertEquals(await orderOf(["a", "b"]), "a | b | a | b | a | b");
});

Deno.test("turns: a key with more work does not delay another key", async () => {
  assertEquals(await orderOf(["a1", "a2", "a3", "b"]), "a1 | b | a2 | b | a3 | b | a1 | a2 | a3 | a1 | a2 | a3");
});

function* counted(stages: number, seen: string[], name: string): Stages<string> {
  for (let stage = 1; stage < stages; stage++) {
    seen.push(name);
    yield;
  }
  seen.push(name);
  return name;
}

Deno.test("stages: stages of different keys take turns", async () => {
  const seen: string[] = [];
  assertEquals(await Promise.all(["b", "c"].map((name) => inTurns(counted(3, seen, name), name))), ["b", "c"]);
  assertEquals(seen.join(""), "bcbcbc");
});

/** A thread that connects to a port, and sends a byte when the shared memory permits it. */
const SENDER = `self.onmessage = async ({ data: { port, state } }) => {
  const connection = await Deno.connect({ port });
  Atomics.wait(state, 0, 0);
  await connection.write(new Uint8Array(1));
  Atomics.store(state, 1, 1);
  Atomics.notify(state, 1);
}`;

Deno.test("turns: bytes that arrive during a stage are read before the tenth next one", async () => {
  const state = new Int32Array(new SharedArrayBuffer(8));
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const sender = new Worker(`data:application/javascript,${encodeURIComponent(SENDER)}`, { type: "module" });
  sender.postMessage({ port: listener.addr.port, state });
  using connection = await listener.accept();
  let isRead = false;
  const read = connection.read(new Uint8Array(1)).then(() => isRead = true);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
  Atomics.wait(state, 1, 0);
  for (let stage = 0; stage < 10 && !isRead; stage++) await nextTurn("a");
  assert(isRead);
  await read;
  sender.terminate();
});
