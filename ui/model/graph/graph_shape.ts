/** The choices about the parts of a run, as addresses have them: `shape.ts` carries them out in the graph, `shaped_rows.ts` in rows. */

/** The choices. Of each list, an empty one leaves all parts in. */
export interface GraphShape {
  /** Words of phases, as parts show them: `Failed`, `Planned`. */
  readonly phases: readonly string[];
  /** Types of nodes: `Pod`, `Suspend`. */
  readonly types: readonly string[];
  /** Templates, those of other objects as `OBJECT/TEMPLATE`. */
  readonly templates: readonly string[];
  /** A text that parts must have in their name, template, message or a parameter. */
  readonly text: string;
  /** Whether parts of one template at one distance from the beginning are one. */
  readonly isGrouped: boolean;
  readonly withArtifacts: boolean;
}

/** The graph as it is. */
export const PLAIN: GraphShape = {
  phases: [],
  types: [],
  templates: [],
  text: "",
  isGrouped: false,
  withArtifacts: false,
};

/** The lists by which parts are left in. */
export const SHAPE_FILTERS = ["phases", "types", "templates"] as const;
/** One of them. */
export type ShapeFilter = (typeof SHAPE_FILTERS)[number];

/** Whether choices leave out any part. */
export function isFiltered(shape: GraphShape): boolean {
  return shape.text !== "" || SHAPE_FILTERS.some((one) => shape[one].length > 0);
}

/** Whether choices change nothing. */
export function isPlain(shape: GraphShape): boolean {
  return !isFiltered(shape) && !shape.isGrouped && !shape.withArtifacts;
}
