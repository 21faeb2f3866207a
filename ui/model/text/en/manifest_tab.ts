/** Words of the manifest of a run, or of one node. */

export const label = "Manifest";
export const ofRun = "The whole run, with its status";
export const ofNode = (name: string) => `The node ${name}`;
export const copyButton = "Copy";
export const yamlLabel = "Manifest as YAML";
export const restIsInDownload = "This is the beginning. The download has all of it.";
