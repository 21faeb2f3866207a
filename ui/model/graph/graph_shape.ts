/**
 * The user's filters and groupings of a run's parts, as addresses contain them. `shape.ts` applies them to the graph,
 * `shaped_rows.ts` to rows.
 */

/** The choices. An empty list does not filter. */
export interface GraphShape {
  /** Phases as parts show them: `Failed`, `Planned`. */
  readonly phases: readonly string[];
  /** Types of nodes: `Pod`, `Suspend`. */
  readonly types: readonly string[];
  /** Templates; those of other objects as `OBJECT/TEMPLATE`. */
  readonly templates: readonly string[];
  /** A text that the name, template, message or a parameter must contain. */
  readonly text: string;
  /** Whether parts with the same template and the same distance from the start are shown as one. */
  readonly isGrouped: boolean;
  readonly withArtifacts: boolean;
}

/** The unchanged graph. */
export const UNCHANGED_SHAPE: GraphShape = {
  phases: [],
  types: [],
  templates: [],
  text: "",
  isGrouped: false,
  withArtifacts: false,
};

/** The filters that are lists. */
export const SHAPE_FILTERS = ["phases", "types", "templates"] as const;
/** The name of a filter. */
export type ShapeFilter = (typeof SHAPE_FILTERS)[number];

/** Reports whether filters leave parts out. */
export function isFiltered(shape: GraphShape): boolean {
  return shape.text !== "" || SHAPE_FILTERS.some((filter) => shape[filter].length > 0);
}

/** Reports whether nothing is filtered or grouped. */
export function isUnchanged(shape: GraphShape): boolean {
  return !isFiltered(shape) && !shape.isGrouped && !shape.withArtifacts;
}
