/** Reads the golden vectors and converts their values to values of the language. For tests only. */
import {
  GoDuration,
  GoInt,
  GoList,
  GoMap,
  INT64,
  INT_SLICE,
  parseDuration,
  parseTime,
  RFC3339,
  STRING_MAP,
  STRING_SLICE,
  toBytes,
  type Value,
} from "@tiphys/base/go";

/** One vector: inputs and Go's results. Its fields depend on the kind. */
export interface Vector {
  readonly id: string;
  readonly kind: string;
  readonly expression?: string;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly plainEnv?: boolean;
  readonly json?: string;
  readonly path?: string;
  readonly output?: unknown;
  readonly text?: string;
  readonly type?: string;
  readonly error?: string;
  readonly phase?: string;
  readonly marshalError?: string;
  readonly [field: string]: unknown;
}

/** Converts a value of a vector: integers are Go ints, `{"$float": "1.5"}` and similar objects other types. */
export function fromWire(wire: unknown): Value {
  if (typeof wire === "number") return Number.isInteger(wire) ? BigInt(wire) : wire;
  if (Array.isArray(wire)) return wire.map(fromWire);
  if (wire === null || typeof wire !== "object") return wire as Value;
  const [[tag, content] = ["", undefined]] = Object.entries(wire);
  const make = TAGGED[tag];
  if (make !== undefined) return make(content);
  return Object.fromEntries(Object.entries(wire).map(([key, value]) => [key, fromWire(value)]));
}

const TAGGED: Readonly<Record<string, (content: unknown) => Value>> = {
  $float: (text) => Number(text),
  $int64: (text) => new GoInt(BigInt(text as string), INT64),
  $time: (text) => parseTime(RFC3339, text as string),
  $dur: (text) => new GoDuration(parseDuration(text as string)),
  $strmap: (map) => new GoMap(STRING_MAP, Object.entries(map as Record<string, string>)),
  $strs: (list) => new GoList(STRING_SLICE, list as string[]),
  $ints: (list) => new GoList(INT_SLICE, (list as number[]).map(BigInt)),
  $bytes: (text) => toBytes(text as string),
};
