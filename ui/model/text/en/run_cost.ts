/** Words of the cost of a run. */

export const nothingUsed = "No pod has told yet what it used.";
export const templateColumn = "Template";
export const podsColumn = "Pods";
export const shareColumn = "Share";
export const shareLabel = (template: string) => `Share of ${template}`;
export const sumRow = "In all";
export const idleFor = (duration: string) => `For ${duration} no pod was there.`;
