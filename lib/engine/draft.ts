/**
 * The draft of a pass: what was decided so far, and the only thing that a question writes. Every write of it is told to
 * the look in the course of which it was made: what was written may come to nothing, and then it is decided anew.
 */
import type { NodePhase, NodeStatus, Template, Workflow, WorkflowSpec } from "@tiphys/model/api";
import { shortened } from "@tiphys/base/limits";
import { isFailure, isFulfilled, timeText } from "@tiphys/model/status";
import type { PlannedText } from "@tiphys/language/template";
import type { Nodes, NodeTable } from "./nodes/node_table.ts";
import type { LockAsk } from "./lock_table/mod.ts";
import type { LockWishes } from "./locks/lock_facts.ts";
import type { Action } from "./types.ts";

/** A task for the agent. */
export interface OfferedTask {
  readonly template: Template;
  readonly bytes: number;
}

/** The decisions of a pass so far. */
export class Draft {
  /** The nodes as they are now. */
  readonly nodes: Nodes;
  readonly #table: NodeTable;
  readonly #now: Date;
  readonly #onWrite: () => void;
  readonly #actions: Action[] = [];
  readonly #notes: string[] = [];
  readonly #lockAsks: LockAsk[] = [];
  /** The holders of locks in which nothing goes on but waiting for others; undefined where that is not known. */
  stalledHolders: LockWishes["stalled"];
  /** The nodes that asked for locks. */
  readonly #askers = new Set<string>();
  /** How many of them lie in a steps or DAG node, by its ID. */
  readonly #asksIn = new Map<string | undefined, number>();
  readonly #globals = new Map<string, string | null>();
  readonly #openGlobals = new Map<string, PlannedText>();
  readonly #planned = new Set<string>();
  #plannedBytes = 0;
  readonly #offeredTasks = new Map<string, OfferedTask>();
  #workflow: Workflow;
  #spec: WorkflowSpec | undefined;
  #requeueAt: number | undefined;
  /** The volumes of the spec before anything was filled in. */
  volumesAsWritten: WorkflowSpec["volumes"];

  constructor(workflow: Workflow, table: NodeTable, now: Date, onWrite: () => void) {
    this.#workflow = workflow;
    this.#table = this.nodes = table;
    this.#now = now;
    this.#onWrite = onWrite;
  }

  /** The workflow as it will be, but for its nodes. */
  get workflow(): Workflow {
    return this.#workflow;
  }

  /** The spec that runs: workflow, template and defaults merged, globals filled in outside of templates. */
  get spec(): WorkflowSpec {
    if (!this.#spec) throw new Error("The spec that runs is asked for before it is settled");
    return this.#spec;
  }

  /** The spec that runs; undefined while it is not settled, as in a pass over a workflow that may not run. */
  get settledSpec(): WorkflowSpec | undefined {
    return this.#spec;
  }

  /** Settles the spec that runs: it follows from the workflow in every pass, and is not written. */
  settleSpec(spec: WorkflowSpec): void {
    this.#spec = spec;
  }

  /** Values of `{{workflow.…}}`, in the order they were set. */
  get globals(): ReadonlyMap<string, string | null> {
    return this.#globals;
  }

  /** The globals whose value has tags of its author's own. */
  get openGlobals(): ReadonlyMap<string, PlannedText> {
    return this.#openGlobals;
  }

  get actions(): readonly Action[] {
    return this.#actions;
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  /** The locks that were asked for. */
  get lockAsks(): readonly LockAsk[] {
    return this.#lockAsks;
  }

  /** The moment at which another pass is due if nothing changes before, in milliseconds since 1970. */
  get requeueAt(): number | undefined {
    return this.#requeueAt;
  }

  /** The nodes whose pod is asked for, and about how many bytes those pods are together. */
  get planned(): ReadonlySet<string> {
    return this.#planned;
  }

  get plannedBytes(): number {
    return this.#plannedBytes;
  }

  /** Asks for something to be done. */
  ask(action: Action): void {
    this.#actions.push(action);
    this.#onWrite();
  }

  /** Asks for something to be done before all that was asked for so far. */
  askFirst(action: Action): void {
    this.#actions.unshift(action);
    this.#onWrite();
  }

  /** Asks for the pod of a node. */
  askForPod(action: Extract<Action, { kind: "createPod" }>, bytes: number): void {
    this.#planned.add(action.nodeId);
    this.#plannedBytes += bytes;
    this.ask(action);
  }

  /** Takes back that the pod of a node was asked for, where it was. */
  dropPod(nodeId: string): void {
    if (!this.#planned.delete(nodeId)) return;
    const at = this.#actions.findIndex((action) => action.kind === "createPod" && action.nodeId === nodeId);
    if (at >= 0) this.#actions.splice(at, 1);
    this.#onWrite();
  }

  /** Asks for locks: the decision is made anew with the answer, before anything of it is written. */
  askForLocks(ask: LockAsk, boundaryId?: string): void {
    this.#lockAsks.push(ask);
    this.#askers.add(ask.nodeId);
    this.#asksIn.set(boundaryId, this.asksIn(boundaryId) + 1);
    this.#onWrite();
  }

  /** Whether a node asked for locks: it may start in the decision that is made anew. */
  hasAsked(nodeId: string): boolean {
    return this.#askers.has(nodeId);
  }

  /** The number of nodes in a steps or DAG node that asked for locks. */
  asksIn(boundaryId: string | undefined): number {
    return this.#asksIn.get(boundaryId) ?? 0;
  }

  /** Tasks for the agent, by the ID of their node. */
  get offeredTasks(): ReadonlyMap<string, OfferedTask> {
    return this.#offeredTasks;
  }

  /** Asks for a task of the agent, about so many bytes, if there is room for it. */
  offerTask(nodeId: string, template: Template, bytes: number): void {
    this.#offeredTasks.set(nodeId, { template, bytes });
    this.#onWrite();
  }

  /** Takes back what would make something new. */
  makeNothing(): void {
    const others = this.#actions.filter(({ kind }) => kind !== "createPod" && kind !== "createClaim");
    this.#actions.splice(0, this.#actions.length, ...others);
    this.#onWrite();
  }

  /** Adds a line for the log of the controller. */
  note(text: string): void {
    this.#notes.push(text);
    this.#onWrite();
  }

  /** Asks for another pass at a time (milliseconds since 1970), or before. */
  comeBackAt(millis: number): void {
    if (this.#requeueAt === undefined || millis < this.#requeueAt) this.#requeueAt = millis;
  }

  /** Sets the value of a `{{workflow.…}}`; one with tags of its author's own is `open`. */
  setGlobal(name: string, value: string | null, open?: PlannedText): void {
    if (this.#globals.get(name) === value && this.#openGlobals.get(name) === open) return;
    this.#globals.set(name, value);
    if (open) this.#openGlobals.set(name, open);
    else this.#openGlobals.delete(name);
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

  /** Adds annotations to the workflow; those that are undefined are taken away. */
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

  /** Replaces some fields of a node; the same node comes back when they already are so. */
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

  /** Gives a node a phase, and the moment it ended when that is the end. Without `message` the message stays. */
  mark(id: string, phase: NodePhase, message?: string): NodeStatus {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`No node ${id} to mark ${phase}`);
    // A node that never ran will never report.
    const neverReports = node.phase !== "Running" && isFailure(phase) && node.taskResultSynced === false;
    const next: NodeStatus = {
      ...node,
      phase,
      ...(message === undefined ? {} : { message: shortened(message) || undefined }),
      ...(neverReports ? { taskResultSynced: true } : {}),
    };
    // A daemon that is up is fulfilled, and has not ended; nor has what retries it.
    const ended = isFulfilled(next) && phase !== "Running" && !node.finishedAt;
    return this.update(id, {
      phase: next.phase,
      message: next.message,
      taskResultSynced: next.taskResultSynced,
      // A group that is judged anew may run again.
      finishedAt: ended ? timeText(this.#now) : phase === "Running" ? undefined : node.finishedAt,
    });
  }

  /** Ends a node with an error of the workflow's author, or one that is shown as such. */
  markError(id: string, message: string): NodeStatus {
    return this.mark(id, "Error", message);
  }
}
