/** Words of the manifest of a run, or of one node. */
import { grouped } from "../en.ts";

export const label = "Manifest";
export const ofRun = "The whole run, with its status";
export const ofNode = (name: string) => `The node ${name}`;
export const copyButton = "Copy";
export const yamlLabel = "Manifest as YAML";
export const moreCharacters = (count: number) => `${grouped(count)} more characters: download it`;
