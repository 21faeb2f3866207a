import { stringify } from "yaml";
import { kubernetesScalars } from "./scalars.ts";

/**
 * Writes a value as Kubernetes' tools do: sorted keys, lists at the indentation of their key, multi-line text as a
 * block, and quotes around ambiguous text.
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
