/** The page of functions in expressions, from the tables that run them. */
import { GoFunction, type ValueMap } from "@tiphys/base/go";
import { BUILTINS } from "../../lib/language/template/expr/builtins/mod.ts";
import { PREDICATES } from "../../lib/language/template/expr/builtins/predicates.ts";
import { ARGO_FUNCTIONS } from "../../lib/language/template/expr/environment.ts";
import { SPRIG } from "../../lib/language/template/expr/sprig/mod.ts";
import { generatedFrom } from "./markdown.ts";

/** The text of `docs/reference/functions.md`. */
export function functionsPage(): string {
  const ofExpr = [...BUILTINS.values()].map(({ name, overloads = [] }) => {
    const signatures = overloads.map(({ text }) => text.replace(/^func/, name));
    return signatures.length > 0 ? signatures[0]! : name;
  });
  const withPredicates = [...PREDICATES].map(([name, parameters]) =>
    `${name}(${parameters.map(({ kind, optional }) => `${kind}${optional ? "?" : ""}`).join(", ")})`
  );
  return `${generatedFrom("lib/language/template/expr")}

# Functions in expressions

Expressions are written in \`{{=…}}\`: see [template language](../template-language.md#expressions). Signatures are Go's.
A \`?\` marks an argument that can be left out; functions with several signatures are shown with the first.

## Of Argo Workflows

${list(signaturesOf(ARGO_FUNCTIONS))}

## Of expr, with a predicate

A predicate is an expression in braces in which \`#\` is the element: \`filter(items, {# > 3})\`.

${list(withPredicates)}

## Of expr

[expr](https://expr-lang.org/docs/language-definition) describes them.

${list(ofExpr)}

## Of sprig

[sprig](https://masterminds.github.io/sprig) describes them. Call them as \`sprig.NAME\`.

${list(signaturesOf(SPRIG))}
`;
}

function signaturesOf(functions: ValueMap): string[] {
  return Object.entries(functions).flatMap(([name, value]) =>
    value instanceof GoFunction ? [value.type.text.replace(/^func/, name)] : []
  );
}

function list(signatures: readonly string[]): string {
  return ["```text", ...signatures.toSorted().map((signature) => signature.replaceAll("interface {}", "any")), "```"]
    .join("\n");
}
