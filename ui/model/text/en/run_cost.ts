/** Texts of the cost of a run. */

export const nothingUsed = "No pod has reported its resource use yet. Pods report it when they finish.";
export const templateColumn = "Template";
export const podsColumn = "Pods";
export const shareColumn = "Share";
export const shareLabel = (template: string) => `Share of ${template}`;
export const sumRow = "Total";
export const idleFor = (duration: string) => `No pod was running for ${duration}.`;
