/**
 * Leader election: one controller is the leader and the others wait. The environment configures it (LEADER_ELECTION_*).
 */
import type { Environment } from "./config/environment.ts";
import { KubeClient, KubeError } from "@tiphys/kube";
import { type Leadership, runAsLeader } from "@tiphys/kube/leader_election";
import type { Log } from "@tiphys/base/log";

/** The location of the Lease, the identity of this process, and the environment that configures the election. */
export interface ElectionOptions {
  readonly client: KubeClient;
  /** The namespace of the Lease. */
  readonly namespace: string;
  readonly instanceId?: string | undefined;
  readonly log: Log;
  readonly environment: Environment;
  /** Returns the identity of this process if it is not set in the environment. It must be unique. */
  readonly identity: () => string;
}

/** The Lease that the controllers of an instance ID share. */
export function leaseName(instanceId: string | undefined): string {
  return instanceId ? `workflow-controller-${instanceId}` : "workflow-controller";
}

/** The client of the leader, and the epoch of its lease. Without an election the epoch is undefined. */
export interface Work {
  /** Refuses to write as soon as another process may be the leader. */
  readonly client: KubeClient;
  readonly epoch?: number;
}

/**
 * Runs `work` while this process is the leader; immediately, without a lease, if LEADER_ELECTION_DISABLE is `true`. The
 * signal that `work` receives is aborted when the lease is lost.
 * @throws {Error} when the lease was lost: work that began under it must end with the process.
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
  log.info("Waiting to become the leader", { lease: `${namespace}/${name}`, identity });
  await runAsLeader(
    {
      // A separate client: the lease must not queue behind other requests, nor wait for the Retry-After of a busy
      // server.
      client: new KubeClient(client.transport),
      namespace,
      name,
      identity,
      leaseDurationMs: environment.LEADER_ELECTION_LEASE_DURATION,
      renewDeadlineMs: environment.LEADER_ELECTION_RENEW_DEADLINE,
      retryPeriodMs: environment.LEADER_ELECTION_RETRY_PERIOD,
      onError: (error) => log.warn("Could not acquire or renew the lease", { error: String(error) }),
    },
    async (leading, leadership) => {
      const { epoch } = leadership;
      log.info("This process is the leader", { identity, epoch });
      await work(leading, { client: client.guarded(() => mustLead(name, leadership)), epoch });
    },
    signal,
  );
}

/** Stops a process that was suspended for a while before it interferes with its successor. */
function mustLead(lease: string, leadership: Leadership): void {
  if (leadership.isOurs()) return;
  const message = `The lease "${lease}" may belong to another process by now: nothing is written`;
  throw new KubeError(message, { status: 0, reason: "NotLeading" });
}
