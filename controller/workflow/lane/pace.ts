/**
 * The choice of the lane in which a workflow is worked. All begin in the common one, where a pass may take a moment only.
 * A workflow that is large, or has twice taken longer within a few passes, goes into the slow lane, and comes back when its
 * passes are short.
 */
import { LIMITS } from "@tiphys/base/limits";
import type { EngineConfig } from "@tiphys/engine";

/** The pace of one workflow: where it is worked, and the time for which it is left alone after a pass. */
export class WorkflowPace {
  isSlow = false;
  /** The time for which the workflow is left alone after its last pass, in milliseconds. */
  restMillis = 0;
  /** The duration of the last decision, in milliseconds. */
  #decisionMillis = 0;
  #overruns = 0;
  /** Passes in time since the last overrun. */
  #passesInTime = 0;
  #shortPasses = 0;
  #returns = 0;

  /** A pass among the others took too long and came to nothing. */
  overran(): void {
    this.restMillis = 0;
    this.#passesInTime = 0;
    if (++this.#overruns >= MOST_OVERRUNS) this.toSlowLane();
  }

  /** A pass among the others took so long, and was in time. An overrun is forgotten after some of these. */
  wasInTime(millis: number): void {
    this.took(millis);
    if (++this.#passesInTime >= FORGIVING_PASSES) this.#overruns = 0;
  }

  toSlowLane(): void {
    this.isSlow = true;
    this.#shortPasses = 0;
  }

  /**
   * A decision took so long. A large workflow is left alone for a while after each pass: it took one for every pod that
   * came up or ended, and most of the machine. Two durations, because the first pass of a process is slow for other reasons.
   */
  took(millis: number): void {
    const usual = millis > SLOW_MILLIS ? millis : Math.min(millis, this.#decisionMillis);
    this.#decisionMillis = millis;
    this.restMillis = Math.floor(Math.min(usual * REST_SHARE, Math.max(MOST_REST_MILLIS, usual * SLOW_REST_SHARE)));
  }

  /** Notes the time of a pass in the slow lane, and the bytes of its nodes. True when it may be the last there. */
  tookInSlowLane(millis: number, bytes: number): boolean {
    this.took(millis);
    // In the lane it holds nobody up, and there all have their turns.
    this.restMillis = Math.min(this.restMillis, MOST_REST_MILLIS);
    const isShort = millis < SHORT_MILLIS && bytes < LARGE_BYTES;
    this.#shortPasses = isShort ? this.#shortPasses + 1 : 0;
    return this.#shortPasses >= SHORT_PASSES * 2 ** this.#returns;
  }

  /** Back among the others; each time it takes twice as many short passes. */
  toFastLane(): void {
    this.isSlow = false;
    this.#overruns = this.#shortPasses = 0;
    if (this.#returns < MOST_RETURNS) this.#returns++;
  }
}

const REST_SHARE = 8;
const MOST_REST_MILLIS = 200;
/** A pass that takes this long is slow, whatever the one before took: others come first for at least twice as long. */
const SLOW_MILLIS = 100;
const SLOW_REST_SHARE = 2;

/**
 * The number of overruns that bring a workflow into the slow lane: a single one may be the machine's doing. One that takes too
 * long by its nature does so again at once; a collection of V8's garbage meets the same workflow again much later.
 */
const MOST_OVERRUNS = 2;
const FORGIVING_PASSES = 5;
const SHORT_MILLIS = 5;
const SHORT_PASSES = 10;
const MOST_RETURNS = 10;

/** The time that a pass among the others may take, and the part of it in which nodes may be made. */
export interface Pace {
  readonly millis: number;
  readonly sliceMillis: number;
}

const USUAL: Pace = { millis: LIMITS.fastPassMillis, sliceMillis: LIMITS.fastSliceMillis };
/** The pace of a workflow that has no company: what it takes longer, nobody waits for. */
const ALONE: Pace = { millis: LIMITS.lonePassMillis, sliceMillis: LIMITS.loneSliceMillis };
/** A workflow that had a pass within this time is company. */
const COMPANY_MILLIS = 10_000;
/** The first passes of a process are slow for other reasons: their code is compiled. */
const COLD: Pace = { millis: 300, sliceMillis: 50 };
const COLD_PASSES = 30;

/** The pace of a controller: how long a pass may take depends on whether another workflow is there that would wait. */
export class Paces {
  #passes = 0;
  /** The workflow that had the last pass, and when that was. */
  #key: string | undefined;
  #at = -Infinity;
  /** The last pass over any other workflow than that one. */
  #otherAt = -Infinity;

  /** A pass over the workflow of a key begins; `now` is in milliseconds. */
  next(key: string, now: number): Pace {
    if (key !== this.#key) this.#otherAt = this.#at;
    this.#key = key;
    this.#at = now;
    if (++this.#passes <= COLD_PASSES) return COLD;
    return now - this.#otherAt < COMPANY_MILLIS ? USUAL : ALONE;
  }
}

const sliced = new WeakMap<EngineConfig, Map<number, EngineConfig>>();

/** The settings with a limit on the time in which a pass makes nodes; the very same object for the same settings. */
export function withSlice(config: EngineConfig, millis: number): EngineConfig {
  if (config.limits.passMillis <= millis) return config;
  let known = sliced.get(config);
  if (!known) sliced.set(config, known = new Map());
  let found = known.get(millis);
  if (!found) known.set(millis, found = { ...config, limits: { ...config.limits, passMillis: millis } });
  return found;
}

/** The size from which an object is large, in characters and in values, which are counted before it is read. */
const LARGE_BYTES = 256 * 1024;
const LARGE_VALUES = 5_000;

/** Whether reading an object takes long; to find out never does. */
export function isLarge(object: object): boolean {
  let characters = 0;
  let values = 0;
  const open: unknown[] = [object];
  while (open.length) {
    const value = open.pop();
    if (++values > LARGE_VALUES || characters > LARGE_BYTES) return true;
    if (typeof value === "string") characters += value.length;
    else if (Array.isArray(value)) {
      if (value.length > LARGE_VALUES) return true;
      for (const item of value) open.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const key in value) {
        if (open.length > LARGE_VALUES) return true;
        characters += key.length;
        open.push((value as Record<string, unknown>)[key]);
      }
    }
  }
  return characters > LARGE_BYTES;
}
