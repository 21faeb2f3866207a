/**
 * The one policy by which transfers are tried again: for each object, and for each part of one that was read on. Drivers
 * say what may pass; they repeat nothing by themselves.
 */
import { isConnectionError } from "../../connection_error.ts";
import { parseDuration } from "../../go/duration.ts";
import { matchesPattern } from "./operators_pattern.ts";
import { NetError } from "../../net/net.ts";
import { type Clock, pause } from "../../clock/clock.ts";
import { StoreError } from "../driver.ts";

/** The number of tries and the pauses between them. */
export interface RetryPolicy {
  /** Tries in all. */
  readonly steps: number;
  /** Before the second try, milliseconds; before each further one `factor` times as long, and at random up to `jitter` more. */
  readonly firstMillis: number;
  readonly factor: number;
  readonly jitter: number;
  /** A regular expression (RE2): errors with such a text pass, whatever else is known of them. */
  readonly pattern?: string;
}

/** The means that repeated tries need. */
export interface Retrying {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly log: (line: string) => void;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** The longest pause that a store may ask for, milliseconds. */
const LONGEST_RETRY_AFTER = 60_000;

/** Argo's policy for loading and saving. */
const TRANSFERS = {
  prefix: "EXECUTOR_RETRY_BACKOFF_",
  otherwise: { steps: 5, firstMillis: 1000, factor: 1.6, jitter: 0.5 },
};

/** The policy that the environment names, with Argo's variables; what is not there, or wrong, is Argo's default. The pattern is `TRANSIENT_ERROR_PATTERN`. */
export function retryPolicyOf(
  env: (name: string) => string | undefined,
  { prefix, otherwise }: { readonly prefix: string; readonly otherwise: RetryPolicy } = TRANSFERS,
): RetryPolicy {
  const number = (name: string, usual: number) => {
    const value = Number(env(`${prefix}${name}`) || NaN);
    return value >= 0 ? value : usual;
  };
  const pattern = env("TRANSIENT_ERROR_PATTERN");
  return {
    steps: number("STEPS", otherwise.steps),
    firstMillis: millisOf(env(`${prefix}DURATION`)) ?? otherwise.firstMillis,
    factor: number("FACTOR", otherwise.factor),
    jitter: number("JITTER", otherwise.jitter),
    ...(pattern ? { pattern } : {}),
  };
}

function millisOf(text: string | undefined): number | undefined {
  try {
    return text ? Number(parseDuration(text)) / 1e6 : undefined;
  } catch {
    return undefined;
  }
}

/** The tries of one object. */
export class Tries {
  readonly #how: Retrying;
  readonly #began: number;
  #failed = 0;
  #wait: number;

  constructor(how: Retrying) {
    this.#how = how;
    this.#began = how.clock.now();
    this.#wait = how.policy.firstMillis;
  }

  /** The number of tries so far, the one that is being made included. */
  get count(): number {
    return this.#failed + 1;
  }

  /**
   * Waits until the next one may be made.
   * @throws the error itself when it does not pass, or one that says how often it was tried.
   */
  async failed(error: unknown): Promise<void> {
    const { policy, clock, stop, log, random = Math.random } = this.#how;
    stop.throwIfAborted();
    if (!await mayPass(error, policy)) throw error;
    this.#failed++;
    if (this.#failed >= policy.steps) throw gaveUp(error, this.#failed, clock.now() - this.#began);
    const own = this.#wait * (1 + random() * policy.jitter);
    const asked = error instanceof StoreError ? Math.min(error.retryAfterMillis ?? 0, LONGEST_RETRY_AFTER) : 0;
    log(`trying again: ${(error as Error).message}`);
    await pause(clock, Math.max(own, asked), stop);
    this.#wait *= policy.factor;
  }
}

/** Does something; again after a while when it failed for a reason that may pass. */
export async function retrying<T>(how: Retrying, act: () => Promise<T>): Promise<T> {
  const tries = new Tries(how);
  while (true) {
    how.stop.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      await tries.failed(error);
    }
  }
}

/** Whether the same may fare better later. What has changed meanwhile can be read from its beginning. */
export async function mayPass(error: unknown, { pattern }: Pick<RetryPolicy, "pattern"> = {}): Promise<boolean> {
  if (!(error instanceof Error) || error instanceof GaveUpError) return false;
  return isKnownToPass(error) || await matchesPattern(error.message, pattern);
}

function isKnownToPass(error: Error): boolean {
  if (error instanceof StoreError) return error.kind === "transient" || error.kind === "changed";
  if (error instanceof NetError) return error.passes;
  return isConnectionError(error);
}

/** A failure that would pass, had it not been tried often enough. */
export class GaveUpError extends Error {
  override readonly name = "GaveUpError";
}

function gaveUp(error: unknown, tries: number, millis: number): GaveUpError {
  if (tries <= 1) return new GaveUpError((error as Error).message, { cause: error });
  const text = `${(error as Error).message} (gave up after ${tries} tries in ${Math.round(millis / 1000)} s)`;
  return new GaveUpError(text, { cause: error });
}
