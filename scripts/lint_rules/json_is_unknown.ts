/** The lint rule for parsed JSON. */

/**
 * `tiphys/json-is-unknown`: parsed JSON, from whatever source, has an unknown shape until it is validated. `JSON.parse`
 * and `answer.json()` return `any`, which could be used as any type. So the value must be passed to a call (a schema,
 * `fieldsOf`, a check), declared as `unknown`, or as a type of all JSON (`Json`, `Value`). An exception is a text that
 * only this program can have written: with the reason after the rule's name.
 */
export const jsonIsUnknown: Deno.lint.Rule = {
  create(context) {
    if (/_(test|bench)\.ts$|(?:^|\/)(?:tests|testing|scripts)\//.test(context.filename)) return {};
    const unknowns = new Set<string>();
    const textOfType = (node: Deno.lint.Node | undefined) => node ? context.sourceCode.getText(node) : "";
    const isUnread = (type: string) => ANY_JSON.has(type.replace(/^:\s*/, "").replace(/^Promise<(.*)>$/, "$1"));
    /** Whether the code around `node`, a value parsed from JSON, handles it as an unknown value. */
    const isHandledAsUnknown = (node: Deno.lint.Node): boolean => {
      const { parent } = node as { parent: Deno.lint.Node };
      switch (parent.type) {
        case "CallExpression":
        case "NewExpression":
          return node !== parent.callee || isStillJson(parent) && isHandledAsUnknown(parent);
        case "AwaitExpression":
        case "ConditionalExpression":
        case "LogicalExpression":
          return isHandledAsUnknown(parent);
        case "MemberExpression":
          return parent.property.type === "Identifier" && LATER.has(parent.property.name) && isHandledAsUnknown(parent);
        case "ExpressionStatement":
        case "BinaryExpression":
        case "UnaryExpression":
        case "TemplateLiteral":
          return true;
        case "TSAsExpression":
          return isUnread(textOfType(parent.typeAnnotation));
        case "VariableDeclarator":
          return isUnread(textOfType((parent.id as Deno.lint.Identifier).typeAnnotation));
        case "AssignmentExpression":
          return parent.left.type === "Identifier" && unknowns.has(parent.left.name);
        case "ReturnStatement":
          return isUnread(textOfType(returnTypeAround(parent)));
        case "ArrowFunctionExpression":
          return isUnread(textOfType(parent.returnType));
        default:
          return false;
      }
    };
    return {
      VariableDeclarator({ id }) {
        if (id.type === "Identifier" && isUnread(textOfType(id.typeAnnotation))) unknowns.add(id.name);
      },
      CallExpression(node) {
        if (!isJsonCall(node) || isHandledAsUnknown(node)) return;
        context.report({
          node,
          message: "Parsed JSON has an unknown shape until it is validated",
          hint: "Pass it to a validator (`fieldsOf`, a schema, a check), or declare it `unknown` and check it",
        });
      },
    };
  },
};

/** Types that fit any parsed JSON. */
const ANY_JSON = new Set(["unknown", "Json", "Value"]);
/** Methods of a promise that return the same value. */
const LATER = new Set(["catch", "finally"]);

/** Whether a call is `JSON.parse(text)` or `answer.json()`. */
function isJsonCall({ callee, arguments: given }: Deno.lint.CallExpression): boolean {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false;
  if (callee.property.name === "json") return given.length === 0;
  return callee.property.name === "parse" && callee.object.type === "Identifier" && callee.object.name === "JSON";
}

function isStillJson({ callee }: Deno.lint.CallExpression | Deno.lint.NewExpression): boolean {
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" && LATER.has(callee.property.name);
}

/** The declared return type of the function around a statement. */
function returnTypeAround(node: Deno.lint.Node): Deno.lint.Node | undefined {
  for (
    let ancestor: Deno.lint.Node | undefined = node;
    ancestor;
    ancestor = (ancestor as { parent?: Deno.lint.Node }).parent
  ) {
    if (
      ancestor.type === "FunctionDeclaration" || ancestor.type === "FunctionExpression" ||
      ancestor.type === "ArrowFunctionExpression"
    ) {
      return ancestor.returnType ?? undefined;
    }
  }
  return undefined;
}
