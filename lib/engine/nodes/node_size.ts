/** The size of a node in the status, estimated before it is made. */
import type { NodeStatus } from "@tiphys/model/api";

/** The bytes of JSON that every node takes: its IDs, names, times, and its place among the children of another one. */
const USUAL_BYTES = 400;
/** The bytes of JSON that one more child, or one more outbound node, adds to a node. */
export const ID_BYTES = 30;

/** The approximate size of a node in bytes of JSON. */
export function nodeSize({ name, message, inputs, outputs, children, outboundNodes }: NodeStatus): number {
  return USUAL_BYTES + 2 * name.length + (message?.length ?? 0) + fieldsSize(inputs) + fieldsSize(outputs) +
    ID_BYTES * ((children?.length ?? 0) + (outboundNodes?.length ?? 0));
}

const sizes = new WeakMap<object, number>();

/** The approximate size of inputs or outputs in bytes of JSON; it is kept, as they are never changed in place. */
export function fieldsSize(fields: NodeStatus["inputs"] | NodeStatus["outputs"]): number {
  if (!fields) return 0;
  let size = sizes.get(fields);
  if (size === undefined) sizes.set(fields, size = jsonSize(fields));
  return size;
}

/** The approximate size of a value in bytes of JSON; what is larger than `most` is only known to be so. */
export function jsonSize(value: unknown, most = Infinity): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 6;
  let size = 2;
  for (const key in value) {
    size += key.length + 3 + jsonSize((value as Record<string, unknown>)[key], most - size);
    if (size > most) break;
  }
  return size;
}
