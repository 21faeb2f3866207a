/** The lint rule for the time of regular expressions. */
import { growthOf } from "../regexps/growth.ts";

/**
 * `tiphys/linear-regexp`: the time of a regular expression must grow linearly with the text, for every text. An
 * exception is an expression whose text is known to be short: with the reason after the rule's name. Tests and scripts
 * are exempt, because they read our own texts.
 */
export const linearRegExp: Deno.lint.Rule = {
  create(context) {
    if (/_(test|bench)\.ts$|(?:^|\/)(?:tests|testing|gen|scripts)\//.test(context.filename)) return {};
    const known = new Map<string, string>();
    const judge = (node: Deno.lint.Node, pattern: string, flags: string) => {
      const problem = problemOf(pattern, flags);
      if (problem) context.report({ node, message: `The regular expression ${problem}`, hint: HINT });
    };
    const make = (node: Deno.lint.CallExpression | Deno.lint.NewExpression) => {
      if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
      const [pattern, flags] = node.arguments.map((argument) => textOf(argument, known));
      if (pattern !== undefined) judge(node, pattern, flags ?? "");
      else context.report({ node, message: "The regular expression is built from unknown values", hint: HINT });
    };
    return {
      VariableDeclarator(node) {
        const text = node.id.type === "Identifier" && node.init ? textOf(node.init, known) : undefined;
        if (text !== undefined) known.set((node.id as Deno.lint.Identifier).name, text);
      },
      Literal(node) {
        if ("regex" in node && node.regex) judge(node, node.regex.pattern, node.regex.flags);
      },
      CallExpression: make,
      NewExpression: make,
    };
  },
};

const HINT = "Write it so that each text can match in only one way, or give the reason for an exception: " +
  "`// deno-lint-ignore tiphys/linear-regexp -- the text has 20 characters at most`";

function problemOf(pattern: string, flags: string): string | undefined {
  try {
    const growth = growthOf(new RegExp(pattern, flags));
    return growth === "linear" ? undefined : `takes ${growth} time for some texts`;
  } catch (error) {
    return `cannot be judged: it ${error instanceof Error ? error.message : error}`;
  }
}

/** The pattern of an expression that is a constant of this file, or built from such constants. */
function textOf(node: Deno.lint.Node, constants: ReadonlyMap<string, string>): string | undefined {
  switch (node.type) {
    case "Literal":
      if ("regex" in node && node.regex) return node.regex.pattern;
      return typeof node.value === "string" ? node.value : undefined;
    case "Identifier":
      return constants.get(node.name);
    case "MemberExpression":
      return node.property.type === "Identifier" && node.property.name === "source"
        ? textOf(node.object, constants)
        : undefined;
    case "TaggedTemplateExpression":
      return isRaw(node.tag) ? textOfTemplate(node.quasi, constants, "raw") : undefined;
    case "TemplateLiteral":
      return textOfTemplate(node, constants, "cooked");
    default:
      return undefined;
  }
}

function isRaw(tag: Deno.lint.Node): boolean {
  return tag.type === "MemberExpression" && tag.property.type === "Identifier" && tag.property.name === "raw";
}

function textOfTemplate(
  { quasis, expressions }: Deno.lint.TemplateLiteral,
  constants: ReadonlyMap<string, string>,
  form: "raw" | "cooked",
): string | undefined {
  const values = expressions.map((expression) => textOf(expression, constants));
  if (values.includes(undefined)) return undefined;
  return quasis.map((quasi, index) => `${quasi[form]}${values[index] ?? ""}`).join("");
}
