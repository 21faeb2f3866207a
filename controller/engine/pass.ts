/**
 * One pass over one workflow: the facts, what was decided so far, and the few moves that every question makes
 * (mark a node, plan a pod, come back at a time). The questions themselves live in the files named after them.
 */
import type { Artifact, NodePhase, NodeStatus, Pod, Workflow, WorkflowSpec } from "../../lib/api/mod.ts";
import type { Action, EngineConfig, Observed } from "./types.ts";
import { sortOutLeftovers } from "./leftover_pods.ts";
import type { Memory } from "./memory.ts";
import { isFulfilled, isOver } from "./node_state.ts";
import { NodeTable } from "./node_table.ts";
import { formatTime } from "./time.ts";

/** The working state of a pass. */
export class Pass {
  readonly nodes: NodeTable;
  readonly observed: Observed;
  /** Pods that are in the way of the next pod of their node, by node ID; they are not among the observed ones. */
  readonly leftovers: ReadonlyMap<string, Pod>;
  readonly actions: Action[] = [];
  readonly notes: string[] = [];
  readonly planned = new Set<string>();
  /** Values of `{{workflow.…}}`, in the order they were set. */
  readonly globals = new Map<string, string | null>();
  readonly globalArtifacts = new Map<string, Artifact>();
  requeueAt: number | undefined;
  /** The spec that runs: workflow, template and defaults merged, globals filled in outside of templates. */
  spec!: WorkflowSpec;
  workflow: Workflow;
  /** Milliseconds since 1970, or undefined when the workflow has no deadline. */
  deadline: number | undefined;
  /** Pods that exist or are planned, of nodes that still run: what `parallelism` counts. */
  activePods = 0;
  depth = 0;
  /** How often something found no room for its pod, and how often something else kept a node from going on. */
  roomless = 0;
  heldBack = 0;
  /** The nodes that may have something to do, with those they lie in; undefined when all may. */
  awake: ReadonlySet<string> | undefined;
  /** The workflow is not over, and nothing kept it from being worked on. */
  isAtWork = false;

  constructor(
    workflow: Workflow,
    observed: Observed,
    readonly now: Date,
    readonly config: EngineConfig,
    readonly memory: Memory,
  ) {
    this.workflow = workflow;
    this.observed = observed;
    this.nodes = memory.nodes = NodeTable.of(workflow.metadata.name!, workflow.status?.nodes, memory.nodes);
    memory.attention.begin({
      changes: observed.changes,
      replaced: this.nodes.replacedBefore,
      settings: [config, workflow.spec],
    });
    ({ observed: this.observed, leftovers: this.leftovers } = sortOutLeftovers(
      workflow,
      observed,
      this.nodes,
      memory.attention,
    ));
  }

  get name(): string {
    return this.workflow.metadata.name!;
  }

  /** Changes fields of the workflow's status. */
  setStatus(fields: Partial<NonNullable<Workflow["status"]>>): void {
    this.workflow = { ...this.workflow, status: { ...this.workflow.status, ...fields } };
  }

  /** Adds labels to the workflow. */
  setLabels(labels: Record<string, string>): void {
    const metadata = this.workflow.metadata;
    this.workflow = { ...this.workflow, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
  }

  /** Adds annotations to the workflow. */
  setAnnotations(annotations: Record<string, string>): void {
    const metadata = this.workflow.metadata;
    this.workflow = {
      ...this.workflow,
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
    };
  }

  /** Asks for another pass at a time (milliseconds since 1970), or before. */
  comeBackAt(millis: number): void {
    if (this.requeueAt === undefined || millis < this.requeueAt) this.requeueAt = millis;
  }

  /** The pod of a node is there, or this pass makes it. */
  hasPod(nodeId: string): boolean {
    return this.planned.has(nodeId) || this.observed.pods.has(nodeId);
  }

  /**
   * Looks at the nodes that a question is due for, out of `everything`. One of which nothing came that a pass could
   * decide, and for which no time was waited, is looked at again when something about it changes.
   */
  lookAt(question: string, everything: Iterable<string>, look: (id: string) => void): void {
    const { attention } = this.memory;
    attention.ask(question, everything, this.nodes.changed.keys(), (id) => this.isIdle(() => look(id)));
  }

  /** The nodes out of `everything` of which something is true now. */
  select(what: string, everything: Iterable<string>, isTrue: (id: string) => boolean): ReadonlySet<string> {
    return this.memory.attention.select(what, everything, this.nodes.changed.keys(), isTrue);
  }

  /** Whether nothing came of what is done: no change, no action, no note, nothing held back, no time to come back at. */
  isIdle(act: () => void): boolean {
    const { requeueAt } = this;
    const before = this.#effects;
    this.requeueAt = undefined;
    act();
    const isIdle = this.requeueAt === undefined && this.#effects === before;
    if (requeueAt !== undefined) this.comeBackAt(requeueAt);
    return isIdle;
  }

  /** A number that grows with everything a pass does, except where it only wants room. */
  get #effects(): number {
    return this.actions.length + this.notes.length + this.nodes.changes + this.heldBack;
  }

  /** Another pod may be asked for in this pass. */
  get hasRoom(): boolean {
    return this.planned.size < (this.observed.podRoom ?? Infinity);
  }

  /** Gives a node a phase, and the moment it ended when that is the end. Without `message` the message stays. */
  mark(id: string, phase: NodePhase, message?: string): NodeStatus {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`No node ${id} to mark ${phase}`);
    // A node that never ran will never report.
    const neverReports = node.phase !== "Running" && (phase === "Failed" || phase === "Error") &&
      node.taskResultSynced === false;
    const next: NodeStatus = {
      ...node,
      phase,
      ...(message === undefined ? {} : { message: message || undefined }),
      ...(neverReports ? { taskResultSynced: true } : {}),
    };
    const ended = isFulfilled(next) && !node.finishedAt;
    return this.nodes.update(id, {
      phase: next.phase,
      message: next.message,
      taskResultSynced: next.taskResultSynced,
      finishedAt: ended ? formatTime(this.now) : node.finishedAt,
    });
  }

  /** A node ended with an error of the workflow's author or of ours. */
  markError(id: string, message: string): NodeStatus {
    return this.mark(id, "Error", message);
  }

  /** The strategy that ends the workflow early, if any. */
  get shutdown(): "" | "Stop" | "Terminate" {
    return (this.spec.shutdown ?? "") as "" | "Stop" | "Terminate";
  }

  /** With this shutdown strategy, may a node still start? Stop spares exit handlers, Terminate nothing. */
  mayRun(partOfExitHandler: boolean): boolean {
    if (this.shutdown === "Terminate") return false;
    return this.shutdown !== "Stop" || partOfExitHandler;
  }

  /** The workflow's own deadline has passed. */
  get pastDeadline(): boolean {
    return this.deadline !== undefined && this.now.getTime() > this.deadline;
  }

  /** All nodes below this one are fulfilled. */
  childrenFulfilled(node: NodeStatus, seen = new Map<string, boolean>()): boolean {
    const known = seen.get(node.id);
    if (known !== undefined) return known;
    seen.set(node.id, true);
    const children = (node.children ?? []).map((id) => this.nodes.get(id)).filter((child) => child !== undefined);
    const answer = children.length === 0
      ? isFulfilled(node)
      : children.every((child) => this.childrenFulfilled(child, seen));
    seen.set(node.id, answer);
    return answer;
  }

  /** The node is over and so is its report; false for a node that is not there. */
  isOver(id: string): boolean {
    const node = this.nodes.get(id);
    return node !== undefined && isOver(node);
  }
}
