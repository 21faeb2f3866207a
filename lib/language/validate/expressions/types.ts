/** The types of values in expressions as far as they are known before a run: nearly all are strings. */
import { ANY_MAP, type FieldTypes, type GoType, STRING, UNKNOWN } from "@tiphys/base/go/type";
import type { Value } from "@tiphys/base/go/value";
import { ARGO_FUNCTIONS, type EnvTypes, typesOf } from "../../template/expr/mod.ts";
import type { Scope } from "../scope.ts";

/** The names and functions that an expression can use. */
export interface ExpressionScope {
  /** The names with values, as in tags. */
  readonly names: Scope;
  /**
   * The root names instead of the default ones: `request`, `data`, `cronworkflow`. Their values are not strings, and
   * their types are only known at run time.
   */
  readonly roots?: readonly string[];
  /** Whether Argo's own functions are not available. */
  readonly isPlain?: boolean;
}

/** The root names of all expressions; not all of them have a value everywhere. */
const ROOTS: readonly string[] = [
  ..."inputs outputs steps tasks workflow item pod node retries lastRetry".split(" "),
  ..."status duration exitCode resourcesDuration".split(" "),
];

/** Names whose values, with everything below them, are only known at run time. */
const RUN_TIME_NAMES = ["workflow.creationTimestamp", "workflow.scheduledTime", "outputs", "pod", "node"];

const FUNCTIONS: EnvTypes = typesOf(ARGO_FUNCTIONS);

/** Returns the types of the root names, without their members. */
export function rootTypes({ roots = ROOTS, isPlain }: ExpressionScope): EnvTypes {
  return new Map([...roots.map((root) => [root, UNKNOWN] as const), ...(isPlain ? [] : FUNCTIONS)]);
}

/** As {@link rootTypes}, with the known members: the type of a name is created when it is looked up. */
export function environmentTypes(scope: ExpressionScope): EnvTypes {
  if (scope.roots !== undefined) return rootTypes(scope);
  const { names } = scope;
  const types = new Map(rootTypes(scope));
  for (const root of ROOTS) if (names.has(root) || names.hasNamesBelow(root)) types.set(root, typeOf(root, names));
  return types;
}

/** Whether Argo adds a function with this name, including those of `sprig`. */
export function isFunction(name: string): boolean {
  const [root = "", inner] = name.split(".");
  if (!Object.hasOwn(ARGO_FUNCTIONS, root)) return false;
  return inner === undefined || (root === "sprig" && Object.hasOwn(sprig(), inner));
}

/** Returns the full names of sprig's functions. */
export function sprigNames(): string[] {
  return Object.keys(sprig()).map((name) => `sprig.${name}`);
}

function sprig(): { readonly [name: string]: Value } {
  return ARGO_FUNCTIONS.sprig as { readonly [name: string]: Value };
}

/** Returns the type of a known name: a map if it has members, otherwise a value. */
function typeOf(name: string, names: Scope): GoType {
  if (RUN_TIME_NAMES.includes(name) || names.mayHaveUnknownNames(name) || name.includes(".artifacts.")) return UNKNOWN;
  // The fields of a loop item are names only in tags: in an expression, the item is a string.
  const isMap = name === "item" ? names.hasItemFields : names.hasNamesBelow(name);
  return isMap ? { ...ANY_MAP, fields: new FieldsBelow(name, names) } : STRING;
}

/** The fields of a map: the names below its name. */
class FieldsBelow implements FieldTypes {
  constructor(private readonly name: string, private readonly names: Scope) {}

  get(field: string): GoType | undefined {
    const name = `${this.name}.${field}`;
    return this.names.has(name) || this.names.hasNamesBelow(name) ? typeOf(name, this.names) : undefined;
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
