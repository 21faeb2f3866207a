/** Texts that the pages of templates and cron workflows share: tabs and manifests. */

export const summaryTab = "Summary";
export const graphTab = "Graph";
export const manifestTab = "Manifest";
export const metadataTab = "Metadata";
export const lastRunsTab = "Last runs";
export const stepsTab = "Steps";
/** The name of the text of an object's manifest. */
export const manifestOf = (name: string) => `Manifest of ${name}`;
export const saveButton = "Save";
export const createButton = "Create";
