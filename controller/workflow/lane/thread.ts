/** The thread of the slow lane: `lane_thread.ts` starts it as a worker, and it is bundled as a separate program. */
import { VARIABLES } from "../../config/environment.ts";
import { ChangeLog, type EngineConfig, LoggedMap, type ObservedState } from "@tiphys/engine";
import type { LockFacts } from "@tiphys/engine/locks";
import { CallStoppedError, callWithin } from "@tiphys/base/bounded_call";
import { failureOf } from "./failure.ts";
import type { KubeObject } from "@tiphys/kube";
import { LockAnswers } from "@tiphys/engine/lock_table";
import { isProblem, type Pod, Problem, type ReadResult, type WorkflowTaskResult } from "@tiphys/model/api";
import {
  readClusterWorkflowTemplate,
  readConfigMap,
  readServiceAccount,
  readWorkflowTemplate,
} from "../observe/readers.ts";
import { REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import type { NamedFact } from "../observe/observe.ts";
import { LaneLostError } from "./lane.ts";
import { LaneWork } from "./lane_work.ts";
import {
  type DecideMessage,
  type FactsMessage,
  type FromThread,
  type LocksMessage,
  type ResultMessage,
  SharedObjectBuffer,
  type ToThread,
} from "./protocol.ts";

/** The facts about the nodes of a workflow, as the controller sent them. */
class ReceivedFacts {
  readonly changes = new ChangeLog();
  readonly pods = new LoggedMap<Pod>(this.changes);
  readonly taskResults = new LoggedMap<ReadResult<WorkflowTaskResult>>(this.changes);

  #outside = new ChangeLog();

  /**
   * Records changes of these facts outside of the nodes, and returns the log; a new log if it is unknown which facts
   * changed.
   */
  changeLogAfter(keys: readonly string[] | undefined): ChangeLog {
    if (!keys) this.#outside = new ChangeLog();
    else for (const key of keys) this.#outside.add(key);
    return this.#outside;
  }

  readonly #locks = new LockAnswers();

  /** Returns the locks after these changes; the changes alone if it is unknown which facts changed. */
  locksAfter(message: LocksMessage | undefined, keys: readonly string[] | undefined): LockFacts | undefined {
    if (!keys || !message) this.#locks.clear();
    for (const [id, answer] of message?.answers ?? []) put(this.#locks, id, answer);
    if (!message) return undefined;
    const { holders, deadlocks, successors = new Map(), writesHolders = false } = message;
    return { answers: this.#locks, holders, deadlocks, successors, mustWriteHolders: writesHolders };
  }

  take({ pods, taskResults }: FactsMessage): void {
    for (const [id, pod] of pods) put(this.pods, id, pod);
    for (const [id, result] of taskResults) put(this.taskResults, id, result && readResult(result));
  }
}

function readResult(message: ResultMessage): ReadResult<WorkflowTaskResult> {
  return "problem" in message ? new Problem(message.problem) : message;
}

function put<V>(map: Map<string, V>, id: string, value: V | null): void {
  if (value === null) map.delete(id);
  else map.set(id, value);
}

// deno-lint-ignore tiphys/no-double-cast -- a worker has these globals; its types conflict with the main thread's
const thread = globalThis as unknown as {
  onmessage: (event: MessageEvent<ToThread>) => void;
  postMessage(message: FromThread): void;
  close(): void;
};
const facts = new Map<string, ReceivedFacts>();
/** The maximum time of a pass here, in milliseconds: longer than the limit of the other end. */
let longestMillis: number;
const work = new LaneWork(
  (key) => {
    facts.delete(key);
    thread.postMessage({ kind: "dropped", key });
  },
  undefined,
  (pass) => callWithin(longestMillis, pass),
);
/** The tolerated delay of the other thread, in milliseconds. */
const GRACE_MILLIS = 1_000;
/** The maximum number of requested objects to keep. */
const MAX_CACHED_OBJECTS = 64;
const cachedObjects = new Map<string, KubeObject>();
let objectBuffer: SharedObjectBuffer;
let config: EngineConfig;

/** Messages are processed one after the other, in arrival order. */
let last: Promise<void> = Promise.resolve();
thread.onmessage = ({ data }) => last = last.then(() => handleMessage(data));
thread.postMessage({ kind: "ready" });

async function handleMessage(message: ToThread): Promise<void> {
  switch (message.kind) {
    case "begin":
      objectBuffer = new SharedObjectBuffer(message.objectBuffer);
      longestMillis = message.longestMillis + GRACE_MILLIS;
      return;
    case "facts": {
      if (message.isFirst) facts.set(message.key, new ReceivedFacts());
      facts.get(message.key)?.take(message);
      return;
    }
    case "decide":
      return await answer(message.id, () => decide(message));
    case "pack":
      return await answer(message.id, () => work.packChange(message.key, message.stamp));
    case "written":
      return work.recordWrite(message.key, message.receipt);
    case "forget":
      facts.delete(message.key);
      return work.forget(message.key);
  }
}

async function answer(id: number, act: () => Promise<unknown>): Promise<void> {
  try {
    thread.postMessage({ kind: "answer", id, value: await act() });
  } catch (error) {
    // The controller has abandoned the thread by now: its state can no longer be used.
    if (error instanceof CallStoppedError) thread.close();
    else if (error instanceof LaneLostError) thread.postMessage({ kind: "lost", id, message: error.message });
    else thread.postMessage({ kind: "failure", id, failure: failureOf(error) });
  }
}

async function decide(message: DecideMessage) {
  const {
    key,
    read,
    at,
    maxPodRequests,
    mayStart,
    baseline,
    budget,
    images,
    claims,
    refusals,
    readConfigMaps,
    garbage,
    memos,
    agent,
  } = message;
  if (message.config) {
    const pattern = message.hasTransientPattern
      ? VARIABLES.TRANSIENT_ERROR_PATTERN.read(Deno.env.get("TRANSIENT_ERROR_PATTERN"))
      : undefined;
    config = { ...message.config, transientPattern: pattern };
  }
  const told = facts.get(key);
  if (!told) throw new LaneLostError(`no facts of ${key}`);
  const namespace = key.slice(0, key.indexOf("/"));
  const ask = <R>(what: NamedFact, name: string, read: (object: KubeObject) => R): R | undefined => {
    const object = readCachedObject(what, name, namespace);
    return object && readOnce(object, read);
  };
  const observed: ObservedState = {
    pods: told.pods,
    taskResults: told.taskResults,
    changes: told.changes,
    ...(maxPodRequests !== undefined && { maxPodRequests }),
    ...(mayStart !== undefined && { mayStart }),
    baseline,
    budget,
    ...(images && { images }),
    claims,
    refusals,
    readConfigMaps,
    garbage,
    agent,
    memos,
    locks: told.locksAfter(message.locks, message.outside),
    outside: told.changeLogAfter(message.outside),
    workflowTemplate: (name) => ask("workflowTemplate", name, readWorkflowTemplate),
    clusterWorkflowTemplate: (name) => ask("clusterWorkflowTemplate", name, readClusterWorkflowTemplate),
    configMap: (name) => ask("configMap", name, readConfigMap),
    repositories: () => ask("repositories", REPOSITORIES_CONFIG_MAP, readConfigMap),
    metricProblem: ({ name, help, type, labels, buckets }) =>
      readCachedObject("metricProblem", JSON.stringify({ name, help, type, labels, buckets }), namespace)?.metadata
        .name,
    serviceAccount(name) {
      const account = ask("serviceAccount", name, readServiceAccount);
      return isProblem(account) ? undefined : account;
    },
  };
  return await work.decide({ key, read, observed, at: new Date(at), config });
}

/** An object of the controller's local copies; the same object as long as its version is the same. */
function readCachedObject(what: NamedFact, name: string, namespace: string): KubeObject | undefined {
  const place = `${what} ${namespace}/${name}`;
  const known = cachedObjects.get(place);
  objectBuffer.clear();
  thread.postMessage({ kind: "ask", what, name, version: known?.metadata.resourceVersion });
  const found = objectBuffer.take();
  cachedObjects.delete(place);
  const object = found === "same" ? known : found;
  if (object) cachedObjects.set(place, object);
  if (cachedObjects.size > MAX_CACHED_OBJECTS) cachedObjects.delete(cachedObjects.keys().next().value!);
  return object;
}

/** Parsed objects by their raw object, which is another one for each version. */
const answers = new WeakMap<KubeObject, unknown>();

function readOnce<R>(object: KubeObject, read: (object: KubeObject) => R): R {
  if (!answers.has(object)) answers.set(object, read(object));
  return answers.get(object) as R;
}
