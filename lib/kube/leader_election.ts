/**
 * Leader election: one of several processes works while the others wait, by a Lease that its holder keeps renewing.
 */

import { pause, systemClock } from "../clock/mod.ts";
import { fieldsOf, isObject, textsIn } from "../fields_of.ts";
import type { KubeClient } from "./client.ts";
import { isAbort, KubeError, sortError } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import { LEASES, resourcePath } from "./resources.ts";

export interface LeaderElectionOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** The Lease's name: what is being led. */
  readonly name: string;
  /** Our name as a candidate; no two candidates may have the same. */
  readonly identity: string;
  /** A holder that has not renewed for this long may be replaced. */
  readonly leaseDurationMs?: number;
  /** A holder that could not renew for this long stops leading: sooner than others may begin. */
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
  readonly onError?: (error: unknown) => void;
  /** Milliseconds of a clock that only goes forward, also while this process is stopped. */
  readonly now?: () => number;
  /** Milliseconds since 1970: what is written into the lease, and a second opinion on how long this process was away. */
  readonly wallNow?: () => number;
  /** Waits, at most until the signal is aborted. */
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

/** The lease as the one at work knows it. */
export interface Leadership {
  /** Grows whenever the work changes hands: what was written in an earlier epoch was written by somebody before us. */
  readonly epoch: number;
  /**
   * Whether nobody else can be at work yet. False from when the lease could not be renewed for so long, also when that is
   * because this process was stopped: it is to be asked before each write, for a signal may come too late.
   */
  isOurs(): boolean;
}

/** The holder of the lease: we or another; unknown when another candidate wrote at the same moment. */
type Holder = "ours" | "theirs" | "unknown";

/**
 * Waits until we hold the lease, then runs `work` until it ends, the signal is aborted, or the lease is lost; aborts
 * the signal it gave to `work` before anybody else can begin. Gives the lease back when we stop of our own accord.
 * @throws when the lease was lost: whatever was begun under it must not go on, so the process should end.
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
    candidate.hold().catch((error): Holder => {
      onError?.(error);
      return "unknown";
    });

  /** Waits for the time of the next try; the end of waiting before that is no error here. */
  const awaitNextTry = (until: AbortSignal) =>
    wait(retryPeriodMs, until).catch((error) => {
      if (!until.aborted) throw error;
    });

  const asked = () => ({ at: now(), wallAt: wallNow() });
  let renewed = asked();
  while (await tryToHold() !== "ours") {
    await awaitNextTry(signal);
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
  working.catch(() => {}); // thrown to our caller below, when the lease is settled
  const over = AbortSignal.any([signal, finished.signal]);
  while (!over.aborted && !lost.signal.aborted) {
    await awaitNextTry(over);
    if (over.aborted || lost.signal.aborted) break;
    const begun = asked();
    const holder = await tryToHold();
    // The time that others wait for counts from the moment of the request, not of its answer.
    if (holder === "ours") renewed = begun;
    if (holder === "theirs" || isDue()) lost.abort();
  }
  try {
    await working;
  } catch (error) {
    // Work that is broken off may say so in its own way.
    if (!signal.aborted && !lost.signal.aborted) throw error;
    if (error !== signal.reason && !isAbort(error)) throw error;
  }
  if (lost.signal.aborted) throw new Error(`The lease "${options.name}" in namespace "${options.namespace}" was lost`);
  await candidate.giveBack().catch((error) => onError?.(error));
}

type CandidateOptions = LeaderElectionOptions & {
  readonly now: () => number;
  readonly wallNow: () => number;
  readonly retryPeriodMs: number;
};

/** Our side of one lease. */
class Candidate {
  readonly #options: CandidateOptions;
  /** The lease as last seen, and since when it looks so: clocks of other machines are never compared with ours. */
  #lease: Lease | undefined;
  #since = 0;
  #isHeld = false;

  constructor(options: CandidateOptions) {
    this.#options = options;
  }

  /**
   * Takes or renews the lease, if it is free or ours.
   * @throws when the server cannot be asked.
   */
  async hold(): Promise<Holder> {
    const { identity, leaseDurationMs = 15_000, now, wallNow } = this.#options;
    const found = await this.#find();
    const time = new Date(wallNow()).toISOString().replace("Z", "000Z");
    const held: LeaseSpec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      renewTime: time,
    };
    try {
      if (!found) {
        await this.#ask("POST", { ...held, acquireTime: time, leaseTransitions: 0 });
        return this.#hasIt();
      }
      const { holderIdentity, acquireTime = time, leaseTransitions = 0 } = found.spec ?? {};
      if (holderIdentity === identity) {
        // An earlier life under this name was somebody else.
        const transitions = leaseTransitions + (this.#isHeld ? 0 : 1);
        await this.#ask("PUT", { ...held, acquireTime, leaseTransitions: transitions });
        return this.#hasIt();
      }
      if (holderIdentity && now() - this.#since < leaseDurationMs) return "theirs";
      await this.#ask("PUT", { ...held, acquireTime: time, leaseTransitions: leaseTransitions + 1 });
      return this.#hasIt();
    } catch (error) {
      const sort = sortError(error);
      if (sort === "conflict" || sort === "alreadyExists") return "unknown";
      throw error;
    }
  }

  /** The number of times that the lease has changed hands, as last seen. */
  get epoch(): number {
    return this.#lease?.spec?.leaseTransitions ?? 0;
  }

  #hasIt(): Holder {
    this.#isHeld = true;
    return "ours";
  }

  /** Lets the next leader begin at once. */
  async giveBack(): Promise<void> {
    await this.#ask("PUT", { ...this.#lease?.spec, holderIdentity: "", leaseDurationSeconds: 1 });
  }

  async #find(): Promise<Lease | undefined> {
    try {
      return await this.#ask("GET");
    } catch (error) {
      if (sortError(error) === "notFound") return undefined;
      throw error;
    }
  }

  /** No request may outlast the time in which we must know whether we still lead. */
  async #ask(method: "GET" | "POST" | "PUT", spec?: LeaseSpec): Promise<Lease> {
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

/** @throws {KubeError} for an answer that is no lease: one that passes, as whatever stands before the server does. */
function readLease(answer: unknown): Lease {
  const { metadata, spec: written } = fieldsOf(answer);
  if (!isObject(metadata)) {
    throw new KubeError("The answer about a lease is none", { status: 0, reason: "NetworkError" });
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
