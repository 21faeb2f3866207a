/**
 * A fast reader of pods, because a watch shows each change of each pod. It checks only the fields that this project
 * reads; other fields are kept unchanged.
 */
import { flag, listOf, METADATA, number, objectOf, readableMetadata, text } from "./checks.ts";
import type { Pod } from "./core/pod.ts";

/** The reason in the status of a pod that could not be parsed; its message contains the error and its place. */
const UNREADABLE = "Unreadable";

/**
 * Reads an object from the API server as a pod, and deletes fields that are `null`. An invalid object becomes a pod
 * with the error in its status, in the phase that ends its node, with the valid part of its metadata and without
 * containers. The object is changed, so the caller must own it.
 */
export function readPod(found: object): Pod {
  const problem = POD(found);
  return problem === undefined ? found as Pod : unreadablePod(found, problem);
}

/** Returns the error of a pod that could not be parsed; undefined if it is valid. */
export function podProblem({ status }: Pick<Pod, "status">): string | undefined {
  return status?.reason === UNREADABLE && status.phase === "Unknown" ? status.message : undefined;
}

function unreadablePod(found: object, problem: string): Pod {
  const metadata = readableMetadata(found);
  const message = `the pod ${metadata.name ?? ""} cannot be read: ${problem.replace(/^\./, "")}`;
  return { metadata, spec: { containers: [] }, status: { phase: "Unknown", reason: UNREADABLE, message } };
}

const CONTAINER = objectOf({
  name: text,
  image: text,
  command: listOf(text),
  args: listOf(text),
  env: listOf(objectOf({ name: text, value: text }, "name")),
  volumeMounts: listOf(objectOf({ name: text })),
}, "name");

const STATE = objectOf({
  waiting: objectOf({ reason: text, message: text }),
  running: objectOf({ startedAt: text }),
  terminated: objectOf(
    { exitCode: number, reason: text, message: text, startedAt: text, finishedAt: text },
    "exitCode",
  ),
});

const CONTAINER_STATUS = objectOf({
  name: text,
  state: STATE,
  lastState: STATE,
  ready: flag,
  restartCount: number,
  containerID: text,
  imageID: text,
}, "name");

const POD = objectOf({
  metadata: objectOf(METADATA),
  spec: objectOf({
    containers: listOf(CONTAINER),
    initContainers: listOf(CONTAINER),
    volumes: listOf(objectOf({ name: text, image: objectOf({ reference: text }) }, "name")),
    nodeName: text,
    activeDeadlineSeconds: number,
    terminationGracePeriodSeconds: number,
    schedulingGates: listOf(objectOf({ name: text })),
  }, "containers"),
  status: objectOf({
    phase: text,
    reason: text,
    message: text,
    podIP: text,
    hostIP: text,
    startTime: text,
    conditions: listOf(objectOf({ type: text, status: text, reason: text, message: text })),
    initContainerStatuses: listOf(CONTAINER_STATUS),
    containerStatuses: listOf(CONTAINER_STATUS),
  }),
}, "spec");
