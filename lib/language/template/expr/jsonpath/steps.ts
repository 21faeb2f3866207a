/** The steps of a path, and their evaluation over a document. */
import { byteLength, compareText, GoInt, INT64, isPlainMap, listItems, ownEntry, type Value } from "@tiphys/base/go";
import { listText } from "@tiphys/base/count_text";
import { nearestName } from "@tiphys/base/nearest_name";
import { failBranch, PathError } from "./path_error.ts";
import { compileScript, type Script, type Subject } from "./script.ts";
import { type Argument, parseSubscript } from "./subscript.ts";
import { splitPath } from "./tokens.ts";

type Step =
  | { readonly kind: "root" | "current" | "wildcard" | "recursive" | "length" }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "index"; readonly index: bigint }
  | { readonly kind: "script" | "filter"; readonly run: Script }
  | { readonly kind: "union"; readonly picks: readonly Selector[] }
  | { readonly kind: "range"; readonly bounds: readonly (Selector | undefined)[] };

/** A constant key or index, or a script that computes it. */
type Selector = string | bigint | Script;

/** Maximum number of steps of one path. */
const MAX_STEPS = 400;
/** Maximum number of characters of one path, because parsing its scripts takes quadratic time. */
const MAX_PATH_LENGTH = 2_000;

/** The number of predicate calls that a step is charged for. A step without a result takes time too. */
const CALLS_PER_STEP = 20;
/** Nanoseconds that each of these calls is charged. */
const CALL_COST = 150;

/** Compiles a path. @throws {PathError} when it is malformed. */
export function compilePath(path: string): Script {
  if (path.length > MAX_PATH_LENGTH) failBranch(`a path of more than ${MAX_PATH_LENGTH} characters`);
  const tokens = splitPath(path);
  if (tokens.length > MAX_STEPS) failBranch(`a path of more than ${MAX_STEPS} steps`);
  const steps = tokens.map(parseStep);
  return (subject) => evaluateSteps(steps, 0, subject);
}

/**
 * Compiles a path inside a script. A result that is a text gets quotes, because scripts treat unquoted texts as names.
 */
function compileInnerPath(path: string): Script {
  const run = compilePath(path);
  return (subject) => {
    const value = run(subject);
    if (typeof value !== "string") return value;
    return value.length > 1 && value.startsWith("'") && value.endsWith("'") ? value : `'${value}'`;
  };
}

function parseStep(text: string): Step {
  const token = text.trim();
  if (token === "") failBranch("invalid token. token string is empty");
  if (token === "$") return { kind: "root" };
  if (token === "@") return { kind: "current" };
  if (token === "*") return { kind: "wildcard" };
  if (token === "..") return { kind: "recursive" };
  if (!token.startsWith("[")) return token === "length" ? { kind: "length" } : { kind: "key", key: token };
  const subscript = parseSubscript(token);
  switch (subscript.kind) {
    case "wildcard":
      return { kind: "wildcard" };
    case "filter": {
      const run = compileScript(subscript.script, compileInnerPath);
      // An empty filter fails like a script, even if there are no elements.
      return { kind: subscript.script === "" ? "script" : "filter", run };
    }
    case "single": {
      const { argument } = subscript;
      if (argument.kind === "number") return { kind: "index", index: argument.value };
      if (argument.kind === "key") return { kind: "key", key: argument.text };
      return { kind: "script", run: compileScript(argument.text, compileInnerPath) };
    }
    case "union":
      return { kind: "union", picks: subscript.arguments.map(selectorOf) };
    case "range":
      return { kind: "range", bounds: subscript.bounds.map((bound) => bound && selectorOf(bound)) };
  }
}

function selectorOf(argument: Argument): Selector {
  if (argument.kind === "number") return argument.value;
  return argument.kind === "script" ? compileScript(argument.text, compileInnerPath) : argument.text;
}

function evaluateSteps(steps: readonly Step[], depth: number, subject: Subject): Value {
  const step = steps[depth];
  const { root, current, budget } = subject;
  if (step === undefined) return current;
  budget.chargePredicateCalls(CALLS_PER_STEP, CALL_COST);
  const next = depth + 1;
  const go = (value: Value) => evaluateSteps(steps, next, { root, current: value, budget });
  switch (step.kind) {
    case "root":
      return go(root);
    case "current":
      return go(current);
    case "key":
      return go(keyOf(current, step.key));
    case "index":
      return go(indexOf(current, step.index));
    case "length":
      return go(lengthOf(current));
    case "script":
      return go(runScript(step.run, subject));
    case "wildcard":
      return applyToEach(steps, next, subject, elementsOf("wildcard", current));
    case "filter": {
      const kept = elementsOf("filter", current).filter((element) =>
        isMatch(step.run, { ...subject, current: element })
      );
      // As in Argo, the root of an index directly after a filter is the list that was filtered.
      if (steps[next]?.kind === "index") return evaluateSteps(steps, next, { root: current, current: kept, budget });
      return applyToEach(steps, next, subject, kept);
    }
    case "union":
      return applyToElements(steps, next, subject, unionOf(step.picks, subject));
    case "range":
      return applyToElements(steps, next, subject, rangeOf(step.bounds, subject));
    case "recursive":
      return recursiveMatches(steps, next, subject);
  }
}

/** Applies the rest of the path to each element. Omits elements for which it fails or returns nil. */
function applyToEach(steps: readonly Step[], next: number, subject: Subject, elements: readonly Value[]): Value {
  if (next >= steps.length) return elements;
  return elements.map((current) => withoutPathError(() => evaluateSteps(steps, next, { ...subject, current })))
    .filter((value) => value !== null);
}

/** Same as `applyToEach`, except that an index that follows selects one of the elements. */
function applyToElements(steps: readonly Step[], next: number, subject: Subject, elements: readonly Value[]): Value {
  if (steps[next]?.kind !== "index") return applyToEach(steps, next, subject, elements);
  return evaluateSteps(steps, next, { ...subject, current: elements });
}

function withoutPathError(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof PathError) return null;
    throw error;
  }
}

function recursiveMatches(steps: readonly Step[], next: number, subject: Subject): Value[] {
  const out: Value[] = [];
  const visit = (value: Value) => {
    if (value === null) return;
    subject.budget.chargePredicateCalls(CALLS_PER_STEP, CALL_COST);
    const found = next < steps.length
      ? withoutPathError(() => evaluateSteps(steps, next, { ...subject, current: value }))
      : undefined;
    if (found === undefined) out.push(value);
    else if (found !== null) { for (const item of listItems(found) ?? [found]) out.push(item); }
    subject.budget.checkLength(out.length);
    const below = listItems(value) ?? (isPlainMap(value) ? sortedValues(value) : []);
    for (const value of below) visit(value);
  };
  visit(subject.current);
  return out;
}

function sortedValues(map: Readonly<Record<string, Value>>): Value[] {
  return Object.keys(map).sort(compareText).map((key) => map[key] ?? null);
}

function kindName(value: Value): string {
  if (value === null) return "nil";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return "float64";
  if (typeof value === "string") return "string";
  if (value instanceof GoInt) return "int64";
  return Array.isArray(value) ? "slice" : "map";
}

function wrongTarget(step: string, expected: string, value: Value): never {
  return failBranch(`${step}: invalid token target. expected [${expected}] got [${kindName(value)}]`);
}

function keyOf(value: Value, key: string): Value {
  if (!isPlainMap(value)) return wrongTarget("key", "map", value);
  const found = ownEntry(value, key);
  if (found !== undefined) return found;
  return failBranch(`key: invalid token key '${key}' not found`, () => {
    const nearest = nearestName(key, Object.keys(value));
    return nearest === undefined ? `the keys there are ${shortList(Object.keys(value))}` : `did you mean ${nearest}?`;
  });
}

function indexOf(value: Value, index: bigint): Value {
  const items = listItems(value) ?? wrongTarget("index", "array slice", value);
  const position = index < 0n ? BigInt(items.length) + index : index;
  const found = items[Number(position)];
  return found === undefined ? outOfRange(items.length) : found;
}

function outOfRange(length: number): never {
  return failBranch("index: invalid token out of range", () => `the list there has ${length} elements`);
}

function shortList(keys: readonly string[]): string {
  return listText(keys) || "none";
}

function lengthOf(value: Value): Value {
  if (isPlainMap(value)) {
    const own = ownEntry(value, "length");
    return own === undefined ? int64(Object.keys(value).length) : own;
  }
  if (typeof value === "string") return int64(byteLength(value));
  return int64((listItems(value) ?? wrongTarget("length", "array map slice string", value)).length);
}

function int64(value: number): GoInt {
  return new GoInt(BigInt(value), INT64);
}

function elementsOf(step: string, value: Value): readonly Value[] {
  if (isPlainMap(value)) return sortedValues(value);
  return listItems(value) ?? wrongTarget(step, step === "wildcard" ? "array map slice" : "array map slice", value);
}

function integerOf(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (value instanceof GoInt) return value.value;
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : undefined;
}

function runScript(run: Script, subject: Subject): Value {
  const value = run(subject);
  if (typeof value === "string") return keyOf(subject.current, value);
  const index = integerOf(value) ??
    failBranch(`unexpected expression result. expected [int string] got [${kindName(value)}]`);
  return indexOf(subject.current, index);
}

function isMatch(run: Script, subject: Subject): boolean {
  let value: Value;
  try {
    value = run(subject);
  } catch (error) {
    if (error instanceof PathError) return false;
    throw error;
  }
  if (value === null) return false;
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return !/^(''|"")?$/.test(value);
  if (typeof value === "number") return value !== 0;
  if (value instanceof GoInt) return value.value !== 0n;
  return (listItems(value) ?? Object.keys(value)).length > 0;
}

function applySelector(pick: Selector, subject: Subject): Value {
  return typeof pick === "function" ? pick(subject) : pick;
}

function unionOf(picks: readonly Selector[], subject: Subject): Value[] {
  const keys: string[] = [];
  const indexes: bigint[] = [];
  for (const pick of picks) {
    const value = applySelector(pick, subject);
    const index = integerOf(value);
    if (typeof value === "string") keys.push(value);
    else if (index !== undefined) indexes.push(index);
    else failBranch(`union: invalid token argument. expected [int string] got [${kindName(value)}]`);
    if (keys.length > 0 && indexes.length > 0) {
      const [wanted, given] = typeof value === "string" ? ["int", "string"] : ["string", "int"];
      failBranch(`union: invalid token argument. expected [${wanted}] got [${given}]`);
    }
  }
  const { current } = subject;
  if (keys.length > 0) {
    if (!isPlainMap(current)) return wrongTarget("union", "map", current);
    return keys.map((key) => ownEntry(current, key)).filter((value) => value !== undefined);
  }
  const items = listItems(current) ?? wrongTarget("union", "array slice", current);
  const places = indexes.map((index) => Number(index < 0n ? BigInt(items.length) + index : index));
  return places.map((place) => items[place]).filter((value) => value !== undefined);
}

function rangeOf(bounds: readonly (Selector | undefined)[], subject: Subject): Value[] {
  const items = listItems(subject.current) ?? wrongTarget("range", "array slice", subject.current);
  const { length } = items;
  const [from, to, step] = bounds.map((bound) => (bound === undefined ? undefined : boundOf(bound, subject)));
  const clamp = (index: number) => Math.min(Math.max(index < 0 ? length + index : index, 0), length);
  const [start, end, stride] = [clamp(from ?? 0), to === undefined ? length : clamp(to), step ?? 1];
  if (stride === 0) failBranch("range: invalid token out of range");
  const part = items.slice(start, end);
  if (stride < 0) part.reverse();
  return part.filter((_, i) => i % stride === 0);
}

function boundOf(bound: Selector, subject: Subject): number {
  const value = applySelector(bound, subject);
  const index = integerOf(value) ??
    failBranch(`range: unexpected expression result. expected [int] got [${kindName(value)}]`);
  return Number(index);
}
