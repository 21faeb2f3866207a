/** The end of a pod as the test defines it. */
import type { Outputs, Pod } from "@tiphys/model/api";
import { ENV, EXIT, NO_DEADLINE } from "@tiphys/base/constants";
import { formatTerminationMessage } from "@tiphys/model/termination_message";

/** The end of one container. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly message?: string | undefined;
}

/** The end of a pod. */
export interface PodEnd {
  /** The end of the main container, and of each container that is not in `members`. */
  readonly main: ContainerEnd;
  /** The ends of containers of a container set. */
  readonly members?: Readonly<Record<string, ContainerEnd>>;
  /** The end of the executor's container. Default: success. */
  readonly executor?: ContainerEnd;
  /** The reason and message of the pod's status, if the kubelet ended it. */
  readonly byKubelet?: { readonly reason: string; readonly message: string };
  /** The outputs of main. */
  readonly outputs?: Outputs | undefined;
}

/** The end of a process that SIGTERM ended: 128 + 15. */
export const TERMINATED = { exitCode: 143 } as const;

/** The end of a pod that the engine or a deadline terminated. */
export const STOPPED: PodEnd = { main: TERMINATED };

const PAST_LIMIT = "Pod was active on the node longer than the specified deadline";

/** The end by the kubelet at `activeDeadlineSeconds`, in pods without an executor that enforces it. */
const KILLED_AT_LIMIT: PodEnd = {
  main: TERMINATED,
  byKubelet: { reason: "DeadlineExceeded", message: PAST_LIMIT },
};

function executorEnd(cause: string): PodEnd {
  const message = formatTerminationMessage({ stage: "deadline", cause });
  return { main: TERMINATED, executor: { exitCode: EXIT.executorError, message } };
}

/** An end, and its time in milliseconds since the epoch. */
export interface TimedEnd {
  readonly at: number;
  readonly end: PodEnd;
}

/**
 * Returns the earliest end of a pod that starts now: its own end, its time limit, or the deadline of the step. If the
 * limit is that deadline, rounded down to a second, the deadline counts. It takes effect 2 ms late, because the engine
 * acts at the deadline itself.
 */
export function firstEnd(pod: Pod, now: Date, own: TimedEnd): TimedEnd {
  const start = now.getTime();
  const deadline = deadlineOf(pod);
  const kept = envOf(pod, ENV.activeDeadline);
  const limit = start + Number(kept ?? pod.spec.activeDeadlineSeconds ?? Infinity) * 1000;
  const atLimit = kept === undefined ? KILLED_AT_LIMIT : executorEnd(PAST_LIMIT);
  const ends = [
    own,
    { at: deadline + 2, end: executorEnd("Step exceeded its deadline") },
    ...(deadline - limit < 1000 && deadline !== Infinity ? [] : [{ at: limit, end: atLimit }]),
  ];
  return ends.reduce((first, end) => end.at < first.at ? end : first);
}

function deadlineOf(pod: Pod): number {
  const text = envOf(pod, ENV.deadline) ?? NO_DEADLINE;
  return text === NO_DEADLINE ? Infinity : Date.parse(text);
}

/** Returns the value of an environment variable of the executor's protocol. */
export function envOf(pod: Pod, variable: string): string | undefined {
  const containers = [...pod.spec.initContainers ?? [], ...pod.spec.containers];
  return containers.flatMap(({ env }) => env ?? []).find(({ name }) => name === variable)?.value;
}
