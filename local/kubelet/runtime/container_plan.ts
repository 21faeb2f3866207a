/** A container as its launcher needs it: what it sees and who it is, with everything looked up that can be ahead. */
import type { Mount } from "./runtime.ts";

/** The identity of a process, in the ids of its container. */
export interface Identity {
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
}

/** The folder that a container sees as `/`. */
export type PlannedRoot =
  /** A folder of this machine that is not written to, with what the container writes over it. */
  | { readonly kind: "overlay"; readonly lower: string }
  /** A folder that was made for this container. */
  | { readonly kind: "folder"; readonly path: string };

/** A folder of the machine that is shown at its own path. */
export interface PlannedLayer {
  readonly path: string;
  /** Writes stay with the container, or none are possible. */
  readonly kind: "overlay" | "bind";
}

export interface ContainerPlan {
  readonly root: PlannedRoot;
  readonly layers: readonly PlannedLayer[];
  /** An outer one before those inside it; no target has `..` in it. */
  readonly mounts: readonly Mount[];
  /** Made where it is missing. */
  readonly workingDir: string;
  readonly identity: Identity;
}
