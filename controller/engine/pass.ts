/**
 * One pass over one workflow: the facts, what was decided so far, and the few moves that every question makes
 * (mark a node, plan a pod, come back at a time). The questions themselves live in the files named after them.
 */
import type { Artifact, NodePhase, NodeStatus, Pod, Template, Workflow, WorkflowSpec } from "../../lib/api/mod.ts";
import type { Action, EngineConfig, Observed } from "./types.ts";
import { sortOutLeftovers } from "./leftover_pods.ts";
import { isFulfilled, isOver } from "./node_state.ts";
import { NodeTable } from "./node_table.ts";
import { formatTime } from "./time.ts";

/** What the engine may remember between two passes of one workflow. A cache: without it the answers are the same. */
export interface Memory {
  /** The table of the last pass. */
  nodes?: NodeTable;
  /** Leaf templates with their arguments filled in, by node ID, for nodes whose pod exists. */
  readonly processed: Map<string, Template>;
  /** Nodes whose pod is there and that nothing but the pod changes (`quiet.ts`). */
  readonly quiet: Set<string>;
  /** What was looked at and found in order, by the question and the ID of the node (`isKnown`). */
  readonly known: Map<string, Map<string, readonly unknown[]>>;
  /** IDs of the nodes of steps, by the list of the steps. */
  readonly childIds: WeakMap<readonly unknown[], readonly string[]>;
  /** Loops written out, by the node ID of their group or task, with the text they were made from. */
  readonly loops: Map<string, { readonly source: string; readonly items: readonly unknown[] }>;
}

/** Makes an empty memory. */
export function newMemory(): Memory {
  return {
    processed: new Map(),
    quiet: new Set(),
    known: new Map(),
    childIds: new WeakMap(),
    loops: new Map(),
  };
}

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

  constructor(
    workflow: Workflow,
    observed: Observed,
    readonly now: Date,
    readonly config: EngineConfig,
    readonly memory: Memory,
  ) {
    this.workflow = workflow;
    ({ observed: this.observed, leftovers: this.leftovers } = sortOutLeftovers(workflow, observed));
    this.nodes = memory.nodes = NodeTable.of(workflow.metadata.name!, workflow.status?.nodes, memory.nodes);
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
   * Looks at a node with the facts about it, unless it was found in order with these very facts before: then nothing came
   * of it that a pass could decide, and no time was waited for.
   */
  lookAt(question: string, id: string, facts: readonly unknown[], look: () => void): void {
    let known = this.memory.known.get(question);
    if (!known) this.memory.known.set(question, known = new Map());
    const before = known.get(id);
    if (before && before.every((fact, index) => fact === facts[index])) return;
    const { actions, notes, requeueAt, nodes } = this;
    const marks = [actions.length, notes.length, nodes.changes];
    this.requeueAt = undefined;
    look();
    const isInOrder = this.requeueAt === undefined && actions.length === marks[0] && notes.length === marks[1] &&
      nodes.changes === marks[2];
    if (requeueAt !== undefined) this.comeBackAt(requeueAt);
    if (isInOrder) known.set(id, facts);
    else known.delete(id);
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
