/**
 * Objects as Go's JSON encoder writes them, which clients of Argo's API rely on: fields without `omitempty` are always
 * present (`json.always` in `schema/`), and so are structs that are not pointers, for which Go ignores `omitempty`.
 * The value of such a field is its zero value: `""`, `0`, `false`, `{}`, or `null` for a list, a map, a pointer and a
 * time. Values of parameters that are stored as numbers or booleans become strings.
 */
import { isObject } from "@tiphys/base/fields_of";
import { anyString } from "@tiphys/base/go";
import type { Stages } from "@tiphys/base/turns";
import { KINDS } from "./kinds.ts";
import type { Field, FieldType, MessageType } from "./message_type.ts";

/**
 * The fields of a type, including those of inline messages, that may have to be added, and those that contain such
 * fields.
 */
interface Plan {
  readonly always: readonly Field[];
  readonly below: readonly Field[];
}

/** Kubernetes marks this field with `omitzero`. */
const OMITTED_ZERO = "creationTimestamp";

const plans = new Map<MessageType, Plan>();
/** The values of messages that are not set. They are shared, because a workflow may have thousands of each. */
const zeros = new Map<MessageType, unknown>();
/** Cached results per object: a server sends the same object to many clients. */
const results = new WeakMap<object, unknown>();

/**
 * Returns the JSON of a message with the fields that Go would write. Does not modify the given object, which must not
 * change afterwards; returns it unchanged if no field is missing. Values of the wrong type are unchanged.
 */
export function toGoJson<T extends object>(type: MessageType, json: T): T {
  let result = results.get(json);
  if (result === undefined) {
    results.set(json, result = completeMessage(type, json));
    // A complete message is its own result.
    if (isObject(result)) results.set(result, result);
  }
  return result as T;
}

/** The number of list items of a stage. */
const ITEMS_AT_ONCE = 250;

/** Completes a large message like {@link toGoJson}, in stages: the items of its lists. */
export function* goJsonStages<T extends object>(type: MessageType, json: T): Stages<T> {
  if (!results.has(json)) {
    const result = yield* messageStages(type, json, { items: 0 });
    results.set(json, result);
    if (isObject(result)) results.set(result, result);
  }
  return results.get(json) as T;
}

function* messageStages(type: MessageType, json: unknown, count: { items: number }): Stages<unknown> {
  if (type.wrappedField || !isObject(json)) return completeMessage(type, json);
  const completed = new Map<Field, unknown>();
  for (const field of planOf(type).below) {
    const value = json[field.name];
    if (value === undefined || value === null) continue;
    completed.set(field, yield* fieldStages(field, value, count));
  }
  return completeMessage(type, json, (field) => completed.get(field));
}

function* fieldStages(field: Field, value: unknown, count: { items: number }): Stages<unknown> {
  const { type, shape } = field;
  if (type.kind !== "message") return completeField(field, value);
  if (shape === "one") return yield* messageStages(type.message, value, count);
  if (shape !== "list" || !Array.isArray(value)) return completeField(field, value);
  const items: unknown[] = [];
  for (const item of value) {
    if (++count.items % ITEMS_AT_ONCE === 0) yield;
    items.push(yield* messageStages(type.message, item, count));
  }
  return items.every((item, index) => item === value[index]) ? value : items;
}

function completeMessage(type: MessageType, json: unknown, complete = completeField): unknown {
  if (type.wrappedField) return completeField(type.wrappedField, json);
  if (!isObject(json)) return json;
  const plan = planOf(type);
  let copy: Record<string, unknown> | undefined;
  const set = (name: string, value: unknown) => {
    copy ??= { ...json };
    copy[name] = value;
  };
  for (const field of plan.always) {
    const value = json[field.name];
    if (value !== undefined && value !== null) continue;
    const zero = zeroOf(field);
    if (zero !== value) set(field.name, zero);
  }
  for (const field of plan.below) {
    const value = json[field.name];
    if (value === undefined || value === null) continue;
    const whole = complete(field, value);
    if (whole !== value) set(field.name, whole);
  }
  return copy ?? json;
}

function completeField({ type, shape }: Field, value: unknown): unknown {
  if (shape === "one") return completeValue(type, value);
  if (shape === "list") {
    if (!Array.isArray(value)) return value;
    const whole = value.map((item) => completeValue(type, item));
    return whole.every((item, index) => item === value[index]) ? value : whole;
  }
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const whole = completeValue(type, item);
    if (whole === item) continue;
    copy ??= { ...value };
    Object.defineProperty(copy, key, { value: whole, writable: true, enumerable: true, configurable: true });
  }
  return copy ?? value;
}

function completeValue(type: FieldType, value: unknown): unknown {
  if (type.kind === "message") return completeMessage(type.message, value);
  return acceptsAnyString(type) && value !== null ? anyString(value) : value;
}

function acceptsAnyString(type: FieldType): boolean {
  return type.kind === "scalar" && type.scalar === "anyString";
}

/** Returns the value that Go writes for a field that is not set. */
function zeroOf({ type, shape, hasPresence }: Field): unknown {
  if (hasPresence || shape !== "one") return null;
  switch (type.kind) {
    case "enum":
      return type.names[0];
    case "scalar":
      return type.scalar === "bool" ? false : type.scalar === "json" ? null : isStringScalar(type.scalar) ? "" : 0;
    case "message":
      return zeroOfMessage(type.message);
  }
}

function zeroOfMessage(message: MessageType): unknown {
  if (message.name === "resource.Quantity") return "0";
  if (message.wrappedField) return zeroOf(message.wrappedField);
  if (KINDS.has(message.name)) return message.name.endsWith("Time") ? null : 0;
  let zero = zeros.get(message);
  if (zero === undefined) zeros.set(message, zero = completeMessage(message, {}));
  return zero;
}

function isStringScalar(scalar: string): boolean {
  return scalar === "string" || scalar === "anyString" || scalar === "bytes" || scalar === "hex";
}

function planOf(type: MessageType): Plan {
  let plan = plans.get(type);
  if (!plan) plans.set(type, plan = makePlan(type));
  return plan;
}

function makePlan(type: MessageType): Plan {
  const fields = fieldsOf(type);
  return {
    always: fields.filter((field) => isWritten(field)),
    below: fields.filter((field) => mayNeedChanges(field, new Set())),
  };
}

/** Returns the fields in the JSON object of a message. */
function fieldsOf({ fields }: MessageType): Field[] {
  return fields.flatMap((field) =>
    field.isInline && field.type.kind === "message" ? fieldsOf(field.type.message) : [field]
  );
}

function isWritten(field: Field): boolean {
  if (field.isAlwaysWritten) return true;
  const isStruct = field.type.kind === "message" && field.shape === "one" && !field.hasPresence;
  return isStruct && field.name !== OMITTED_ZERO;
}

/** Whether values of a field may need changes. */
function mayNeedChanges({ type }: Field, seen: Set<MessageType>): boolean {
  if (type.kind !== "message") return acceptsAnyString(type);
  const { message } = type;
  if (seen.has(message) || KINDS.has(message.name)) return false;
  seen.add(message);
  const fields = message.wrappedField ? [message.wrappedField] : fieldsOf(message);
  return fields.some((field) => isWritten(field) || mayNeedChanges(field, seen));
}
