/** Words of the panel of the critical path. */
import { grouped } from "../en.ts";

export const label = "Where the time went";
export const nothingYet = "Nothing has run yet.";
/** Opens the table that says the same as the flame. */
export const asTable = "As a table";
export const nodeField = "Node";
/** The boxes that a node lies in. */
export const withinField = "Within";
/** The time after the beginning of the run. */
export const afterField = "After";
export const timeField = "Time";
export const shareField = "Share";
export const causesField = "Causes";
export const inAll = "In all";
/** The sum, where there are rows that are not shown. */
export const inAllWith = (more: number) => `In all, with ${grouped(more)} more`;
