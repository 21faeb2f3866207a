/** Texts of the manifest of a run, or of one node. */

export const label = "Manifest";
export const ofRun = "Whole run with status";
export const ofNode = (name: string) => `Node ${name}`;
export const copyButton = "Copy";
export const yamlLabel = "Manifest as YAML";
export const truncatedNote = "Only the beginning is shown. Download the manifest to see all of it.";
