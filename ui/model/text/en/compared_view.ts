/** Words of the graph of two runs. */

export const legendLabel = "Colours and signs of the graph";
export const same = "the same";
export const changed = "changed";
export const onlyIn = (run: string) => `only in ${run}`;
