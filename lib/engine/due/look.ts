/**
 * Looks: a question asked about one node. A look says itself what it depends on, so that whoever keeps its answer knows
 * when to look again, and it is known of each whether it wrote anything.
 */

/**
 * A fact that a look depends on besides its node, the node's pod and report, and what lies in the node:
 *
 * - `clock`: the time. Each pass has another one.
 * - `room`: whether another pod may be asked for; `pods`: whether the workflow's `parallelism` lets another one run;
 *   `calls/ID`: how many calls of a steps or DAG node are under way, and whether one failed. A look that waits for one of
 *   these is made again when it is another one, also in the middle of a pass.
 * - any other `KIND/NAME`: a fact outside of the workflow's nodes, as `Observed.outside` names it when it changes.
 */
export type Dependency = "clock" | "room" | "pods" | `${string}/${string}`;

/** A look that is being made, or was. */
export class Look {
  /** The ID of the node, which may not be there yet. */
  readonly about: string;
  /** The look in the course of which this one was made; undefined for the outermost one. */
  readonly within: Look | undefined;
  /** Whether it wrote to the draft: that may come to nothing, so the next pass has to look again. */
  wrote = false;
  /** Whether it left something to the next pass. */
  isPart = false;
  /** Whether it depends on the time: then every pass looks again. */
  readsClock = false;
  #limits: Map<Dependency, unknown> | undefined;
  #outside: Set<Dependency> | undefined;

  constructor(about: string, within: Look | undefined) {
    this.about = about;
    this.within = within;
  }

  /** Whether nothing is to be looked at again before something changes that it depends on. */
  get isSettled(): boolean {
    return !this.wrote && !this.isPart && !this.readsClock;
  }

  /** The limits it waits for, with the state they were in. */
  get limits(): ReadonlyMap<Dependency, unknown> {
    return this.#limits ?? NO_LIMITS;
  }

  /** The facts outside of the nodes that it depends on. */
  get outside(): ReadonlySet<Dependency> {
    return this.#outside ?? NOTHING;
  }

  /** Notes a limit that it waits for, in the state in which that is. */
  waitFor(limit: Dependency, state: unknown): void {
    (this.#limits ??= new Map()).set(limit, state);
  }

  /** Notes a fact outside of the nodes that it depends on. */
  dependOn(key: Dependency): void {
    (this.#outside ??= new Set()).add(key);
  }

  /** Tells the look that it was made in the course of what concerns that one, too. */
  end(): void {
    const { within } = this;
    if (!within) return;
    within.wrote ||= this.wrote;
    within.isPart ||= this.isPart;
    within.readsClock ||= this.readsClock;
    for (const [limit, state] of this.limits) within.waitFor(limit, state);
    // A fact outside wakes its node by the ID. Of two looks at one node the outer one is kept, so it takes them over.
    if (within.about === this.about) { for (const key of this.outside) within.dependOn(key); }
  }
}

const NO_LIMITS: ReadonlyMap<Dependency, unknown> = new Map();
const NOTHING: ReadonlySet<Dependency> = new Set();
