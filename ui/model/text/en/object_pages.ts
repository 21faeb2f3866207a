/** Words that the pages of objects share, as templates and cron workflows: their tabs, and their manifests. */

export const summaryTab = "Summary";
export const graphTab = "Graph";
export const manifestTab = "Manifest";
export const metadataTab = "Metadata";
export const lastRunsTab = "Last runs";
export const stepsTab = "Steps";
/** The manifest of a named object, as the text is called. */
export const manifestOf = (name: string) => `Manifest of ${name}`;
export const saveButton = "Save";
export const createButton = "Create";
