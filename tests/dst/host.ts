/**
 * A virtual host: while it is installed, the time, timers and random numbers that a program reads from its globals are
 * simulated. Events are processed one after the other, each until it has no more consequences, at virtual times; the
 * same seed gives the same run. A program that bypasses these globals would escape the seed: `scripts/seed_rules.ts`
 * lists how, and `deno task check imports` finds it.
 */
import { setImmediate as nextTurn } from "node:timers";
import { Chance } from "./chance.ts";

/** The owner of an event: a process of the simulation, or the world around the processes. */
export interface Owner {
  readonly name: string;
  /** A dead process does nothing more, and its events are dropped. */
  readonly isDead: boolean;
  /** A paused process handles its due events when it resumes, at this virtual time in milliseconds. */
  readonly pausedUntil: number;
  /** The offset by which its wall clock is ahead of the world's, in milliseconds. */
  readonly clockOffset: number;
}

/** The world: API server, kubelet and users. */
export const WORLD: Owner = { name: "world", isDead: false, pausedUntil: 0, clockOffset: 0 };

interface Event {
  at: number;
  readonly order: number;
  readonly owner: Owner;
  readonly act: () => void;
  isCanceled: boolean;
}

const RealDate = Date;
/** The time at which every simulation begins: a Thursday, far from any clock change. */
const EPOCH = RealDate.UTC(2026, 0, 1, 12);

/** The number of events at one time that counts as an endless loop. */
const MAX_EVENTS_AT_ONCE = 20_000;

const REPLACED = ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;

/** The host of one simulation. Disposal restores the globals. */
export class VirtualHost implements Disposable {
  /** Milliseconds since the simulation began. */
  now = 0;
  /** The owner of the current event. */
  current: Owner = WORLD;
  /** Uncaught errors, each with its process. */
  readonly uncaught: { readonly owner: Owner; readonly error: unknown }[] = [];
  readonly #ids: Chance;
  readonly #events: Event[] = [];
  readonly #timers = new Map<number, Event>();
  #order = 0;
  #draws = 0;
  #atOnce = 0;
  readonly #restore: (() => void)[] = [];

  constructor(seed: string) {
    this.#ids = new Chance(seed);
    this.#install();
  }

  /** Schedules an action for an owner. Returns a function that cancels it. */
  after(millis: number, owner: Owner, act: () => void): () => void {
    const event = this.#plan(millis, owner, act);
    return () => {
      event.isCanceled = true;
    };
  }

  /** Processes events until `isOver` returns true or virtual time reaches `until`. Returns true in the first case. */
  async run(isOver: () => boolean, until: number): Promise<boolean> {
    await turn();
    while (!isOver()) {
      const event = this.#take();
      if (!event || event.at > until) {
        if (event) this.#push(event);
        this.now = Math.max(this.now, until);
        return false;
      }
      if (event.isCanceled || event.owner.isDead) continue;
      if (event.owner.pausedUntil > event.at) {
        event.at = event.owner.pausedUntil;
        this.#push(event);
        continue;
      }
      if (event.at > this.now) this.#atOnce = 0;
      if (++this.#atOnce > MAX_EVENTS_AT_ONCE) {
        throw new Error(`Endless loop without passing time in ${event.owner.name}`);
      }
      this.now = Math.max(this.now, event.at);
      this.current = event.owner;
      try {
        event.act();
      } catch (error) {
        this.uncaught.push({ owner: event.owner, error });
      }
      await turn();
      this.current = WORLD;
    }
    return true;
  }

  /** Runs an action for another owner than that of the current event. */
  runAs<T>(owner: Owner, act: () => T): T {
    const before = this.current;
    this.current = owner;
    try {
      return act();
    } finally {
      this.current = before;
    }
  }

  /** The number of timers of an owner that are not due yet. */
  timersOf(owner: Owner): number {
    let count = 0;
    for (const event of this.#timers.values()) if (event.owner === owner && !event.isCanceled) count++;
    return count;
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore.reverse()) restore();
  }

  #plan(millis: number, owner: Owner, act: () => void): Event {
    const event = { at: this.now + Math.max(0, millis), order: ++this.#order, owner, act, isCanceled: false };
    this.#push(event);
    return event;
  }

  #random(): number {
    return this.#ids.numberFor("draw", ++this.#draws);
  }

  #install(): void {
    // deno-lint-ignore no-this-alias -- the class of dates below has its own this
    const host = this;
    const wallClock = () => Math.floor(EPOCH + host.now + host.current.clockOffset);
    class VirtualDate extends RealDate {
      constructor(...args: unknown[]) {
        super(...(args.length ? args : [wallClock()]) as [number]);
      }
      static override now(): number {
        return wallClock();
      }
    }
    const start = (millis: unknown, act: () => void, every: boolean): number => {
      const owner = host.current;
      if (owner.isDead) return 0;
      const wait = Math.max(every ? 1 : 0, Number(millis) || 0);
      const id = ++host.#order;
      const arm = () => {
        const event = host.#plan(wait, owner, () => {
          if (every) arm();
          else host.#timers.delete(id);
          act();
        });
        host.#timers.set(id, event);
      };
      arm();
      return id;
    };
    const stop = (id: unknown) => {
      const event = host.#timers.get(id as number);
      if (!event) return;
      event.isCanceled = true;
      host.#timers.delete(id as number);
    };
    type Act = (...args: unknown[]) => void;
    const globals: Record<(typeof REPLACED)[number], unknown> = {
      Date: VirtualDate,
      setTimeout: (act: Act, millis?: number, ...args: unknown[]) => start(millis, () => act(...args), false),
      setInterval: (act: Act, millis?: number, ...args: unknown[]) => start(millis, () => act(...args), true),
      clearTimeout: stop,
      clearInterval: stop,
    };
    for (const name of REPLACED) this.#replace(globalThis, name, globals[name]);
    this.#replace(performance, "now", () => host.now);
    this.#replace(Math, "random", () => host.#random());
    this.#replace(crypto, "getRandomValues", (bytes: Uint8Array) => {
      for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(host.#random() * 256);
      return bytes;
    });
    this.#replace(crypto, "randomUUID", () => uuid(() => host.#random()));
    this.#replace(AbortSignal, "timeout", (millis: number) => {
      const controller = new AbortController();
      start(millis, () => controller.abort(new DOMException("Signal timed out.", "TimeoutError")), false);
      return controller.signal;
    });
    const onRejection = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      if (!host.current.isDead) host.uncaught.push({ owner: host.current, error: event.reason });
    };
    globalThis.addEventListener("unhandledrejection", onRejection);
    this.#restore.push(() => globalThis.removeEventListener("unhandledrejection", onRejection));
  }

  #replace(holder: object, name: string, value: unknown): void {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    Object.defineProperty(holder, name, { value, configurable: true, writable: true });
    this.#restore.push(() => {
      if (own) Object.defineProperty(holder, name, own);
      else delete (holder as Record<string, unknown>)[name];
    });
  }

  /** Adds to a heap, ordered by time and then by the order of scheduling. */
  #push(event: Event): void {
    const events = this.#events;
    let place = events.length;
    events.push(event);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!isBefore(event, events[above]!)) break;
      events[place] = events[above]!;
      place = above;
    }
    events[place] = event;
  }

  #take(): Event | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (!first || !last || events.length === 0) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= events.length) break;
      if (below + 1 < events.length && isBefore(events[below + 1]!, events[below]!)) below++;
      if (!isBefore(events[below]!, last)) break;
      events[place] = events[below]!;
      place = below;
    }
    events[place] = last;
    return first;
  }
}

function isBefore(event: Event, other: Event): boolean {
  return event.at < other.at || (event.at === other.at && event.order < other.order);
}

/** Resolves when everything has happened that follows without a timer or response. */
function turn(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}

function uuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${
    digits.slice(20)
  }`;
}
