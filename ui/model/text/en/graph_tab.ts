/** Words around the graph of a run: its colours, and the forms in which it is handed out. */

export const drawing = "Drawing the graph …";
export const nothingKnown = "This run has no nodes yet.";

export const coloursLabel = "Colours of the graph";
/** What colours tell beside phases. */
export const byDuration = "duration";
export const byCost = "cost";
export const byTemplate = "template";
export const byHost = "host";
export const coloursOfPhases = "Colours: phases";
export const coloursOf = (what: string) => `Colours: ${what}`;
export const legendLabel = (what: string) => `Colours by ${what}`;
export const nothingRan = "Nothing has run yet";
export const noNodeUsed = "The status says of no node what it used";
export const noTemplateNamed = "No node names its template";
export const noHostNamed = "The status says of no node where it ran";
