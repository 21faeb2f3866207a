/**
 * The types of the values that expressions see, as far as they are known before a run: nearly all of them are texts.
 */
import { ANY_MAP, type GoType, STRING, UNKNOWN } from "../../go/type.ts";
import type { Value } from "../../go/value.ts";
import { ARGO_FUNCTIONS, type EnvTypes, typesOf } from "../../template/expr/mod.ts";
import type { Scope } from "../scope.ts";

/** The names and functions that an expression can use where it stands. */
export interface ExpressionScope {
  /** The names that have values there, as tags spell them. */
  readonly names: Scope;
  /**
   * The words that names begin with there, instead of the usual ones: `request`, `data`, `cronworkflow`. Their values
   * are no texts, and only a run knows their types.
   */
  readonly roots?: readonly string[];
  /** Whether Argo's own functions are missing there. */
  readonly isPlain?: boolean;
}

/** The words that names begin with wherever an expression may stand; not all of them have a value everywhere. */
const ROOTS: readonly string[] = [
  ..."inputs outputs steps tasks workflow item pod node retries lastRetry".split(" "),
  ..."status duration exitCode resourcesDuration".split(" "),
];

/** Names whose values only the run can tell, with all that is below them. */
const UNTOLD = ["workflow.creationTimestamp", "workflow.scheduledTime", "outputs", "pod", "node"];

const FUNCTIONS: EnvTypes = typesOf(ARGO_FUNCTIONS);

/** The names a run would know, their values not yet. */
export function rootTypes({ roots = ROOTS, isPlain }: ExpressionScope): EnvTypes {
  return new Map([...roots.map((root) => [root, UNKNOWN] as const), ...(isPlain ? [] : FUNCTIONS)]);
}

/** The same, with what the scope says about the values within. */
export function environmentTypes(scope: ExpressionScope): EnvTypes {
  const types = new Map(rootTypes(scope));
  if (scope.roots !== undefined) return types;
  for (const [root, branch] of branchesOf(scope.names)) {
    if (ROOTS.includes(root)) types.set(root, typeOf(branch, root, scope.names));
  }
  return types;
}

/** Says whether Argo adds a function of this name, within `sprig` included. */
export function isFunction(name: string): boolean {
  const [root = "", inner] = name.split(".");
  if (!Object.hasOwn(ARGO_FUNCTIONS, root)) return false;
  return inner === undefined || (root === "sprig" && Object.hasOwn(sprig(), inner));
}

/** The functions of sprig by their full names. */
export function sprigNames(): string[] {
  return Object.keys(sprig()).map((name) => `sprig.${name}`);
}

function sprig(): { readonly [name: string]: Value } {
  return ARGO_FUNCTIONS.sprig as { readonly [name: string]: Value };
}

/** Names as a tree: what has children is a map, the rest are values. */
type Branch = Map<string, Branch>;

function branchesOf(names: Scope): Branch {
  const root: Branch = new Map();
  for (const name of names.names()) {
    let at = root;
    for (const part of partsOf(name)) {
      let below = at.get(part);
      if (below === undefined) at.set(part, below = new Map());
      at = below;
    }
  }
  return root;
}

/** The elements of a list item are names for tags only: an expression sees its text. */
function partsOf(name: string): string[] {
  return name.startsWith("item.[") ? ["item"] : name.split(".");
}

function typeOf(branch: Branch, name: string, scope: Scope): GoType {
  if (UNTOLD.includes(name) || scope.isOpen(name) || name.includes(".artifacts.")) return UNKNOWN;
  if (branch.size === 0) return STRING;
  return {
    ...ANY_MAP,
    fields: new Map(Array.from(branch, ([part, below]) => [part, typeOf(below, `${name}.${part}`, scope)])),
  };
}
