/** The Go types that the template language distinguishes, with the names that Go prints. */

/** A kind like Go's `reflect.Kind`, plus `unknown` (known only at run time) and `nil`. */
export type Kind =
  | "unknown"
  | "nil"
  | "interface"
  | "bool"
  | "int"
  | "int32"
  | "int64"
  | "uint8"
  | "uint32"
  | "uint64"
  | "float64"
  | "string"
  | "slice"
  | "array"
  | "map"
  | "struct"
  | "ptr"
  | "func";

/** The types of fields by name. */
export interface FieldTypes {
  get(name: string): GoType | undefined;
  keys(): Iterable<string>;
}

/** A Go type. Types with equal `text` are equal. */
export interface GoType {
  readonly kind: Kind;
  /** As Go prints it: `[]interface {}`, `time.Duration`. */
  readonly text: string;
  /** Of a slice, array or map. */
  readonly elem?: GoType;
  /** The known type of the elements if `elem` is `interface {}`. Used by the checker, not part of `text`. */
  readonly refined?: GoType;
  readonly key?: GoType;
  /** The types of a struct's fields, or of known entries of a map, by name. Used by the checker, not part of `text`. */
  readonly fields?: FieldTypes;
  readonly func?: Signature;
  /** Set for a defined type such as `time.Duration`, which arithmetic operators do not accept. */
  readonly defined?: boolean;
  /** The full name of a pointer's type if `text` abbreviates it. */
  readonly path?: string;
}

/** The types of a function's parameters and of its result. */
export interface Signature {
  readonly params: readonly GoType[];
  readonly variadic: boolean;
  readonly result: GoType;
  /** Whether it also returns an error. */
  readonly fails: boolean;
  /** The number of results, including an error; all but the first are discarded. */
  readonly results: number;
}

const basic = (kind: Kind, text: string = kind): GoType => ({ kind, text });
const defined = (kind: Kind, text: string): GoType => ({ kind, text, defined: true });

export const UNKNOWN: GoType = basic("unknown");
export const NIL: GoType = basic("nil", "unknown");
export const ANY: GoType = basic("interface", "interface {}");
export const BOOL: GoType = basic("bool");
export const INT: GoType = basic("int");
export const INT64: GoType = basic("int64");
export const UINT8: GoType = basic("uint8");
export const UINT32: GoType = basic("uint32");
export const UINT64: GoType = basic("uint64");
export const FLOAT: GoType = basic("float64");
export const STRING: GoType = basic("string");
export const ERROR: GoType = basic("interface", "error");
export const DURATION: GoType = defined("int64", "time.Duration");
export const MONTH: GoType = defined("int", "time.Month");
export const WEEKDAY: GoType = defined("int", "time.Weekday");
export const TIME: GoType = defined("struct", "time.Time");
export const LOCATION: GoType = defined("ptr", "*time.Location");
export const VERSION: GoType = {
  ...defined("ptr", "*semver.Version"),
  path: "github.com/Masterminds/semver/v3.Version",
};

/** `[]elem`. */
export function sliceOf(elem: GoType): GoType {
  return { kind: "slice", text: `[]${elem.text}`, elem };
}

/** `[length]elem`. */
export function arrayOf(elem: GoType, length: number): GoType {
  return { kind: "array", text: `[${length}]${elem.text}`, elem };
}

/** `map[key]elem`. */
export function mapOf(key: GoType, elem: GoType): GoType {
  return { kind: "map", text: `map[${key.text}]${elem.text}`, key, elem };
}

/** A function type; `variadic` makes the last parameter repeatable, `more` are the results after the first. */
export function funcOf(
  params: readonly GoType[],
  result: GoType,
  options: { variadic?: boolean; fails?: boolean; more?: readonly GoType[] } = {},
): GoType {
  const { variadic = false, fails = false, more = [] } = options;
  const inputs = params.map((p, i) => (variadic && i === params.length - 1 ? `...${p.text}` : p.text)).join(", ");
  const outputs = [result, ...more, ...(fails ? [ERROR] : [])].map(({ text }) => text);
  const output = outputs.length > 1 ? `(${outputs.join(", ")})` : outputs[0];
  const results = outputs.length;
  return { kind: "func", text: `func(${inputs}) ${output}`, func: { params, variadic, result, fails, results } };
}

export const ANY_SLICE: GoType = sliceOf(ANY);
export const STRING_SLICE: GoType = sliceOf(STRING);
export const INT_SLICE: GoType = sliceOf(INT);
export const FLOAT_SLICE: GoType = sliceOf(FLOAT);
export const BYTE_SLICE: GoType = sliceOf(UINT8);
export const ANY_MAP: GoType = mapOf(STRING, ANY);
export const STRING_MAP: GoType = mapOf(STRING, STRING);
export const OPEN_MAP: GoType = mapOf(ANY, ANY);
