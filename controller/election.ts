/** One controller at work, the others in waiting, as the environment says (LEADER_ELECTION_*). */
import { argoDurationMillis } from "./engine/duration.ts";
import { type KubeClient, runAsLeader } from "../lib/kube/mod.ts";
import type { Log } from "./log.ts";

/** What decides about the election. */
export interface ElectionOptions {
  readonly client: KubeClient;
  /** Where the Lease is. */
  readonly namespace: string;
  readonly instanceId?: string | undefined;
  readonly log: Log;
  readonly env: (name: string) => string | undefined;
  /** Who we are where the environment does not say: no two processes may be the same. */
  readonly identity: () => string;
}

/** The Lease that the controllers of an instance ID share. */
export function leaseName(instanceId: string | undefined): string {
  return instanceId ? `workflow-controller-${instanceId}` : "workflow-controller";
}

/**
 * Runs `work` while no other process does; at once, and without asking, where LEADER_ELECTION_DISABLE is `true`. The signal
 * that `work` gets is aborted when the lease is lost.
 * @throws {Error} when the lease was lost: what was begun under it must end with the process.
 */
export async function runElected(
  options: ElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { client, namespace, instanceId, log, env } = options;
  if (env("LEADER_ELECTION_DISABLE") === "true") return await work(signal);
  const identity = env("LEADER_ELECTION_IDENTITY") || options.identity();
  const name = leaseName(instanceId);
  const millis = (variable: string, otherwise: string) => argoDurationMillis(env(variable) || otherwise);
  log.info("Waiting to be the one at work", { lease: `${namespace}/${name}`, identity });
  await runAsLeader(
    {
      client,
      namespace,
      name,
      identity,
      leaseDurationMs: millis("LEADER_ELECTION_LEASE_DURATION", "15s"),
      renewDeadlineMs: millis("LEADER_ELECTION_RENEW_DEADLINE", "10s"),
      retryPeriodMs: millis("LEADER_ELECTION_RETRY_PERIOD", "5s"),
      onError: (error) => log.warn("The lease could not be asked for", { error: String(error) }),
    },
    async (leading) => {
      log.info("This process is the one at work", { identity });
      await work(leading);
    },
    signal,
  );
}
