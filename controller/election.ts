/** The election of one controller that works while others wait, as the environment says (LEADER_ELECTION_*). */
import type { Environment } from "./config/environment.ts";
import { KubeClient, KubeError, type Leadership, runAsLeader } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";

/** The place of the Lease, the name of this process and the environment, which decide how the election is held. */
export interface ElectionOptions {
  readonly client: KubeClient;
  /** The namespace of the Lease. */
  readonly namespace: string;
  readonly instanceId?: string | undefined;
  readonly log: Log;
  readonly environment: Environment;
  /** Makes the name of this process where the environment gives none: no two processes may have the same. */
  readonly identity: () => string;
}

/** The Lease that the controllers of an instance ID share. */
export function leaseName(instanceId: string | undefined): string {
  return instanceId ? `workflow-controller-${instanceId}` : "workflow-controller";
}

/** The client of the process that is at work, and the epoch of its lease; without an election there is no epoch. */
export interface Work {
  /** The client, which writes nothing any more as soon as another process may be at work. */
  readonly client: KubeClient;
  readonly epoch?: number;
}

/**
 * Runs `work` while no other process does; at once, and without asking, where LEADER_ELECTION_DISABLE is `true`. The signal
 * that `work` gets is aborted when the lease is lost.
 * @throws {Error} when the lease was lost: what was begun under it must end with the process.
 */
export async function runElected(
  options: ElectionOptions,
  work: (signal: AbortSignal, work: Work) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { client, namespace, instanceId, log, environment } = options;
  if (environment.LEADER_ELECTION_DISABLE) return await work(signal, { client });
  const identity = environment.LEADER_ELECTION_IDENTITY || options.identity();
  const name = leaseName(instanceId);
  log.info("Waiting to be the one at work", { lease: `${namespace}/${name}`, identity });
  await runAsLeader(
    {
      // Of its own, so that the lease does not wait in line behind the work, and never for a busy server's patience.
      client: new KubeClient(client.transport),
      namespace,
      name,
      identity,
      leaseDurationMs: environment.LEADER_ELECTION_LEASE_DURATION,
      renewDeadlineMs: environment.LEADER_ELECTION_RENEW_DEADLINE,
      retryPeriodMs: environment.LEADER_ELECTION_RETRY_PERIOD,
      onError: (error) => log.warn("The lease could not be asked for", { error: String(error) }),
    },
    async (leading, leadership) => {
      const { epoch } = leadership;
      log.info("This process is the one at work", { identity, epoch });
      await work(leading, { client: client.guarded(() => mustLead(name, leadership)), epoch });
    },
    signal,
  );
}

/** A process that was stopped for a while finds out here, before it harms what its successor does. */
function mustLead(lease: string, leadership: Leadership): void {
  if (leadership.isOurs()) return;
  const message = `The lease "${lease}" may be another process's by now: nothing is written any more`;
  throw new KubeError(message, { status: 0, reason: "NotLeading" });
}
