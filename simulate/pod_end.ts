/** The end of a pod as a test says it, before anybody reports it. */
import type { Outputs, Pod } from "../lib/api/mod.ts";
import { ENV, EXIT, NO_DEADLINE } from "../lib/constants.ts";
import { formatTerminationMessage } from "../lib/termination_message.ts";

/** The end of one container. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly message?: string | undefined;
}

/** The end of a pod. */
export interface PodEnd {
  /** The end of the container that does the template's work, and of each that is not in `members`. */
  readonly main: ContainerEnd;
  /** Members of a container set. */
  readonly members?: Readonly<Record<string, ContainerEnd>>;
  /** The end of the executor's own container, where it is not a good one. */
  readonly executor?: ContainerEnd;
  /** The reason and message that the kubelet gives for the pod as a whole, where the kubelet ended it. */
  readonly byKubelet?: { readonly reason: string; readonly message: string };
  /** The outputs that main left. */
  readonly outputs?: Outputs | undefined;
}

/** 128 + SIGTERM. */
const TERMINATED = { exitCode: 143 } as const;

/** The engine, or a deadline, had its containers ended. */
export const STOPPED: PodEnd = { main: TERMINATED };

const PAST_LIMIT = "Pod was active on the node longer than the specified deadline";

/** The kubelet's doing, where nobody in the pod keeps the limit. */
const KILLED_AT_LIMIT: PodEnd = {
  main: TERMINATED,
  byKubelet: { reason: "DeadlineExceeded", message: PAST_LIMIT },
};

function endedByExecutor(cause: string): PodEnd {
  const message = formatTerminationMessage({ stage: "deadline", cause });
  return { main: TERMINATED, executor: { exitCode: EXIT.executorError, message } };
}

/** An end and its moment, milliseconds since 1970. */
export interface TimedEnd {
  readonly at: number;
  readonly end: PodEnd;
}

/**
 * The first of all that would end a pod that starts now: its own end, its limit, the step's deadline. The limit may be the
 * deadline, rounded down to a second: then the deadline counts. A moment after it, as the engine is there first.
 */
export function firstEnd(pod: Pod, now: Date, own: TimedEnd): TimedEnd {
  const start = now.getTime();
  const deadline = deadlineOf(pod);
  const kept = envOf(pod, ENV.activeDeadline);
  const limit = start + Number(kept ?? pod.spec.activeDeadlineSeconds ?? Infinity) * 1000;
  const atLimit = kept === undefined ? KILLED_AT_LIMIT : endedByExecutor(PAST_LIMIT);
  const ends = [
    own,
    { at: deadline + 2, end: endedByExecutor("Step exceeded its deadline") },
    ...(deadline - limit < 1000 && deadline !== Infinity ? [] : [{ at: limit, end: atLimit }]),
  ];
  return ends.reduce((first, one) => one.at < first.at ? one : first);
}

function deadlineOf(pod: Pod): number {
  const text = envOf(pod, ENV.deadline) ?? NO_DEADLINE;
  return text === NO_DEADLINE ? Infinity : Date.parse(text);
}

/** The value of a variable that the executor's protocol gives to a pod's containers. */
export function envOf(pod: Pod, variable: string): string | undefined {
  const containers = [...pod.spec.initContainers ?? [], ...pod.spec.containers];
  return containers.flatMap(({ env }) => env ?? []).find(({ name }) => name === variable)?.value;
}
