/** The in-memory cluster: what the engine observes, and the effects of its actions. */
import type { CustomValue } from "@tiphys/base/metrics";
import type { NodeResult, Pod, Template, Workflow, WorkflowTaskResult } from "@tiphys/model/api";
import { ANNOTATION, ENV, LABEL, REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import { LockTable } from "@tiphys/engine/lock_table";
import {
  type Action,
  ChangeLog,
  type Decision,
  LoggedMap,
  type ObservedState,
  type ReadConfigMap,
} from "@tiphys/engine";
import type { AgentFacts } from "@tiphys/engine/agent";
import { lockFact, type LockFacts } from "@tiphys/engine/locks";
import {
  CACHE_TYPE,
  type CacheMap,
  cacheProblem,
  formatEntry,
  lookUpEntry,
  type MemoEntry,
  type MemoLookup,
} from "@tiphys/engine/memo";
import type { Scene } from "./documents.ts";
import { SemaphoreLimits } from "./semaphore_limits.ts";

/** The machine that runs the pods of a simulated cluster. */
export interface Machine {
  /**
   * Starts a new pod. Returns it as it is first observed.
   * @param offloaded the text of its template if it is too long for the pod.
   */
  startPod(nodeId: string, created: Pod, offloaded: string | undefined): Pod;
  /** Starts a task of the workflow's agent. */
  startTask(nodeId: string, template: Template): void;
  /** Starts the agent's pod. Returns it as it is first observed. */
  startAgent(created: Pod): Pod;
  /** Ends the containers of a node's pod. Returns whether there is something new to observe. */
  stop(nodeId: string, cluster: Cluster): boolean;
}

/** An event that the engine emitted. */
export type SimulatedEvent = Pick<Extract<Action, { kind: "event" }>, "type" | "reason" | "message">;

/** The objects that a workflow refers to, by name. */
export type SceneObjects = Pick<Scene, "workflowTemplates" | "clusterWorkflowTemplates" | "configMaps" | "limits">;

/** The cluster of one workflow. All actions of the engine are executed here. */
export class Cluster {
  readonly observed: ObservedState & { budget?: ObservedState["budget"] };
  readonly events: SimulatedEvent[] = [];
  readonly metrics: CustomValue[] = [];
  readonly #changes = new ChangeLog();
  readonly pods = new LoggedMap<Pod>(this.#changes);
  readonly taskResults = new LoggedMap<WorkflowTaskResult>(this.#changes);
  readonly #outside = new ChangeLog();
  readonly #tasks = new Map<string, Template>();
  readonly #results = new Map<string, NodeResult>();
  #agent: Pod | undefined;
  #agentsMade = 0;
  #isTaskSetCompleted = false;
  readonly #memos = new LoggedMap<MemoLookup>(this.#outside, "memo");
  /** The memoization caches that were written to. */
  readonly #caches = new Map<string, CacheMap>();
  readonly #claims = new Map<string, "present" | "gone">();
  /** The locks of the cluster. A test may hold some of them. */
  readonly locks = new LockTable({ onAnswer: (_workflow, nodeId) => this.#outside.add(lockFact(nodeId)) });
  readonly #limits: SemaphoreLimits;
  #workflow = "";
  readonly #readConfigMaps = new Map<string, ReadConfigMap>();
  readonly #scene: SceneObjects;
  readonly #machine: Machine;
  #podsMade = 0;

  constructor(scene: SceneObjects, machine: Machine) {
    this.#limits = new SemaphoreLimits(scene.limits ?? scene.configMaps);
    const locksNow = () => this.#readLocks();
    const agent = () => this.#agentFacts();
    this.observed = {
      get agent() {
        return agent();
      },
      outside: this.#outside,
      get locks() {
        return locksNow();
      },
      pods: this.pods,
      taskResults: this.taskResults,
      changes: this.#changes,
      claims: this.#claims,
      refusals: new Map(),
      memos: this.#memos,
      readConfigMaps: this.#readConfigMaps,
      workflowTemplate: (name) => scene.workflowTemplates.get(name),
      clusterWorkflowTemplate: (name) => scene.clusterWorkflowTemplates.get(name),
      configMap: (name) => scene.configMaps.get(name),
      repositories: () => scene.configMaps.get(REPOSITORIES_CONFIG_MAP),
      serviceAccount: () => undefined,
    };
    this.#scene = scene;
    this.#machine = machine;
  }

  /** Executes an action of the engine. Returns whether there is something new to observe. */
  act(action: Action): boolean {
    switch (action.kind) {
      case "createPod": {
        const { nodeId, pod, configMap } = action;
        const made = { ...pod, metadata: { ...pod.metadata, uid: `pod-${++this.#podsMade}` } };
        this.pods.set(nodeId, this.#machine.startPod(nodeId, made, configMap?.data?.[ENV.template]));
        return true;
      }
      case "terminateContainers": {
        const nodeId = this.#nodeOf(action.podName);
        return nodeId !== undefined && this.#machine.stop(nodeId, this);
      }
      case "reportEnds":
        return false;
      case "deletePod":
        return this.#delete(action.podName);
      case "finishPod":
        return action.remove
          ? this.#delete(action.podName)
          : this.#release(action.podName, { [LABEL.completed]: "true" });
      case "releasePod":
        return this.#release(action.podName, {});
      case "createClaim":
        this.#claims.set(action.claim.metadata!.name!, "present");
        return true;
      case "deleteClaim":
        this.#claims.set(action.name, "gone");
        return true;
      case "createBudget":
      case "deleteBudget":
        this.observed.budget = action.kind === "createBudget" ? "present" : "gone";
        return true;
      case "readConfigMap": {
        const configMap = this.#scene.configMaps.get(action.name);
        const isThere = configMap && (configMap.metadata?.namespace ?? action.namespace) === action.namespace;
        this.#readConfigMaps.set(`${action.namespace}/${action.name}`, isThere ? { configMap } : {});
        return true;
      }
      case "addTasks":
        this.#isTaskSetCompleted = false;
        for (const [nodeId, template] of Object.entries(action.tasks)) {
          this.#tasks.set(nodeId, template);
          this.#machine.startTask(nodeId, template);
        }
        return true;
      case "removeTasks":
        for (const nodeId of action.nodeIds) {
          this.#tasks.delete(nodeId);
          this.#results.delete(nodeId);
        }
        return false;
      case "completeTaskSet":
        this.#isTaskSetCompleted = true;
        this.#agentsMade = 0;
        return false;
      case "createAgent": {
        const metadata = { ...action.pod.metadata, uid: `pod-${++this.#podsMade}` };
        this.#agentsMade++;
        this.#agent = this.#machine.startAgent({ ...action.pod, metadata });
        return true;
      }
      case "lookUpMemo": {
        const { nodeId, cache, key } = action;
        this.#memos.set(nodeId, { cache, key, result: lookUpEntry(this.#cacheOf(cache), key) });
        return true;
      }
      case "dropMemo":
        this.#memos.delete(action.nodeId);
        return false;
      case "refreshMemo": {
        const found = lookUpEntry(this.#cacheOf(action.cache), action.key);
        const entry = "problem" in found ? undefined : found.entry;
        if (entry) this.#remember(action.cache, action.key, { ...entry, lastHitTimestamp: action.at });
        return false;
      }
      case "saveMemo": {
        const { cache, key, nodeId, outputs, at } = action;
        this.#remember(cache, key, { nodeID: nodeId, outputs, creationTimestamp: at, lastHitTimestamp: at });
        return false;
      }
      case "deleteTaskResults":
        this.taskResults.clear();
        return false;
      case "event":
        this.events.push({ type: action.type, reason: action.reason, message: action.message });
        return false;
      case "metric":
        this.metrics.push(action.metric);
        return false;
      case "deleteWorkflow":
      // The simulated engine never looks up images.
      case "lookUpImage":
      case "logPod":
      case "count":
      // The simulation has no artifact stores: a test of artifact garbage collection simulates the collector itself.
      case "createCollector":
      case "readCollector":
      case "deleteGarbageTasks":
        return false;
    }
  }

  /** Records the agent's result for a node, which the next pass observes. */
  answer(nodeId: string, result: NodeResult): void {
    this.#results.set(nodeId, result);
  }

  get agent(): Pod | undefined {
    return this.#agent;
  }

  /** The current pod of the agent. */
  set agent(pod: Pod | undefined) {
    this.#agent = pod;
  }

  #agentFacts(): AgentFacts | undefined {
    if (!this.#agentsMade && !this.#tasks.size && !this.#results.size) return undefined;
    const taskSet = {
      tasks: new Set(this.#tasks.keys()),
      bytes: JSON.stringify([...this.#tasks.values()]).length,
      results: new Map(this.#results),
      isCompleted: this.#isTaskSetCompleted,
    };
    return { pod: this.#agent, taskSet, createdPods: this.#agentsMade, plugins: [] };
  }

  #cacheOf(name: string): CacheMap | undefined {
    return this.#caches.get(name) ?? this.#scene.configMaps.get(name);
  }

  #remember(cache: string, key: string, entry: MemoEntry): void {
    const map = this.#cacheOf(cache) ?? { metadata: { labels: { [LABEL.configMapType]: CACHE_TYPE } } };
    if (cacheProblem(map) !== undefined) return;
    this.#caches.set(cache, { ...map, data: { ...map.data, [key]: formatEntry(entry) } });
  }

  /** Repeats a decision until all lock requests have an answer. Call `releaseLocks` after the decision was stored. */
  withLocks(workflow: Workflow, decide: () => Decision): Decision {
    const { namespace, name, creationTimestamp = "" } = workflow.metadata;
    this.#workflow = `${namespace}/${name}`;
    for (;;) {
      const decision = decide();
      const asks = decision.locks?.requests ?? [];
      if (asks.length === 0) return decision;
      for (const ask of asks) {
        const problem = this.#limits.problemOf(ask);
        if (problem === undefined) this.locks.request(this.#workflow, creationTimestamp, ask);
        else this.locks.refuse(this.#workflow, creationTimestamp, ask, problem);
        for (const item of ask.locks) this.locks.setLimit(item, this.#limits.limitOf(item) ?? 0);
      }
      this.locks.grantAndAnswer();
    }
  }

  /** Releases locks after a decision was stored. Returns whether a waiting request was granted. */
  releaseLocks({ locks }: Decision): boolean {
    if (!locks) return false;
    this.locks.recordHolds(this.#workflow, locks.held);
    for (const nodeId of locks.released) this.locks.release(this.#workflow, nodeId);
    if (locks.stalled) this.locks.setStalledHolders(this.#workflow, locks.stalled);
    const mark = this.#outside.position;
    this.locks.grantAndAnswer();
    return this.#outside.position > mark;
  }

  #readLocks(): LockFacts | undefined {
    const answers = this.locks.answersOf(this.#workflow);
    const deadlocks = this.locks.deadlocksOf(this.#workflow);
    return answers && { answers, deadlocks, holders: this.locks.holdersFor(this.#workflow) };
  }

  #delete(podName: string): boolean {
    if (this.#agent?.metadata.name === podName) {
      this.#agent = undefined;
      return true;
    }
    const nodeId = this.#nodeOf(podName);
    return nodeId !== undefined && this.pods.delete(nodeId);
  }

  /**
   * Removes the finalizers of a pod; a pod that is being deleted is then gone. Changed labels are not reported as new,
   * because the engine set them itself.
   */
  #release(podName: string, more: Readonly<Record<string, string>>): boolean {
    const nodeId = this.#nodeOf(podName);
    const pod = nodeId && this.pods.get(nodeId);
    if (!pod) return false;
    const { finalizers: _, ...metadata } = pod.metadata;
    if (metadata.deletionTimestamp) return this.pods.delete(nodeId);
    this.pods.set(nodeId, { ...pod, metadata: { ...metadata, labels: { ...metadata.labels, ...more } } });
    return false;
  }

  #nodeOf(podName: string): string | undefined {
    for (const { metadata } of this.pods.values()) {
      if (metadata.name === podName) return metadata.annotations?.[ANNOTATION.nodeId];
    }
    return undefined;
  }
}
