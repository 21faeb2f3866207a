/** Texts of the graph that compares two runs. */

export const legendLabel = "Colors and symbols of the graph";
export const same = "the same";
export const changed = "changed";
export const onlyIn = (run: string) => `only in ${run}`;
