/** Texts of the list of advice about a run. */

export const heading = "Advice";
export const dismissLabel = (advice: string) => `Dismiss: ${advice}`;
export const showDismissed = (count: number) => `Show ${count} dismissed`;
export const defaultsNote = "The controller may set defaults for all runs.";
