/**
 * The choice of the lane of a workflow. All start in the fast lane, where a pass may take a few milliseconds. A
 * workflow that is large, or exceeded that twice within a few passes, moves to the slow lane, and returns when its
 * passes are short.
 */
import { LIMITS } from "@tiphys/base/limits";
import type { EngineConfig } from "@tiphys/engine";

/** The pace of one workflow: its lane, and its pause after each pass. */
export class WorkflowPace {
  isSlow = false;
  /** The pause of the workflow after its last pass, in milliseconds. */
  restMillis = 0;
  /** The duration of the last decision, in milliseconds. */
  #decisionMillis = 0;
  #overruns = 0;
  /** Passes in time since the last overrun. */
  #passesInTime = 0;
  #shortPasses = 0;
  #returns = 0;

  /** Records that a pass in the fast lane took too long and was dropped. */
  recordOverrun(): void {
    this.restMillis = 0;
    this.#passesInTime = 0;
    if (++this.#overruns >= MAX_OVERRUNS) this.toSlowLane();
  }

  /** Records that a pass in the fast lane was in time. Several of these in a row clear an overrun. */
  recordInTime(millis: number): void {
    this.recordDuration(millis);
    if (++this.#passesInTime >= FORGIVING_PASSES) this.#overruns = 0;
  }

  toSlowLane(): void {
    this.isSlow = true;
    this.#shortPasses = 0;
  }

  /**
   * Records the duration of a decision. A large workflow pauses after each pass: otherwise it would have a pass for
   * every pod that starts or ends, and use most of the machine. The last two durations count, because the first pass of
   * a process is slow for other reasons.
   */
  recordDuration(millis: number): void {
    const usual = millis > SLOW_MILLIS ? millis : Math.min(millis, this.#decisionMillis);
    this.#decisionMillis = millis;
    this.restMillis = Math.floor(Math.min(usual * REST_SHARE, Math.max(MAX_REST_MILLIS, usual * SLOW_REST_SHARE)));
  }

  /**
   * Records the duration of a pass in the slow lane and the size of its nodes. Returns whether the workflow may leave
   * the lane.
   */
  recordSlowLanePass(millis: number, bytes: number): boolean {
    this.recordDuration(millis);
    // In the slow lane it does not block others, and all workflows take turns.
    this.restMillis = Math.min(this.restMillis, MAX_REST_MILLIS);
    const isShort = millis < SHORT_MILLIS && bytes < LARGE_BYTES;
    this.#shortPasses = isShort ? this.#shortPasses + 1 : 0;
    return this.#shortPasses >= SHORT_PASSES * 2 ** this.#returns;
  }

  /** Moves the workflow to the fast lane. Each return requires twice as many short passes. */
  toFastLane(): void {
    this.isSlow = false;
    this.#overruns = this.#shortPasses = 0;
    if (this.#returns < MAX_RETURNS) this.#returns++;
  }
}

const REST_SHARE = 8;
const MAX_REST_MILLIS = 200;
/** A pass of this duration is slow, regardless of the previous one: others run first for at least twice as long. */
const SLOW_MILLIS = 100;
const SLOW_REST_SHARE = 2;

/**
 * The number of overruns that move a workflow to the slow lane: the machine may have caused a single one. A workflow
 * that always takes too long overruns again at once; a garbage collection of V8 hits the same workflow again much
 * later.
 */
const MAX_OVERRUNS = 2;
const FORGIVING_PASSES = 5;
const SHORT_MILLIS = 5;
const SHORT_PASSES = 10;
const MAX_RETURNS = 10;

/** The time that a pass in the fast lane may take, and the part of it in which nodes may be created. */
export interface Pace {
  readonly millis: number;
  readonly sliceMillis: number;
}

const DEFAULT_PACE: Pace = { millis: LIMITS.fastPassMillis, sliceMillis: LIMITS.fastSliceMillis };
/** The pace of a workflow if no other is waiting. */
const LONE_PACE: Pace = { millis: LIMITS.lonePassMillis, sliceMillis: LIMITS.loneSliceMillis };
/** Another workflow counts as waiting for this long after its last pass, in milliseconds. */
const OTHERS_WAIT_MILLIS = 10_000;
/** The pace of the first passes of a process, which are slow because their code is being compiled. */
const WARM_UP_PACE: Pace = { millis: 300, sliceMillis: 50 };
const WARM_UP_PASSES = 30;

/** The paces of a controller: how long a pass may take depends on whether another workflow would wait. */
export class Paces {
  #passes = 0;
  /** The workflow of the last pass, and its time. */
  #key: string | undefined;
  #at = -Infinity;
  /** The time of the last pass over any other workflow. */
  #otherAt = -Infinity;

  /** Records the start of a pass over a workflow, and returns its pace; `now` is in milliseconds. */
  next(key: string, now: number): Pace {
    if (key !== this.#key) this.#otherAt = this.#at;
    this.#key = key;
    this.#at = now;
    if (++this.#passes <= WARM_UP_PASSES) return WARM_UP_PACE;
    return now - this.#otherAt < OTHERS_WAIT_MILLIS ? DEFAULT_PACE : LONE_PACE;
  }
}

const sliced = new WeakMap<EngineConfig, Map<number, EngineConfig>>();

/**
 * Returns the settings with a limit on the time in which a pass creates nodes; the same object for the same settings.
 */
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

/** Whether reading an object takes long. Finding out takes a bounded time. */
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
