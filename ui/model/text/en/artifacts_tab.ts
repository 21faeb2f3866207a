/** Texts of the tab that lists the artifacts of a run. */
import { grouped, plural } from "../en.ts";

export const noneYet =
  "No node has output artifacts. To keep a file of a step, declare it in outputs.artifacts of its template.";
export const artifactField = "Artifact";
export const typeField = "Type";
export const sizeField = "Size";
export const filesIn = (count: number) => plural(count, "one file", `${grouped(count)} files`);
/** Types by the end of a file's name, if it does not name its type plainly. */
export const types: Readonly<Record<string, string>> = {
  tgz: "Archive or folder",
  "tar.gz": "Archive or folder",
  txt: "Text",
  log: "Log",
  md: "Markdown",
  png: "Image",
  jpg: "Image",
  jpeg: "Image",
  svg: "Image",
  gif: "Image",
  csv: "Table (CSV)",
  tsv: "Table (TSV)",
  parquet: "Table (Parquet)",
  jsonl: "Table (JSON Lines)",
};
export const fileOf = (type: string) => `${type} file`;
/** The node that produced the artifact. */
export const producedByField = "Produced by";
/** The key of the artifact in its store. */
export const keyField = "Location";
export const whenField = "Created";
export const isDeleted = "deleted from its store";
