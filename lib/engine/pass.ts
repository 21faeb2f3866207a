/**
 * A pass over one workflow: the facts that its questions read, the draft that they write, and the looks by which they say
 * what they depend on. The questions themselves live in the files named after them.
 */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { isFulfilled, isOver, millisOf } from "@tiphys/model/status";
import { Allowance, type Elapsed } from "./allowance.ts";
import { Draft } from "./draft.ts";
import { type Dependency, Look } from "./due/look.ts";
import type { Memory } from "./due/memory.ts";
import { type Facts, factsOf } from "./facts.ts";
import { NodeTable } from "./nodes/node_table.ts";
import type { EngineConfig, Observed } from "./types.ts";

/** The message of nodes that the workflow's deadline ends. */
export const DEADLINE = "Step exceeded its deadline";

/** Whether the deadline of the workflow had passed when its templates were last run. */
const deadlineSeen = () => ({ isPast: false });

/** A pass over one workflow: its facts and its draft, and the means to say what the answers depend on. */
export class Pass {
  readonly facts: Facts;
  readonly draft: Draft;
  readonly allowance: Allowance;
  readonly #memory: Memory;
  #look = new Look("", undefined);
  #awake: ReadonlySet<string> | undefined;
  /** Pods that are there or planned, of nodes that run: what the workflow's `parallelism` counts. */
  #activePods = 0;
  #depth = 0;

  constructor(
    before: Workflow,
    observed: Observed,
    now: Date,
    config: EngineConfig,
    memory: Memory,
    elapsed: Elapsed,
  ) {
    const nodes = memory.nodes = NodeTable.of(before.metadata.name!, before.status?.nodes, memory.nodes);
    this.#memory = memory;
    const { changes, outside, pods } = observed;
    memory.due.begin({ changes, outside, replaced: nodes.replacedBefore, settings: [config, before.spec] });
    this.facts = factsOf(
      before,
      observed,
      now,
      config,
      nodes,
      (is) => memory.due.select("leftover", pods.keys(), nodes, is),
    );
    this.draft = new Draft(before, nodes, now, () => this.#look.wrote = true);
    this.allowance = new Allowance(config.limits, nodes, elapsed);
  }

  /** The name of the workflow. */
  get name(): string {
    return this.facts.before.metadata.name!;
  }

  /**
   * The value that a question works out and keeps for itself, made by `make` at first; it may be forgotten between two
   * passes.
   */
  cache<T>(make: () => T): T {
    return this.#memory.cache(make);
  }

  /** The look that is being made. */
  get currentLook(): Look {
    return this.#look;
  }

  /** Looks at a node, which may not be there yet; the answer says what came of it and what that depends on. */
  look(about: string, act: () => void): Look {
    const look = this.beginLook(about);
    try {
      act();
    } finally {
      this.endLook(look);
    }
    return look;
  }

  /** Begins a look, which `endLook` ends whatever happens: for calls that lie in each other, whose stack is to be short. */
  beginLook(about: string): Look {
    return this.#look = new Look(about, this.#look);
  }

  endLook(look: Look): void {
    this.#look = look.within!;
    look.end();
  }

  /** Remembers what a look of a question depends on, so that it is made again when that changes. */
  remember(question: string, look: Look): void {
    this.#memory.due.remember(question, look);
  }

  /** Looks at the nodes that a question is due for, out of `everything`. */
  lookAt(question: string, everything: Iterable<string>, look: (id: string) => void): void {
    this.#memory.due.ask(question, everything, this.draft.nodes, (id) => this.look(id, () => look(id)));
  }

  /** The nodes out of `everything` of which something is true that depends on them, their pods and their reports only. */
  select(what: string, everything: Iterable<string>, isTrue: (id: string) => boolean): ReadonlySet<string> {
    return this.#memory.due.select(what, everything, this.draft.nodes, isTrue);
  }

  /** Says that what is looked at depends on a fact outside of the nodes of the workflow. */
  dependOn(key: Exclude<Dependency, "clock" | "room" | "pods">): void {
    this.#look.dependOn(key);
  }

  /** Says that what is looked at depends on the time. */
  dependOnClock(): void {
    this.#look.readsClock = true;
  }

  /** Asks for another pass at a time (milliseconds since 1970), or before: what is looked at depends on the time. */
  comeBackAt(millis: number): void {
    this.dependOnClock();
    this.draft.comeBackAt(millis);
  }

  /** Says that what is looked at waits for a limit to be in another state. */
  waitFor(limit: Dependency): void {
    this.#look.waitFor(limit, this.#stateOf(limit));
  }

  /** Whether all limits are in the state they were in; then what is looked at waits for them. */
  stillWaits(limits: ReadonlyMap<Dependency, unknown>): boolean {
    for (const [limit, state] of limits) if (this.#stateOf(limit) !== state) return false;
    for (const [limit, state] of limits) this.#look.waitFor(limit, state);
    return true;
  }

  #stateOf(limit: Dependency): unknown {
    if (limit === "room") return this.hasRoom;
    if (limit === "pods") return this.mayHaveAnotherPod;
    return this.draft.nodes.callsOf(limit.slice("calls/".length));
  }

  /**
   * The nodes that may have something to do, with those they lie in; undefined when all may, and before the templates are
   * run.
   */
  get awake(): ReadonlySet<string> | undefined {
    return this.#awake;
  }

  /**
   * From now on templates are run. `activePods` of the workflow's parallelism are taken; `wake` answers which nodes may have
   * something to do, of those of which something changed, and of what they lie in.
   */
  runTemplates(
    activePods: number,
    wake: (news: ReadonlySet<string>, within: (id: string) => string | undefined) => ReadonlySet<string>,
  ): void {
    const { due } = this.#memory;
    this.#activePods = activePods;
    const seen = this.cache(deadlineSeen);
    // A node waits for a limit only until the deadline has passed.
    if (due.news && seen.isPast === this.pastDeadline) this.#awake = wake(due.news, (id) => due.within(id));
    else this.#memory.forgetCaches();
    this.cache(deadlineSeen).isPast = this.pastDeadline;
  }

  /** Goes one call deeper, until `leaveCall`; answers false, and does not, where that would be deeper than `most`. */
  enterCall(most: number): boolean {
    if (this.#depth + 1 >= most) return false;
    this.#depth++;
    return true;
  }

  leaveCall(): void {
    this.#depth--;
  }

  /** The pod of a node is there, or this pass makes it. */
  hasPod(nodeId: string): boolean {
    return this.draft.planned.has(nodeId) || this.facts.pods.has(nodeId);
  }

  /** Another pod may be asked for in this pass. */
  get hasRoom(): boolean {
    const { planned, plannedBytes } = this.draft;
    return planned.size < (this.facts.podRoom ?? Infinity) && plannedBytes < LIMITS.podsBytesPerPass;
  }

  /** The workflow's `parallelism` lets another pod run. */
  get mayHaveAnotherPod(): boolean {
    return this.mayHavePods(1);
  }

  /** The workflow's `parallelism` lets so many further pods run. */
  mayHavePods(count: number): boolean {
    const limit = this.draft.spec.parallelism;
    return limit === undefined || this.#activePods + this.draft.planned.size + count <= limit;
  }

  /**
   * Whether what has no node yet must be left to the next pass; then that is made at once, and what waits for all of it
   * must not be judged in this one.
   */
  putsOff(): boolean {
    if (!this.allowance.isSpent) return false;
    this.#look.isPart = true;
    this.comeBackAt(this.facts.now.getTime());
    return true;
  }

  /** Notes that this look saw a part only: nodes that wait for all are not judged in this pass; the rest wakes it. */
  isIncomplete(): void {
    this.#look.isPart = true;
  }

  /** The strategy that ends the workflow early, if any: one that is deleted, and kept for its garbage, ends at once. */
  get shutdown(): "" | "Stop" | "Terminate" {
    if (this.facts.before.metadata.deletionTimestamp !== undefined) return "Terminate";
    return (this.draft.spec.shutdown ?? "") as "" | "Stop" | "Terminate";
  }

  /**
   * Whether a node may still start under the workflow's shutdown strategy. Stop spares exit handlers, Terminate
   * nothing.
   */
  mayRun(partOfExitHandler: boolean): boolean {
    if (this.shutdown === "Terminate") return false;
    return this.shutdown !== "Stop" || partOfExitHandler;
  }

  /** The reason why what has not begun may not begin any more, in Argo's words; undefined while it may. */
  forbidden(partOfExitHandler: boolean): string | undefined {
    if (!this.mayRun(partOfExitHandler)) return `Stopped with strategy '${this.shutdown}'`;
    return this.pastDeadline && !partOfExitHandler ? DEADLINE : undefined;
  }

  /**
   * The moment by which the workflow must have ended, in milliseconds since 1970; undefined when it has no deadline.
   */
  get deadline(): number | undefined {
    const seconds = this.draft.spec.activeDeadlineSeconds;
    const startedAt = seconds === undefined ? undefined : this.draft.workflow.status?.startedAt;
    return startedAt ? millisOf(startedAt) + Number(seconds) * 1000 : undefined;
  }

  /** The workflow's own deadline has passed. */
  get pastDeadline(): boolean {
    const { deadline } = this;
    return deadline !== undefined && this.facts.now.getTime() > deadline;
  }

  /** All nodes below this one are fulfilled. */
  childrenFulfilled(node: NodeStatus): boolean {
    // Not by recursion: groups of steps hang below each other, thousands of them.
    const seen = new Set([node]);
    for (const one of seen) {
      const children = (one.children ?? []).map((id) => this.draft.nodes.get(id)).filter((child) =>
        child !== undefined
      );
      if (children.length === 0 && !isFulfilled(one)) return false;
      for (const child of children) seen.add(child);
    }
    return true;
  }

  /** The node is over and so is its report; false for a node that is not there. */
  isOver(id: string): boolean {
    const node = this.draft.nodes.get(id);
    return node !== undefined && isOver(node);
  }
}
