import { assertEquals } from "@std/assert";
import { keepUpdated, type LiveState, type LiveView } from "./live.ts";
import { Refusal } from "./refusal.ts";

/** The events of a view until it was listed `max` times; pauses take no time. */
async function eventsOf(
  max: number,
  watch: (listed: number) => AsyncIterable<string>,
  { onList = () => {}, onTell = () => {} }: {
    readonly onList?: (listed: number) => void;
    readonly onTell?: (state: LiveState) => void;
  } = {},
): Promise<string[]> {
  const events: string[] = [];
  const left = new AbortController();
  const { setTimeout: usual } = globalThis;
  const document = Object.assign(new EventTarget(), { hidden: false });
  Object.defineProperty(globalThis, "document", { value: document, configurable: true });
  const frames = { value: (notify: () => void) => (queueMicrotask(notify), 0), configurable: true };
  Object.defineProperty(globalThis, "requestAnimationFrame", frames);
  Object.defineProperty(globalThis, "cancelAnimationFrame", { value: () => {}, configurable: true });
  // The timeout of a silent stream is not a pause; no stream of these tests lasts as long.
  const timer = (notify: () => void, millis: number) => {
    if (millis > 30_000) return 0;
    if (millis !== 1000) {
      events.push("pause");
      queueMicrotask(notify);
    }
    return 0;
  };
  Object.defineProperty(globalThis, "setTimeout", { value: timer, configurable: true, writable: true });
  let listed = 0;
  const view: LiveView<string> = {
    list: () => {
      events.push("list");
      if (++listed === max) left.abort();
      onList(listed);
      return Promise.resolve("1");
    },
    watch: () => watch(listed),
    apply: (changes) => events.push(...changes),
    tell: (state) => {
      if (state.kind === "refused") events.push(state.kind);
      onTell(state);
    },
  };
  try {
    await keepUpdated(view, left.signal);
  } finally {
    Object.defineProperty(globalThis, "setTimeout", { value: usual, configurable: true, writable: true });
    for (const name of ["document", "requestAnimationFrame", "cancelAnimationFrame"]) {
      Reflect.deleteProperty(globalThis, name);
    }
  }
  return events;
}

const tooOld = () => new Refusal("watch workflows", 410, "too old resource version");

Deno.test("keepUpdated: an outdated version is listed again at once, and the second in a row after a pause", async () => {
  // deno-lint-ignore require-yield
  const events = await eventsOf(4, async function* () {
    throw tooOld();
  });
  assertEquals(events, ["list", "list", "pause", "list", "pause", "list"]);
});

Deno.test("keepUpdated: after a change, an outdated version is again listed without a pause", async () => {
  const events = await eventsOf(3, async function* (listed) {
    yield `change ${listed}`;
    throw tooOld();
  });
  assertEquals(events, ["list", "change 1", "list", "change 2", "list", "change 3"]);
});

Deno.test("keepUpdated: a server is offline since the first failure, until it responds again", async () => {
  const since: number[] = [];
  const { now } = Date;
  try {
    await eventsOf(8, async function* () {}, {
      onList(listed) {
        Date.now = () => listed * 1_000;
        if (listed !== 5) throw new Refusal("list workflows", 0, "the network is away");
      },
      onTell: (state) => state.kind === "offline" && since.push(state.since),
    });
  } finally {
    Date.now = now;
  }
  assertEquals(since, [1_000, 1_000, 1_000, 6_000]);
});
