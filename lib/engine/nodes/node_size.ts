/** Estimates the size of a node in the status before it is created. */
import type { NodeStatus } from "@tiphys/model/api";

/** The JSON size in bytes of the fields of every node: IDs, names, times, and the entry in the parent's children. */
const BASE_BYTES = 400;
/** The JSON size in bytes of one more child or outbound node. */
export const ID_BYTES = 30;

/** The approximate size of a node in bytes of JSON. */
export function nodeSize({ name, message, inputs, outputs, children, outboundNodes }: NodeStatus): number {
  return BASE_BYTES + 2 * name.length + (message?.length ?? 0) + fieldsSize(inputs) + fieldsSize(outputs) +
    ID_BYTES * ((children?.length ?? 0) + (outboundNodes?.length ?? 0));
}

const sizes = new WeakMap<object, number>();

/** The approximate size of inputs or outputs in bytes of JSON. It is cached, because they are immutable. */
export function fieldsSize(fields: NodeStatus["inputs"] | NodeStatus["outputs"]): number {
  if (!fields) return 0;
  let size = sizes.get(fields);
  if (size === undefined) sizes.set(fields, size = jsonSize(fields));
  return size;
}

/** The approximate size of a value in bytes of JSON. A result above `max` is only a lower bound. */
export function jsonSize(value: unknown, max = Infinity): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 6;
  let size = 2;
  for (const key in value) {
    size += key.length + 3 + jsonSize((value as Record<string, unknown>)[key], max - size);
    if (size > max) break;
  }
  return size;
}
