/** Texts around the graph of a run: its color schemes and messages. */

export const drawing = "Drawing the graph …";
export const noNodesYet =
  "This run has no nodes yet. They appear here when it starts. Choose Why to see what it waits for.";

export const coloursLabel = "Colors of the graph";
/** Measures that colors can show instead of phases. */
export const byDuration = "duration";
export const byCost = "cost";
export const byTemplate = "template";
export const byHost = "host";
export const coloursOfPhases = "Colors: phases";
export const coloursOf = (what: string) => `Colors: ${what}`;
export const legendLabel = (what: string) => `Colors by ${what}`;
export const nothingRan = "Nothing has run yet";
export const noNodeUsed = "No node reports its resource use";
export const noTemplateNamed = "No node names its template";
export const noHostNamed = "No node names its host";
