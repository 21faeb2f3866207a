/** The scope: the values that tags refer to. */
import type { Value } from "@tiphys/base/go/value";

/**
 * Names as written in tags (`steps.a.outputs.result`) and their values. Null means present without a value: the output
 * of a skipped producer. A name that is missing may get a value later.
 */
export type Values = ReadonlyMap<string, string | null>;

/** Same as `Values`, for scopes whose values may have types other than string. */
export type Scope = ReadonlyMap<string, Value>;

/** The strictness of a pass about names that it cannot resolve. */
export type Mode =
  /** Keeps the tag. */
  | { readonly kind: "lenient" }
  /** Fails for every name. */
  | { readonly kind: "all" }
  /**
   * Fails for names that begin with one of these prefixes, and keeps other tags and the names in `except`. An
   * expression reports the first missing part of a name: `inputs` for `inputs.parameters.a`.
   */
  | { readonly kind: "strict"; readonly prefixes: readonly string[]; readonly except?: readonly string[] };

/** Reports whether a mode requires a missing name. */
export function requiresName(mode: Mode, name: string): boolean {
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

/**
 * Represents a value in lint that only a run can provide. An expression that fails because of a placeholder is ignored.
 */
const PLACEHOLDER = "__argo__internal__placeholder-";

/** Matches every placeholder in a text. */
export const PLACEHOLDERS = new RegExp(`${PLACEHOLDER}[0-9]+`, "g");

/** Returns the placeholder with a number. */
export function placeholder(index: number): string {
  return `${PLACEHOLDER}${index}`;
}

/** Reports whether a text contains a placeholder. */
export function containsPlaceholder(text: string): boolean {
  return text.includes(PLACEHOLDER);
}

/** Replaces each placeholder in a text. */
export function replacePlaceholders(text: string, other: string): string {
  return text.replaceAll(/__argo__internal__placeholder-\d+/g, other);
}

/** Reports whether a value is a placeholder. */
export function isPlaceholder(value: Value): boolean {
  return typeof value === "string" && value.startsWith(PLACEHOLDER);
}
