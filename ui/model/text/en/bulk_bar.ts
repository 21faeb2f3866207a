/** Words of the bar of actions on the runs that are selected. */
import { grouped } from "../en.ts";

export const barLabel = "Actions on the selected runs";
export const selectedRuns = (count: number) => `${grouped(count)} selected`;
/** Why the button of an action is off. */
export const noRunFits = "None of the selected runs is in a state for this";
/** Takes the selection back. */
export const clearButton = "Clear";
