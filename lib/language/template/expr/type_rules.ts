/** The type rules of operators and predicates: accepted operand types, and result types. */
import {
  ANY,
  ANY_SLICE,
  assignable,
  BOOL,
  BYTE_SLICE,
  DURATION,
  FLOAT,
  type GoType,
  INT,
  OPEN_MAP,
  STRING,
  TIME,
  UNKNOWN,
} from "@tiphys/base/go";

/** The builtins whose predicate returns a boolean. */
export const TESTS: ReadonlySet<string> = new Set([
  "all",
  "none",
  "any",
  "one",
  "filter",
  "count",
  "find",
  "findLast",
  "findIndex",
  "findLastIndex",
]);

/** Returns the result type of a predicate builtin, from the types of its list and of its predicate's result. */
export function predicateResult(name: string, list: GoType, result: GoType): GoType {
  switch (name) {
    case "all":
    case "none":
    case "any":
    case "one":
      return BOOL;
    case "filter":
      return isUnknown(list) ? ANY_SLICE : listOf(elementType(list));
    case "map":
      return listOf(result);
    case "count":
    case "findIndex":
    case "findLastIndex":
      return INT;
    case "find":
    case "findLast":
      return isUnknown(list) ? UNKNOWN : elementType(list);
    case "groupBy":
      return GROUPS;
    case "sortBy":
      return list;
    default:
      return result;
  }
}

const GROUPS: GoType = { ...OPEN_MAP, text: "map[interface {}][]interface {}", elem: ANY_SLICE };

/** Returns the result type of an operator; undefined if the operand types never fit. `in` is checked separately. */
export function operatorType(operator: string, left: GoType, right: GoType): GoType | undefined {
  const either = (...fits: ((type: GoType) => boolean)[]) => maybeBoth(left, right, fits);
  switch (operator) {
    case "==":
    case "!=":
      return comparable(left, right) ? BOOL : undefined;
    case "and":
    case "&&":
    case "or":
    case "||":
      return (isBool(left) && isBool(right)) || either(isBool) ? BOOL : undefined;
    case "<":
    case "<=":
    case ">":
    case ">=":
      return ordered(left, right) || either(isNumber, isString, isTime, isDuration) ? BOOL : undefined;
    case "+":
      return sum(left, right) ?? (either(isNumber, isString, isTime, isDuration) ? UNKNOWN : undefined);
    case "-":
      return difference(left, right) ?? (either(isNumber, isTime, isDuration) ? UNKNOWN : undefined);
    case "*":
      return product(left, right) ?? (either(isNumber, isDuration) ? UNKNOWN : undefined);
    case "/":
    case "**":
    case "^":
      return (isNumber(left) && isNumber(right)) || either(isNumber) ? FLOAT : undefined;
    case "%":
      return (isInteger(left) && isInteger(right)) || either(isInteger) ? INT : undefined;
    case "..":
      return (isInteger(left) && isInteger(right)) || either(isInteger) ? listOf(INT) : undefined;
    case "matches":
      return ((isString(left) || left.text === BYTE_SLICE.text) && isString(right)) || either(isString)
        ? BOOL
        : undefined;
    case "contains":
    case "startsWith":
    case "endsWith":
      return (isString(left) && isString(right)) || either(isString) ? BOOL : undefined;
    case "??":
      if (left.kind === "nil") return right;
      return right.kind === "nil" || canAssign(right, left) ? left : UNKNOWN;
    default:
      return undefined;
  }
}

function maybeBoth(left: GoType, right: GoType, fits: readonly ((type: GoType) => boolean)[]): boolean {
  const [x, y] = [isUnknown(left), isUnknown(right)];
  return (x && y) || (x && fits.some((fit) => fit(right))) || (y && fits.some((fit) => fit(left)));
}

function sum(left: GoType, right: GoType): GoType | undefined {
  if (isNumber(left) && isNumber(right)) return promote(left, right);
  if (isString(left) && isString(right)) return STRING;
  if ((isTime(left) && isDuration(right)) || (isDuration(left) && isTime(right))) return TIME;
  return isDuration(left) && isDuration(right) ? DURATION : undefined;
}

function difference(left: GoType, right: GoType): GoType | undefined {
  if (isNumber(left) && isNumber(right)) return promote(left, right);
  if (isTime(left) && isTime(right)) return DURATION;
  if (isTime(left) && isDuration(right)) return TIME;
  return isDuration(left) && isDuration(right) ? DURATION : undefined;
}

function product(left: GoType, right: GoType): GoType | undefined {
  if (isNumber(left) && isNumber(right)) return promote(left, right);
  const durations = [left, right].filter(isDuration).length;
  return durations === 2 || (durations === 1 && (isNumber(left) || isNumber(right))) ? DURATION : undefined;
}

function promote(left: GoType, right: GoType): GoType {
  return isFloat(left) || isFloat(right) ? FLOAT : INT;
}

function ordered(left: GoType, right: GoType): boolean {
  return [isNumber, isString, isTime, isDuration].some((fit) => fit(left) && fit(right));
}

/** Whether values of these types can be compared for equality. */
export function comparable(left: GoType, right: GoType): boolean {
  return isUnknown(left) || isUnknown(right) || left.kind === "nil" || right.kind === "nil" ||
    (isNumber(left) && isNumber(right)) || (isList(left) && isList(right)) || canAssign(left, right);
}

/** Whether a value of type `from` is accepted as type `to`. */
export function canAssign(from: GoType, to: GoType): boolean {
  if (from.kind === "nil") return ["ptr", "interface", "func", "map", "slice"].includes(to.kind);
  if (from.kind === "unknown" || to.kind === "unknown" || to.kind === "nil") return false;
  return assignable(from, to);
}

/** Returns the kind as named by Go's reflection. Unknown types and nil are "invalid". */
export function goKind(type: GoType): string {
  return type.kind === "unknown" || type.kind === "nil" ? "invalid" : type.kind;
}

/** Whether the type is unknown at compile time. */
export function isUnknown(type: GoType): boolean {
  return type.kind === "unknown" || (type.kind === "interface" && type.text === ANY.text);
}

const INTEGERS: ReadonlySet<string> = new Set(["int", "int32", "int64", "uint8", "uint32", "uint64"]);

/** Whether it is a builtin integer type. */
export function isInteger(type: GoType): boolean {
  return INTEGERS.has(type.kind) && !type.defined;
}

/** Whether it is the builtin float type. */
export function isFloat(type: GoType): boolean {
  return type.kind === "float64" && !type.defined;
}

/** Whether it is a builtin number type. */
export function isNumber(type: GoType): boolean {
  return isInteger(type) || isFloat(type);
}

function isBool(type: GoType): boolean {
  return type.kind === "bool";
}

function isString(type: GoType): boolean {
  return type.kind === "string";
}

function isTime(type: GoType): boolean {
  return type.text === TIME.text;
}

function isDuration(type: GoType): boolean {
  return type.text === DURATION.text;
}

/** Whether it is a slice or array. */
export function isList(type: GoType): boolean {
  return type.kind === "slice" || type.kind === "array";
}

/** Returns the type of a list's or map's elements, as far as it is known. */
export function elementType(type: GoType): GoType {
  return type.refined ?? type.elem ?? UNKNOWN;
}

/** Returns `[]interface {}` with a known element type. */
export function listOf(element: GoType): GoType {
  return { ...ANY_SLICE, refined: element };
}

/** Returns the hint for an operator on a text and a number; undefined for other types. */
export function conversionHint(actual: GoType, expected: GoType): string | undefined {
  if (isString(actual) && isNumber(expected) || isNumber(actual) && isString(expected)) {
    return "texts and numbers are never converted by themselves: use int(), float() or string()";
  }
  return undefined;
}
