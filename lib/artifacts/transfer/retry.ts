/**
 * The retry policy of transfers: for each object, and for each part of one that is being read. Drivers report which
 * errors are transient, and do not retry.
 */
import { isConnectionError } from "@tiphys/base/connection_error";
import { parseDuration } from "@tiphys/base/go/duration";
import { matchesPattern } from "./operators_pattern.ts";
import { NetError } from "@tiphys/base/net/net";
import { type Clock, pause } from "@tiphys/base/clock";
import { StoreError } from "@tiphys/model/artifact";

/** The number of attempts and the delays between them. */
export interface RetryPolicy {
  /** Total number of attempts. */
  readonly steps: number;
  /**
   * Delay before the second attempt in milliseconds. Each further delay is `factor` times as long, plus a random share
   * up to `jitter`.
   */
  readonly firstMillis: number;
  readonly factor: number;
  readonly jitter: number;
  /** A regular expression (RE2) for messages of errors that are transient. */
  readonly pattern?: string;
}

/** The dependencies of retries. */
export interface RetryContext {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly log: (line: string) => void;
  /** Returns a random number from 0 to 1. */
  readonly random?: () => number;
}

/** Maximum delay that a store may request, in milliseconds. */
const MAX_RETRY_AFTER_MILLIS = 60_000;

/** Argo's policy for loading and saving. */
const TRANSFER_POLICY = {
  prefix: "EXECUTOR_RETRY_BACKOFF_",
  otherwise: { steps: 5, firstMillis: 1000, factor: 1.6, jitter: 0.5 },
};

/**
 * Returns the policy in the environment, in Argo's variables. Missing or invalid values are Argo's defaults. The
 * pattern is `TRANSIENT_ERROR_PATTERN`.
 */
export function retryPolicyOf(
  env: (name: string) => string | undefined,
  { prefix, otherwise }: { readonly prefix: string; readonly otherwise: RetryPolicy } = TRANSFER_POLICY,
): RetryPolicy {
  const number = (name: string, defaultValue: number) => {
    const value = Number(env(`${prefix}${name}`) || NaN);
    return value >= 0 ? value : defaultValue;
  };
  const pattern = env("TRANSIENT_ERROR_PATTERN");
  return {
    steps: number("STEPS", otherwise.steps),
    firstMillis: parseMillis(env(`${prefix}DURATION`)) ?? otherwise.firstMillis,
    factor: number("FACTOR", otherwise.factor),
    jitter: number("JITTER", otherwise.jitter),
    ...(pattern ? { pattern } : {}),
  };
}

function parseMillis(text: string | undefined): number | undefined {
  try {
    return text ? Number(parseDuration(text)) / 1e6 : undefined;
  } catch {
    return undefined;
  }
}

/** The attempts for one object. */
export class Attempts {
  readonly #context: RetryContext;
  readonly #began: number;
  #failed = 0;
  #wait: number;

  constructor(context: RetryContext) {
    this.#context = context;
    this.#began = context.clock.now();
    this.#wait = context.policy.firstMillis;
  }

  /** The number of attempts so far, including the current one. */
  get count(): number {
    return this.#failed + 1;
  }

  /**
   * Waits until the next attempt may be made.
   * @throws the error itself when it is not transient, or one with the number of attempts.
   */
  async waitForRetry(error: unknown): Promise<void> {
    const { policy, clock, stop, log, random = Math.random } = this.#context;
    stop.throwIfAborted();
    if (!await isRetryable(error, policy)) throw error;
    this.#failed++;
    if (this.#failed >= policy.steps) throw retriesExhaustedError(error, this.#failed, clock.now() - this.#began);
    const backoff = this.#wait * (1 + random() * policy.jitter);
    const retryAfter = error instanceof StoreError ? Math.min(error.retryAfterMillis ?? 0, MAX_RETRY_AFTER_MILLIS) : 0;
    log(`trying again: ${(error as Error).message}`);
    await pause(clock, Math.max(backoff, retryAfter), stop);
    this.#wait *= policy.factor;
  }
}

/** Runs an operation, and retries it after transient errors. */
export async function retryTransient<T>(context: RetryContext, act: () => Promise<T>): Promise<T> {
  const tries = new Attempts(context);
  while (true) {
    context.stop.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      await tries.waitForRetry(error);
    }
  }
}

/** Whether a retry may succeed. Content that has changed can be read again from its beginning. */
export async function isRetryable(error: unknown, { pattern }: Pick<RetryPolicy, "pattern"> = {}): Promise<boolean> {
  if (!(error instanceof Error) || error instanceof RetriesExhaustedError) return false;
  return isKnownTransient(error) || await matchesPattern(error.message, pattern);
}

function isKnownTransient(error: Error): boolean {
  if (error instanceof StoreError) return error.kind === "transient" || error.kind === "changed";
  if (error instanceof NetError) return error.passes;
  return isConnectionError(error);
}

/** Error after the maximum number of attempts. */
export class RetriesExhaustedError extends Error {
  override readonly name = "RetriesExhaustedError";
}

function retriesExhaustedError(error: unknown, tries: number, millis: number): RetriesExhaustedError {
  if (tries <= 1) return new RetriesExhaustedError((error as Error).message, { cause: error });
  const text = `${(error as Error).message} (gave up after ${tries} tries in ${Math.round(millis / 1000)} s)`;
  return new RetriesExhaustedError(text, { cause: error });
}
