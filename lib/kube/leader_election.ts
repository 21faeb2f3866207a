/** One of several processes at work, the others in waiting: a Lease that its holder keeps renewing. */

import type { KubeClient } from "./client.ts";
import { sortError } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import { pause } from "./pause.ts";
import { LEASES, resourcePath } from "./resources.ts";

export interface LeaderElectionOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** The Lease's name: what is being led. */
  readonly name: string;
  /** Who we are; no two candidates may be the same. */
  readonly identity: string;
  /** A holder that has not renewed for this long may be replaced. */
  readonly leaseDurationMs?: number;
  /** A holder that could not renew for this long stops leading: sooner than others may begin. */
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
  readonly onError?: (error: unknown) => void;
  readonly now?: () => number;
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

/** Whose the lease is; unknown when another candidate wrote at the same moment. */
type Holder = "ours" | "theirs" | "unknown";

/**
 * Waits until we hold the lease, then runs `work` until it ends, the signal is aborted, or the lease is lost; aborts the
 * signal it gave to `work` before anybody else can begin. Gives the lease back when we stop of our own accord.
 * Throws when the lease was lost: whatever was begun under it must not go on, so the process should end.
 */
export async function runAsLeader(
  options: LeaderElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { renewDeadlineMs = 10_000, retryPeriodMs = 5_000, now = Date.now, wait = pause, onError } = options;
  const candidate = new Candidate({ ...options, now, retryPeriodMs });
  const tryToHold = () =>
    candidate.hold().catch((error): Holder => {
      onError?.(error);
      return "unknown";
    });

  while (await tryToHold() !== "ours") {
    await wait(retryPeriodMs, signal);
    if (signal.aborted) return;
  }
  const lost = new AbortController();
  const finished = new AbortController();
  const working = work(AbortSignal.any([signal, lost.signal])).finally(() => finished.abort());
  working.catch(() => {}); // thrown to our caller below, when the lease is settled
  const over = AbortSignal.any([signal, finished.signal]);
  for (let renewed = now(); !over.aborted && !lost.signal.aborted;) {
    await wait(retryPeriodMs, over);
    if (over.aborted) break;
    const begun = now();
    const holder = await tryToHold();
    if (holder === "ours") renewed = begun;
    else if (holder === "theirs" || now() - renewed >= renewDeadlineMs) lost.abort();
  }
  await working;
  if (lost.signal.aborted) throw new Error(`The lease "${options.name}" in namespace "${options.namespace}" was lost`);
  await candidate.giveBack().catch((error) => onError?.(error));
}

/** Our side of one lease. */
class Candidate {
  readonly #options: LeaderElectionOptions & { now: () => number; retryPeriodMs: number };
  /** The lease as last seen, and since when it looks so: clocks of other machines are never compared with ours. */
  #lease: Lease | undefined;
  #since = 0;

  constructor(options: LeaderElectionOptions & { now: () => number; retryPeriodMs: number }) {
    this.#options = options;
  }

  /** Takes or renews the lease, if it is free or ours. Throws when the server cannot be asked. */
  async hold(): Promise<Holder> {
    const { identity, leaseDurationMs = 15_000, now } = this.#options;
    const found = await this.#find();
    const time = new Date(now()).toISOString().replace("Z", "000Z");
    const held: LeaseSpec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      renewTime: time,
    };
    try {
      if (!found) {
        await this.#ask("POST", { ...held, acquireTime: time, leaseTransitions: 0 });
        return "ours";
      }
      const { holderIdentity, acquireTime = time, leaseTransitions = 0 } = found.spec ?? {};
      if (holderIdentity === identity) {
        await this.#ask("PUT", { ...held, acquireTime, leaseTransitions });
        return "ours";
      }
      if (holderIdentity && now() - this.#since < leaseDurationMs) return "theirs";
      await this.#ask("PUT", { ...held, acquireTime: time, leaseTransitions: leaseTransitions + 1 });
      return "ours";
    } catch (error) {
      const sort = sortError(error);
      if (sort === "conflict" || sort === "alreadyExists") return "unknown";
      throw error;
    }
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
    const lease = await client.request<Lease>(method, path, {
      body: spec && { ...(method === "PUT" ? this.#lease : fresh), spec },
      signal: AbortSignal.timeout(retryPeriodMs),
    });
    if (lease.metadata.resourceVersion !== this.#lease?.metadata.resourceVersion) this.#since = now();
    this.#lease = lease;
    return lease;
  }
}
