import { stringify } from "yaml";
import { kubernetesScalars } from "./scalars.ts";

/**
 * Writes a value as Kubernetes' tools print it: keys sorted, lists at the indent of their key, text over several lines
 * as a block, and quotes around text that a reader could take for something else.
 */
export function stringifyYaml(value: unknown): string {
  return stringify(value, {
    ...kubernetesScalars,
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}
