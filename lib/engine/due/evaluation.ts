/**
 * The evaluation of a check for one node. It records what it depends on, so that its result can be reused until one
 * of these changes, and whether it wrote anything.
 */

/**
 * A fact that an evaluation depends on, in addition to its node, the node's pod and report, and the nodes inside the
 * node:
 *
 * - `clock`: the time, which differs in each pass.
 * - `room`: whether another pod may be requested; `pods`: whether `parallelism` of the workflow allows another pod;
 *   `calls/ID`: how many calls of a steps or DAG node are in progress, and whether one has failed. An evaluation that
 * waits
 *   for one of these is repeated when its state changes, even within a pass.
 * - any other `KIND/NAME`: a fact outside of the workflow's nodes, with its key in `ObservedState.outside`.
 */
export type Dependency = "clock" | "room" | "pods" | `${string}/${string}`;

/** The evaluation of a check for one node. */
export class Evaluation {
  /** The ID of the node, which may not exist yet. */
  readonly nodeId: string;
  /** The evaluation during which this one takes place; undefined for the outermost one. */
  readonly parent: Evaluation | undefined;
  /** Whether it wrote to the draft. The write may be discarded, so the next pass must evaluate it again. */
  hasWritten = false;
  /** Whether it left work to the next pass. */
  isPartial = false;
  /** Whether it depends on the time, so that every pass evaluates it again. */
  readsClock = false;
  #limits: Map<Dependency, unknown> | undefined;
  #outside: Set<Dependency> | undefined;

  constructor(about: string, within: Evaluation | undefined) {
    this.nodeId = about;
    this.parent = within;
  }

  /** Whether the result holds until a dependency changes. */
  get isReusable(): boolean {
    return !this.hasWritten && !this.isPartial && !this.readsClock;
  }

  /** The limits that the evaluation waits for, with their state. */
  get limits(): ReadonlyMap<Dependency, unknown> {
    return this.#limits ?? NO_LIMITS;
  }

  /** The outside facts that the evaluation depends on. */
  get outside(): ReadonlySet<Dependency> {
    return this.#outside ?? NOTHING;
  }

  /** Records a limit that the evaluation waits for, with the limit's state. */
  waitFor(limit: Dependency, state: unknown): void {
    (this.#limits ??= new Map()).set(limit, state);
  }

  /** Records an outside fact that the evaluation depends on. */
  dependOn(key: Dependency): void {
    (this.#outside ??= new Set()).add(key);
  }

  /** Ends the evaluation. The one around it inherits its writes and dependencies. */
  end(): void {
    const { parent } = this;
    if (!parent) return;
    parent.hasWritten ||= this.hasWritten;
    parent.isPartial ||= this.isPartial;
    parent.readsClock ||= this.readsClock;
    for (const [limit, state] of this.limits) parent.waitFor(limit, state);
    // Outside facts wake nodes by ID. Of two nested evaluations of one node only the outer one is stored, so it
    // inherits them.
    if (parent.nodeId === this.nodeId) { for (const key of this.outside) parent.dependOn(key); }
  }
}

const NO_LIMITS: ReadonlyMap<Dependency, unknown> = new Map();
const NOTHING: ReadonlySet<Dependency> = new Set();
