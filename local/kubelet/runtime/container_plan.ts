/** The plan of a container for its launcher: its mounts and identity, resolved as far as possible in advance. */
import type { Mount } from "./runtime.ts";

/** The identity of a process, in the IDs of its container. */
export interface Identity {
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
}

/** The root folder of a container. */
export type PlannedRoot =
  /** A read-only folder of this machine, with the container's writes in an overlay. */
  | { readonly kind: "overlay"; readonly lower: string }
  /** A folder created for this container. */
  | { readonly kind: "folder"; readonly path: string };

/** A folder of the machine that the container sees at the same path. */
export interface PlannedLayer {
  readonly path: string;
  /** `overlay`: writes stay in the container. `bind`: read-only. */
  readonly kind: "overlay" | "bind";
}

export interface ContainerPlan {
  readonly root: PlannedRoot;
  readonly layers: readonly PlannedLayer[];
  /** Outer mounts before those inside them. No target contains `..`. */
  readonly mounts: readonly Mount[];
  /** Created if it does not exist. */
  readonly workingDir: string;
  readonly identity: Identity;
}
