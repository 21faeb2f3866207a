/**
 * The draft of a pass: the decisions so far, and the only object that a pass writes. The current evaluation is
 * notified of each write: the write of the status may fail, and then the evaluation must be repeated.
 */
import type { NodePhase, NodeStatus, Template, Workflow, WorkflowSpec } from "@tiphys/model/api";
import { shortened } from "@tiphys/base/limits";
import { isFailure, isFulfilled, timeText } from "@tiphys/model/status";
import type { PlannedText } from "@tiphys/language/template";
import type { Nodes, NodeTable } from "./nodes/node_table.ts";
import type { LockRequest } from "./lock_table/mod.ts";
import type { LockChanges } from "./locks/lock_facts.ts";
import type { Action } from "./types.ts";

/** A task for the agent. */
export interface AgentTask {
  readonly template: Template;
  readonly bytes: number;
}

/** The decisions of a pass so far. */
export class Draft {
  /** The current nodes. */
  readonly nodes: Nodes;
  readonly #table: NodeTable;
  readonly #now: Date;
  readonly #onWrite: () => void;
  readonly #actions: Action[] = [];
  readonly #logLines: string[] = [];
  readonly #lockRequests: LockRequest[] = [];
  /** The holders of locks in which all nodes wait for other holders; undefined if unknown. */
  stalledHolders: LockChanges["stalled"];
  /** The nodes that requested locks. */
  readonly #lockRequesters = new Set<string>();
  /** The number of these nodes in each steps or DAG node, by its ID. */
  readonly #lockRequestersIn = new Map<string | undefined, number>();
  readonly #globals = new Map<string, string | null>();
  readonly #globalsWithTags = new Map<string, PlannedText>();
  readonly #requestedPods = new Set<string>();
  #requestedPodBytes = 0;
  readonly #agentTasks = new Map<string, AgentTask>();
  #workflow: Workflow;
  #spec: WorkflowSpec | undefined;
  #requeueAt: number | undefined;
  /** The volumes of the spec before substitution. */
  volumesBeforeSubstitution: WorkflowSpec["volumes"];

  constructor(workflow: Workflow, table: NodeTable, now: Date, onWrite: () => void) {
    this.#workflow = workflow;
    this.#table = this.nodes = table;
    this.#now = now;
    this.#onWrite = onWrite;
  }

  /** The resulting workflow, without changes of its nodes. */
  get workflow(): Workflow {
    return this.#workflow;
  }

  /** The spec that runs: workflow, template and defaults merged, with globals substituted outside of templates. */
  get spec(): WorkflowSpec {
    if (!this.#spec) throw new Error("The effective spec was read before it was set");
    return this.#spec;
  }

  /** The spec that runs; undefined until it is set, as in a pass over a workflow that may not run. */
  get specIfSet(): WorkflowSpec | undefined {
    return this.#spec;
  }

  /** Sets the spec that runs. It is derived from the workflow in every pass, so this does not count as a write. */
  setSpec(spec: WorkflowSpec): void {
    this.#spec = spec;
  }

  /** Values of `{{workflow.…}}`, in the order they were set. */
  get globals(): ReadonlyMap<string, string | null> {
    return this.#globals;
  }

  /** The globals whose values have tags that their author wrote. */
  get globalsWithTags(): ReadonlyMap<string, PlannedText> {
    return this.#globalsWithTags;
  }

  get actions(): readonly Action[] {
    return this.#actions;
  }

  get logLines(): readonly string[] {
    return this.#logLines;
  }

  /** The requested locks. */
  get lockRequests(): readonly LockRequest[] {
    return this.#lockRequests;
  }

  /** The time of the next pass if nothing changes before, in milliseconds since the epoch. */
  get requeueAt(): number | undefined {
    return this.#requeueAt;
  }

  /** The IDs of the nodes whose pod is requested. */
  get requestedPods(): ReadonlySet<string> {
    return this.#requestedPods;
  }

  /** The approximate total size of the requested pods, in bytes. */
  get requestedPodBytes(): number {
    return this.#requestedPodBytes;
  }

  /** Requests an action. */
  request(action: Action): void {
    this.#actions.push(action);
    this.#onWrite();
  }

  /** Requests an action that is carried out before all those requested so far. */
  requestFirst(action: Action): void {
    this.#actions.unshift(action);
    this.#onWrite();
  }

  /** Requests the pod of a node, of approximately `bytes`. */
  requestPod(action: Extract<Action, { kind: "createPod" }>, bytes: number): void {
    this.#requestedPods.add(action.nodeId);
    this.#requestedPodBytes += bytes;
    this.request(action);
  }

  /** Cancels the request for the pod of a node, if there is one. */
  cancelPod(nodeId: string): void {
    if (!this.#requestedPods.delete(nodeId)) return;
    const index = this.#actions.findIndex((action) => action.kind === "createPod" && action.nodeId === nodeId);
    if (index >= 0) this.#actions.splice(index, 1);
    this.#onWrite();
  }

  /** Requests locks. The decision is repeated with the response before it is written. */
  requestLocks(request: LockRequest, boundaryId?: string): void {
    this.#lockRequests.push(request);
    this.#lockRequesters.add(request.nodeId);
    this.#lockRequestersIn.set(boundaryId, this.lockRequestersIn(boundaryId) + 1);
    this.#onWrite();
  }

  /** Whether a node requested locks. It may start when the decision is repeated. */
  hasRequestedLocks(nodeId: string): boolean {
    return this.#lockRequesters.has(nodeId);
  }

  /** The number of nodes in a steps or DAG node that requested locks. */
  lockRequestersIn(boundaryId: string | undefined): number {
    return this.#lockRequestersIn.get(boundaryId) ?? 0;
  }

  /** Tasks for the agent, by the ID of their node. */
  get agentTasks(): ReadonlyMap<string, AgentTask> {
    return this.#agentTasks;
  }

  /** Offers a task of approximately `bytes` for the agent, which is added if there is room for it. */
  addAgentTask(nodeId: string, template: Template, bytes: number): void {
    this.#agentTasks.set(nodeId, { template, bytes });
    this.#onWrite();
  }

  /** Cancels all requests for new pods and claims. */
  cancelCreations(): void {
    const others = this.#actions.filter(({ kind }) => kind !== "createPod" && kind !== "createClaim");
    this.#actions.splice(0, this.#actions.length, ...others);
    this.#onWrite();
  }

  /** Adds a line to the controller's log. */
  log(text: string): void {
    this.#logLines.push(text);
    this.#onWrite();
  }

  /** Requests another pass at or before a time, in milliseconds since the epoch. */
  requestPassAt(millis: number): void {
    if (this.#requeueAt === undefined || millis < this.#requeueAt) this.#requeueAt = millis;
  }

  /** Sets the value of a `{{workflow.…}}`. `open` has the tags that the value's author wrote. */
  setGlobal(name: string, value: string | null, open?: PlannedText): void {
    if (this.#globals.get(name) === value && this.#globalsWithTags.get(name) === open) return;
    this.#globals.set(name, value);
    if (open) this.#globalsWithTags.set(name, open);
    else this.#globalsWithTags.delete(name);
    this.#onWrite();
  }

  /** Changes fields of the workflow's status. */
  setStatus(fields: Partial<NonNullable<Workflow["status"]>>): void {
    this.#write({ ...this.#workflow, status: { ...this.#workflow.status, ...fields } });
  }

  /** Changes fields of the workflow's own spec. */
  setOwnSpec(fields: Partial<WorkflowSpec>): void {
    this.#write({ ...this.#workflow, spec: { ...this.#workflow.spec, ...fields } });
  }

  /** Adds labels to the workflow. */
  setLabels(labels: Record<string, string>): void {
    const { metadata } = this.#workflow;
    this.#write({ ...this.#workflow, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } });
  }

  /** Sets the finalizers of the workflow. */
  setFinalizers(finalizers: readonly string[]): void {
    const { finalizers: _, ...metadata } = this.#workflow.metadata;
    const some = finalizers.length ? { finalizers: [...finalizers] } : {};
    this.#write({ ...this.#workflow, metadata: { ...metadata, ...some } });
  }

  /** Adds annotations to the workflow, and removes those that are undefined. */
  setAnnotations(annotations: Readonly<Record<string, string | undefined>>): void {
    const { metadata } = this.#workflow;
    const after: Record<string, string> = {};
    for (const [name, value] of Object.entries({ ...metadata.annotations, ...annotations })) {
      if (value !== undefined) after[name] = value;
    }
    this.#write({ ...this.#workflow, metadata: { ...metadata, annotations: after } });
  }

  #write(workflow: Workflow): void {
    this.#workflow = workflow;
    this.#onWrite();
  }

  /** Adds a node. */
  add(node: NodeStatus): NodeStatus {
    this.#onWrite();
    return this.#table.set(node);
  }

  /** Replaces fields of a node. Returns the same object if nothing changes. */
  update(id: string, fields: Partial<NodeStatus>): NodeStatus {
    const before = this.nodes.get(id);
    const after = this.#table.update(id, fields);
    if (after !== before) this.#onWrite();
    return after;
  }

  /** Adds a child to a node, once. */
  addChild(parentId: string, childId: string): void {
    if (this.#table.addChild(parentId, childId)) this.#onWrite();
  }

  /** Sets the phase of a node and, if that ends it, its end. Without `message`, the message is unchanged. */
  mark(id: string, phase: NodePhase, message?: string): NodeStatus {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`No node ${id} to mark ${phase}`);
    // A node that has not run will not report.
    const neverReports = node.phase !== "Running" && isFailure(phase) && node.taskResultSynced === false;
    const next: NodeStatus = {
      ...node,
      phase,
      ...(message === undefined ? {} : { message: shortened(message) || undefined }),
      ...(neverReports ? { taskResultSynced: true } : {}),
    };
    // A running daemon is fulfilled but has not ended, and neither has its Retry node.
    const ended = isFulfilled(next) && phase !== "Running" && !node.finishedAt;
    return this.update(id, {
      phase: next.phase,
      message: next.message,
      taskResultSynced: next.taskResultSynced,
      // A group that is evaluated again may run again.
      finishedAt: ended ? timeText(this.#now) : phase === "Running" ? undefined : node.finishedAt,
    });
  }

  /** Ends a node with an error, whose message is for the workflow's author. */
  markError(id: string, message: string): NodeStatus {
    return this.mark(id, "Error", message);
  }
}
