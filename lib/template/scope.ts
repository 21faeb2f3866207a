/** The scope: what tags are looked up in. */
import type { Value } from "../go/value.ts";

/**
 * Names as written in tags (`steps.a.outputs.result`) and their values. Null is "there, but without a value": the output
 * of a producer that was skipped. A name that is not there is a third thing: it may come later.
 */
export type Values = ReadonlyMap<string, string | null>;

/** As `Values`, for the few places where values may be other than text. */
export type Scope = ReadonlyMap<string, Value>;

/** The strictness of a pass about names that it cannot resolve. */
export type Mode =
  /** Leaves the tag as it is. */
  | { readonly kind: "lenient" }
  /** Fails, whatever the name is. */
  | { readonly kind: "all" }
  /**
   * Fails for names that begin with one of these words, and leaves the other tags, and those with one of the names in
   * `except`. An expression reports the first part that is missing of a name: `inputs` for `inputs.parameters.a`.
   */
  | { readonly kind: "strict"; readonly prefixes: readonly string[]; readonly except?: readonly string[] };

/** Says whether a mode insists on a name that is not there. */
export function insistsOn(mode: Mode, name: string): boolean {
  switch (mode.kind) {
    case "lenient":
      return false;
    case "all":
      return true;
    case "strict":
      return mode.prefixes.some((prefix) => isWithin(name, prefix)) &&
        !mode.except?.some((other) => isWithin(name, other) || isWithin(other, name));
  }
}

function isWithin(name: string, prefix: string): boolean {
  return name === prefix || name.startsWith(`${prefix}.`);
}

/** Stands in lint for a value that only a run can know. An expression that fails over one is left alone. */
const PLACEHOLDER = "__argo__internal__placeholder-";

/** Every placeholder within a text. */
export const PLACEHOLDERS = new RegExp(`${PLACEHOLDER}[0-9]+`, "g");

/** Makes the placeholder with a number. */
export function placeholder(index: number): string {
  return `${PLACEHOLDER}${index}`;
}

/** Says whether a text holds a placeholder. */
export function holdsPlaceholder(text: string): boolean {
  return text.includes(PLACEHOLDER);
}

/** The text with another one for each placeholder in it. */
export function replacePlaceholders(text: string, other: string): string {
  return text.replaceAll(/__argo__internal__placeholder-\d+/g, other);
}

/** Says whether a value is a placeholder. */
export function isPlaceholder(value: Value): boolean {
  return typeof value === "string" && value.startsWith(PLACEHOLDER);
}
