/** Texts of the filters above a list of runs. */

export const filterLabel = "Filter runs: part of a name, phase:failed, label:team=a, after:2026-03-28, before:2h";
export const filterExample = "Part of a name, phase:failed, label:team=a, after:2h";
export const phasesLabel = "Phases";
export const orderLabel = "Order";
export const chipsLabel = "Filters";
export const removeButton = (filter: string) => `Remove the filter ${filter}`;
