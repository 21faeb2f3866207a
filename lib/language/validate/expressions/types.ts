/**
 * The types of the values that expressions see, as far as they are known before a run: nearly all of them are texts.
 */
import { ANY_MAP, type FieldTypes, type GoType, STRING, UNKNOWN } from "@tiphys/base/go/type";
import type { Value } from "@tiphys/base/go/value";
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

/** The same, with what the scope says about the values within: the type of a name is made when it is looked up. */
export function environmentTypes(scope: ExpressionScope): EnvTypes {
  if (scope.roots !== undefined) return rootTypes(scope);
  const { names } = scope;
  const types = new Map(rootTypes(scope));
  for (const root of ROOTS) if (names.has(root) || names.leads(root)) types.set(root, typeOf(root, names));
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

/** The type of a known name: one that leads to others is a map, the rest are values. */
function typeOf(name: string, names: Scope): GoType {
  if (UNTOLD.includes(name) || names.isOpen(name) || name.includes(".artifacts.")) return UNKNOWN;
  // The elements of a list item are names for tags only: an expression sees its text.
  const isMap = name === "item" ? names.hasItemFields : names.leads(name);
  return isMap ? { ...ANY_MAP, fields: new FieldsBelow(name, names) } : STRING;
}

/** The fields of a map: the names below its own. */
class FieldsBelow implements FieldTypes {
  constructor(private readonly name: string, private readonly names: Scope) {}

  get(field: string): GoType | undefined {
    const name = `${this.name}.${field}`;
    return this.names.has(name) || this.names.leads(name) ? typeOf(name, this.names) : undefined;
  }

  *keys(): Generator<string> {
    const start = `${this.name}.`;
    const found = new Set<string>();
    for (const name of this.names.names()) {
      if (name.startsWith(start)) found.add(name.slice(start.length).split(".", 1)[0]!);
    }
    yield* found;
  }
}
