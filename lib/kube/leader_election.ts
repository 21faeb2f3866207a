/** Leader election: one of several processes works while the others wait. The leader renews a Lease. */

import { pause, systemClock } from "@tiphys/base/clock";
import { fieldsOf, isObject, textsIn } from "@tiphys/base/fields_of";
import type { KubeClient } from "./client.ts";
import { classifyError, isAbort, KubeError } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import { LEASES, resourcePath } from "./resources.ts";

export interface LeaderElectionOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** The name of the Lease. */
  readonly name: string;
  /** Our identity as a candidate. Must be unique among the candidates. */
  readonly identity: string;
  /** A holder that has not renewed for this long may be replaced. */
  readonly leaseDurationMs?: number;
  /** A holder that could not renew for this long stops leading. Must be less than `leaseDurationMs`. */
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
  readonly onError?: (error: unknown) => void;
  /** A monotonic clock in milliseconds that also advances while this process is suspended. */
  readonly now?: () => number;
  /**
   * Milliseconds since the epoch. Written into the lease, and used as a second check of how long this process was
   * suspended.
   */
  readonly wallNow?: () => number;
  /** Waits, but not after the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

interface Lease extends KubeObject {
  spec?: LeaseSpec;
}

/** The state of the lease for the current leader. */
export interface Leadership {
  /** Incremented at every change of the leader: writes of an earlier epoch were made by a previous leader. */
  readonly epoch: number;
  /**
   * Whether no other process can be leading yet. False when the lease was not renewed within the deadline, also if this
   * process was suspended. Check it before each write, because a signal may be too late.
   */
  isOurs(): boolean;
}

/** The holder of the lease: this process or another one. Unknown when another candidate wrote at the same time. */
type Holder = "ours" | "theirs" | "unknown";

/**
 * Waits until we hold the lease, then runs `work` until it ends, the signal is aborted, or the lease is lost. Aborts
 * the signal of `work` before another process can start. Releases the lease when we stop voluntarily.
 * @throws {Error} when the lease was lost: work that was started under it must not continue, so the process should
 * exit.
 */
export async function runAsLeader(
  options: LeaderElectionOptions,
  work: (signal: AbortSignal, leadership: Leadership) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { renewDeadlineMs = 10_000, retryPeriodMs = 5_000, onError } = options;
  const { wait = (millis, until) => pause(systemClock, millis, until) } = options;
  const { now = () => performance.now(), wallNow = () => Date.now() } = options;
  const candidate = new Candidate({ ...options, now, wallNow, retryPeriodMs });
  const tryToHold = () =>
    candidate.acquireOrRenew().catch((error): Holder => {
      onError?.(error);
      return "unknown";
    });

  /** Waits until the next attempt. An aborted wait is not an error here. */
  const awaitNextTry = (until: AbortSignal, millis = retryPeriodMs) =>
    wait(millis, until).catch((error) => {
      if (!until.aborted) throw error;
    });

  const asked = () => ({ at: now(), wallAt: wallNow() });
  let renewed = asked();
  while (await tryToHold() !== "ours") {
    await awaitNextTry(signal, candidate.waitMillis);
    if (signal.aborted) return;
    renewed = asked();
  }
  const lost = new AbortController();
  const finished = new AbortController();
  const isDue = () => Math.max(now() - renewed.at, wallNow() - renewed.wallAt) >= renewDeadlineMs;
  const leadership = {
    epoch: candidate.epoch,
    isOurs() {
      if (isDue()) lost.abort();
      return !lost.signal.aborted;
    },
  };
  const working = work(AbortSignal.any([signal, lost.signal]), leadership).finally(() => finished.abort());
  working.catch(() => {}); // rethrown below, when the lease is settled
  const over = AbortSignal.any([signal, finished.signal]);
  let untilNextTry = retryPeriodMs;
  while (!over.aborted && !lost.signal.aborted) {
    await awaitNextTry(over, untilNextTry);
    if (over.aborted || lost.signal.aborted) break;
    const begun = asked();
    const holder = await tryToHold();
    // The time that other candidates wait counts from the request, not from its response. So does the next period.
    if (holder === "ours") renewed = begun;
    if (holder === "theirs" || isDue()) lost.abort();
    const rest = holder === "ours" ? retryPeriodMs - (now() - begun.at) : 0;
    untilNextTry = Math.max(rest, retryPeriodMs / 5);
  }
  try {
    await working;
  } catch (error) {
    // Interrupted work may report the interruption as its own error.
    if (!signal.aborted && !lost.signal.aborted) throw error;
    if (error !== signal.reason && !isAbort(error)) throw error;
  }
  if (lost.signal.aborted) throw new Error(`The lease "${options.name}" in namespace "${options.namespace}" was lost`);
  await candidate.release().catch((error) => onError?.(error));
}

/** The default of `leaseDurationMs`. */
const DEFAULT_DURATION = 15_000;

type CandidateOptions = LeaderElectionOptions & {
  readonly now: () => number;
  readonly wallNow: () => number;
  readonly retryPeriodMs: number;
};

/** Our side of one lease. */
class Candidate {
  readonly #options: CandidateOptions;
  /** The lease as last read, and since when it is unchanged: clocks of other machines are not compared with ours. */
  #lease: Lease | undefined;
  #since = 0;
  #isHeld = false;
  /** Whether `#lease` is our last write: then one request renews it. */
  #isCurrent = false;

  constructor(options: CandidateOptions) {
    this.#options = options;
  }

  /**
   * Acquires or renews the lease, if it is free or ours.
   * @throws when the request fails.
   */
  async acquireOrRenew(): Promise<Holder> {
    const { identity, leaseDurationMs = DEFAULT_DURATION, wallNow } = this.#options;
    const found = this.#isCurrent ? this.#lease : await this.#findLease();
    this.#isCurrent = false;
    const time = new Date(wallNow()).toISOString().replace("Z", "000Z");
    const held: LeaseSpec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      renewTime: time,
    };
    try {
      if (!found) {
        await this.#request("POST", { ...held, acquireTime: time, leaseTransitions: 0 });
        return this.#holder();
      }
      const { holderIdentity, acquireTime = time, leaseTransitions = 0 } = found.spec ?? {};
      if (holderIdentity === identity) {
        // An earlier process with this identity counts as another leader.
        const transitions = leaseTransitions + (this.#isHeld ? 0 : 1);
        await this.#request("PUT", { ...held, acquireTime, leaseTransitions: transitions });
        return this.#holder();
      }
      if (holderIdentity && this.#validMillis > 0) return "theirs";
      await this.#request("PUT", { ...held, acquireTime: time, leaseTransitions: leaseTransitions + 1 });
      return this.#holder();
    } catch (error) {
      const sort = classifyError(error);
      if (sort === "conflict" || sort === "alreadyExists") return "unknown";
      throw error;
    }
  }

  /** The time until the next attempt: no longer than the lease of the other holder is valid. */
  get waitMillis(): number {
    const { retryPeriodMs } = this.#options;
    const valid = this.#lease?.spec?.holderIdentity ? this.#validMillis : 0;
    return valid > 0 ? Math.min(retryPeriodMs, valid) : retryPeriodMs;
  }

  /**
   * The time for which the lease as last read is still valid. The holder wrote its duration, which may differ from
   * ours.
   */
  get #validMillis(): number {
    const { leaseDurationMs = DEFAULT_DURATION, now } = this.#options;
    const seconds = this.#lease?.spec?.leaseDurationSeconds;
    const duration = seconds === undefined ? leaseDurationMs : seconds * 1000;
    return this.#since + duration - now();
  }

  /** The number of leader changes, as last read. */
  get epoch(): number {
    return this.#lease?.spec?.leaseTransitions ?? 0;
  }

  #holder(): Holder {
    this.#isHeld = true;
    this.#isCurrent = true;
    return "ours";
  }

  /** Releases the lease, so that the next leader can start immediately. */
  async release(): Promise<void> {
    await this.#request("PUT", { ...this.#lease?.spec, holderIdentity: "", leaseDurationSeconds: 1 });
  }

  async #findLease(): Promise<Lease | undefined> {
    try {
      return await this.#request("GET");
    } catch (error) {
      if (classifyError(error) === "notFound") return undefined;
      throw error;
    }
  }

  /** Sends a request with a timeout, because we must know in time whether we still lead. */
  async #request(method: "GET" | "POST" | "PUT", spec?: LeaseSpec): Promise<Lease> {
    const { client, namespace, name, retryPeriodMs, now } = this.#options;
    const path = resourcePath(LEASES, namespace, method === "POST" ? undefined : name);
    const fresh = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name, namespace } };
    const lease = await client.request(method, path, {
      body: spec && { ...(method === "PUT" ? this.#lease : fresh), spec },
      signal: AbortSignal.timeout(retryPeriodMs),
    }).then(readLease);
    if (lease.metadata.resourceVersion !== this.#lease?.metadata.resourceVersion) this.#since = now();
    this.#lease = lease;
    return lease;
  }
}

/**
 * @throws {KubeError} for a response that is not a lease. It is transient, like other errors of proxies before the
 * server.
 */
function readLease(answer: unknown): Lease {
  const { metadata, spec: written } = fieldsOf(answer);
  if (!isObject(metadata)) {
    throw new KubeError("Unexpected response for a lease", { status: 0, reason: "NetworkError" });
  }
  const fields = fieldsOf(written);
  const { leaseDurationSeconds, leaseTransitions } = fields;
  const spec: LeaseSpec = {
    ...textsIn(fields, ["holderIdentity", "acquireTime", "renewTime"]),
    ...(typeof leaseDurationSeconds === "number" ? { leaseDurationSeconds } : {}),
    ...(typeof leaseTransitions === "number" ? { leaseTransitions } : {}),
  };
  return { ...fieldsOf(answer), metadata, spec };
}
