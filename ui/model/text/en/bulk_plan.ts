/** Words of the plan of a retry of many runs. */

export const planning = "Planning …";
/** Stands behind the sum of the plans that were made. */
export const onlyFirstPlanned = (count: number) => `That is what the first ${count} do; the others were not looked at.`;
export const plansLabel = "Plans of the runs";
