/** Texts of the panel that shows the critical path. */
import { grouped } from "../en.ts";

export const label = "Where the time went";
export const nothingRanYet = "Nothing has run yet. The path appears when the first node has started.";
/** Opens a table with the content of the flame graph. */
export const asTable = "As a table";
export const nodeField = "Node";
/** The groups that contain a node. */
export const enclosingGroupsField = "Within";
/** Time since the start of the run. */
export const afterField = "After";
export const timeField = "Time";
export const shareField = "Share";
export const causesField = "Causes";
export const totalRow = "Total";
/** The total when some rows are not shown. */
export const totalRowWithMore = (more: number) => `Total, with ${grouped(more)} more`;
