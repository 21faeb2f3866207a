/**
 * The lists of runs, by namespace: one without changes, a live one, one with a burst of updates, and one that changes
 * without events.
 */
import type { Workflow } from "@tiphys/model/api";
import { messageOf, type Pieces, silence } from "./streams.ts";

/** The namespaces. The list of all namespaces is long and does not change. */
export const NAMESPACES = { quiet: "quiet", live: "live", flooded: "flooded", mortal: "mortal" } as const;

const ROWS = 500;
const ALL_ROWS = 10_000;
/** Few enough that the page has an element for every row. */
const MORTAL_ROWS = 60;
const UPDATES_A_SECOND = 50;
const AT_ONCE = 100;
const FIRST_START = Date.parse("2026-01-01T00:00:00Z");

/** A run as it appears in a list. */
export function listedRun(namespace: string, index: number, version = 1): Workflow {
  const startedAt = new Date(FIRST_START + index * 1000).toISOString();
  return {
    metadata: {
      name: `etl-${index}`,
      namespace,
      uid: `uid-${namespace}-${index}`,
      resourceVersion: String(version),
      creationTimestamp: startedAt,
      labels: { "workflows.argoproj.io/phase": "Running", team: `team-${index % 7}` },
    },
    spec: { arguments: {} },
    status: { phase: "Running", startedAt, progress: `${version % 40}/40`, message: `step ${version}` },
  };
}

/** The lists of runs of all namespaces. */
export class RunLists {
  /** The number of updates that the flooded list has yet to send. */
  #flood = 0;
  #last: string | undefined;
  #hasChanged = false;

  /** The runs of a namespace, newest first. */
  runsOf(namespace: string): Workflow[] {
    if (namespace === "") {
      return Array.from({ length: ALL_ROWS }, (_, index) => listedRun(NAMESPACES.quiet, ALL_ROWS - index));
    }
    if (namespace !== NAMESPACES.mortal) {
      return Array.from({ length: ROWS }, (_, index) => listedRun(namespace, ROWS - 1 - index));
    }
    const first = this.#hasChanged ? MORTAL_ROWS / 6 : 0;
    return Array.from({ length: MORTAL_ROWS }, (_, index) => listedRun(namespace, first + MORTAL_ROWS - 1 - index));
  }

  /** The events of a watch. Begins with all existing runs unless a version is given. */
  async *watch(namespace: string, from: string | null, signal: AbortSignal): Pieces {
    if (!from) { for (const object of this.runsOf(namespace)) yield messageOf({ type: "ADDED", object }); }
    if (namespace === NAMESPACES.live) yield* updates(signal);
    else if (namespace === NAMESPACES.flooded) yield* this.#updatesAtOnce(signal);
    yield* silence(signal);
  }

  /** Makes the flooded list send a number of updates to its next watcher, as fast as they are read. */
  flood(updates: number): void {
    this.#flood = updates;
    this.#last = undefined;
  }

  /** The message of the newest run, set by the last update; undefined until all updates are sent. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Replaces runs in the mortal list without an event. */
  change(): void {
    this.#hasChanged = true;
  }

  /** Restores the initial mortal list. */
  changeBack(): void {
    this.#hasChanged = false;
  }

  async *#updatesAtOnce(signal: AbortSignal): Pieces {
    let version = 1;
    while (this.#flood > 0 && !signal.aborted) {
      const messages = Array.from({ length: AT_ONCE }, () => {
        version++;
        return messageOf(modifiedEvent(NAMESPACES.flooded, version));
      });
      this.#flood -= AT_ONCE;
      yield new Uint8Array(await new Blob(messages).arrayBuffer());
    }
    if (version === 1 || signal.aborted) return;
    const newest = listedRun(NAMESPACES.flooded, ROWS - 1, version + 1);
    yield messageOf({ type: "MODIFIED", object: newest });
    this.#last = newest.status!.message;
  }
}

function modifiedEvent(namespace: string, version: number) {
  return { type: "MODIFIED", object: listedRun(namespace, version * 7 % ROWS, version) };
}

async function* updates(signal: AbortSignal): Pieces {
  for (let version = 2; !signal.aborted; version++) {
    await new Promise((resolve) => setTimeout(resolve, 1000 / UPDATES_A_SECOND));
    yield messageOf(modifiedEvent(NAMESPACES.live, version));
  }
}
