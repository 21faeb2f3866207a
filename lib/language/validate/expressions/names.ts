/** Finds names in an expression that never have a value. */
import { didYouMean } from "@tiphys/model/api";
import { BUILTINS } from "../../template/expr/builtins/mod.ts";
import { PREDICATES } from "../../template/expr/builtins/predicates.ts";
import { parseExpression } from "../../template/expr/expression.ts";
import { type Reference, referencesIn } from "../../template/expr/references.ts";
import { children, type Node } from "../../template/expr/tree.ts";
import { isResolved } from "../scope.ts";
import type { Fault } from "./fault.ts";
import { type ExpressionScope, isFunction, rootTypes, sprigNames } from "./types.ts";

/** Root names whose members are all known before a run. */
const FULLY_KNOWN_ROOTS: ReadonlySet<string> = new Set(["inputs", "steps", "tasks", "workflow", "item"]);

/**
 * Returns a fault for each unknown name, and for each hyphen that splits a known name. If the expression handles a
 * missing value (`name ?? "default"`, `name == nil`), the fault is a warning.
 * @throws {ExpressionError} for a syntax error.
 */
export function unknownNames(source: string, scope: ExpressionScope): Fault[] {
  const tree = parseExpression(source);
  const variables = variablesIn(tree);
  const spared = comparedWithNil(tree, source);
  const faults: Fault[] = [];
  const reported = new Set<number>();
  for (const reference of referencesIn(tree, source)) {
    const { name, optional, offset } = reference;
    if (variables.has(rootOf(name)) || isKnown(name, scope)) continue;
    const run = nameAround(source, offset);
    if (reported.has(run.from)) continue;
    reported.add(run.from);
    const trap = hyphenHint(source.slice(run.from, run.to), scope);
    const severity = trap === undefined && (optional || spared.has(name)) ? "warning" : "error";
    faults.push({
      severity,
      offset: trap === undefined ? offset : run.from,
      message: trap ?? unknownNameMessage(reference, scope),
    });
  }
  return faults;
}

function isKnown(name: string, scope: ExpressionScope): boolean {
  const root = rootOf(name);
  if (name === "$env" || isFunction(name) && !scope.isPlain || BUILTINS.has(name) || PREDICATES.has(name)) return true;
  if (!rootTypes(scope).has(root) || root === "sprig") return false;
  if (name === root && root !== "item" || scope.roots !== undefined || !FULLY_KNOWN_ROOTS.has(root)) return true;
  if (isResolved(name, scope.names) || scope.names.mayHaveUnknownNames(name)) return true;
  if (scope.names.hasNamesBelow(name)) return true;
  // A path to a name is a map; the type checker handles fields of values.
  return properPrefixes(name).some((start) => scope.names.has(start) && !scope.names.hasNamesBelow(start));
}

/** Returns the proper prefixes of a dotted name. */
function properPrefixes(name: string): string[] {
  const parts = name.split(".");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
}

function unknownNameMessage({ name }: Reference, scope: ExpressionScope): string {
  if (name === "item") return "unknown name item; only a step or task with a loop has one";
  const depth = name.split(".").length;
  const functions = [...BUILTINS.keys(), ...PREDICATES.keys(), ...(scope.isPlain ? [] : sprigNames())];
  return `unknown name ${name}${didYouMean(name, candidates())}`;

  function* candidates(): Generator<string> {
    yield* rootTypes(scope).keys();
    yield* functions;
    for (const known of scope.names.names()) yield known.split(".").slice(0, depth).join(".");
  }
}

/** `a.b-c` is a subtraction, probably unintended if a name has this spelling. Returns how to write the name. */
function hyphenHint(run: string, { names }: ExpressionScope): string | undefined {
  if (!run.includes("-")) return undefined;
  const parts = run.split(".");
  // A field of a hyphenated name may be unknown too; the hyphen is still the first mistake.
  const isName = names.canResolve(run) || names.hasNamesBelow(run) ||
    properPrefixes(run).slice(1).some((start) => names.has(start));
  if (!isName) return undefined;
  const written = parts.map((part, index) =>
    index > 0 && !/^[\p{L}_$][\p{L}\p{Nd}_$]*$/u.test(part)
      ? `[${JSON.stringify(part)}]`
      : `${index > 0 ? "." : ""}${part}`
  ).join("");
  return `${run} subtracts, since a hyphen is a minus sign; write ${written}`;
}

/** Returns the extent of the name-like text around an offset, including hyphens. */
function nameAround(source: string, offset: number): { from: number; to: number } {
  NAME_LIKE.lastIndex = offset;
  const behind = NAME_LIKE.exec(source)?.[0] ?? "";
  let from = offset;
  while (from > 0) {
    const before = from > 1 && /[\udc00-\udfff]/.test(source[from - 1]!) ? from - 2 : from - 1;
    if (!/^[\p{L}\p{Nd}_$.-]$/u.test(source.slice(before, from))) break;
    from = before;
  }
  return { from, to: offset + Math.max(behind.length, 1) };
}

const NAME_LIKE = /[\p{L}\p{Nd}_$.-]*/uy;

function rootOf(name: string): string {
  const [root = ""] = name.split(".", 1);
  return root;
}

function variablesIn(tree: Node): Set<string> {
  return new Set(nodesOf(tree).flatMap((node) => node.kind === "let" ? [node.name] : []));
}

/** Returns the names that are compared with nil, with all their prefixes. */
function comparedWithNil(tree: Node, source: string): Set<string> {
  const operands = nodesOf(tree).flatMap((node) => {
    if (node.kind !== "binary" || (node.operator !== "==" && node.operator !== "!=")) return [];
    return isNil(node.right) ? [node.left] : isNil(node.left) ? [node.right] : [];
  });
  return new Set(operands.flatMap((operand) => referencesIn(operand, source).map(({ name }) => name)));
}

function isNil(node: Node): boolean {
  return node.kind === "constant" && node.value === null;
}

function nodesOf(tree: Node): Node[] {
  const found: Node[] = [];
  const pending = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    found.push(node);
    pending.push(...children(node));
  }
  return found;
}
