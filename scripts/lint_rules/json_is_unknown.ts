/** The lint rule on what a JSON text says. */

/**
 * `tiphys/json-is-unknown`: what a JSON text says, from wherever it comes, is of unknown shape until a reader has looked:
 * `JSON.parse` and `answer.json()` answer `any`, which would be taken for anything. So it goes to a call (a schema, `fieldsOf`,
 * a check), to what is declared `unknown`, or is called what every JSON text is (`Json`, `Value`). Where the text is one
 * that this program wrote itself and that nobody else can write, the reason stands behind the rule's name.
 */
export const jsonIsUnknown: Deno.lint.Rule = {
  create(context) {
    if (/_(test|bench)\.ts$|(?:^|\/)(?:tests|testing|scripts)\//.test(context.filename)) return {};
    const unknowns = new Set<string>();
    const textOfType = (node: Deno.lint.Node | undefined) => node ? context.sourceCode.getText(node) : "";
    const isUnread = (type: string) => ANY_JSON.has(type.replace(/^:\s*/, "").replace(/^Promise<(.*)>$/, "$1"));
    /** Whether it is right that the value of `node`, which a JSON text said, goes where it goes. */
    const goesWell = (node: Deno.lint.Node): boolean => {
      const { parent } = node as { parent: Deno.lint.Node };
      switch (parent.type) {
        case "CallExpression":
        case "NewExpression":
          return node !== parent.callee || isStillJson(parent) && goesWell(parent);
        case "AwaitExpression":
        case "ConditionalExpression":
        case "LogicalExpression":
          return goesWell(parent);
        case "MemberExpression":
          return parent.property.type === "Identifier" && LATER.has(parent.property.name) && goesWell(parent);
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
        if (!saysJson(node) || goesWell(node)) return;
        context.report({
          node,
          message: "What a JSON text says is of unknown shape until a reader has looked",
          hint: "Hand it to a reader (`fieldsOf`, a schema, a check), or declare it `unknown` and look at it",
        });
      },
    };
  },
};

/** The types that are true of whatever a JSON text says. */
const ANY_JSON = new Set(["unknown", "Json", "Value"]);
/** The methods of a promise behind which there is still what it was of. */
const LATER = new Set(["catch", "finally"]);

/** `JSON.parse(text)` and `answer.json()`. */
function saysJson({ callee, arguments: given }: Deno.lint.CallExpression): boolean {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false;
  if (callee.property.name === "json") return given.length === 0;
  return callee.property.name === "parse" && callee.object.type === "Identifier" && callee.object.name === "JSON";
}

function isStillJson({ callee }: Deno.lint.CallExpression | Deno.lint.NewExpression): boolean {
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" && LATER.has(callee.property.name);
}

/** The type that the function around a statement says that it answers. */
function returnTypeAround(node: Deno.lint.Node): Deno.lint.Node | undefined {
  for (let at: Deno.lint.Node | undefined = node; at; at = (at as { parent?: Deno.lint.Node }).parent) {
    if (
      at.type === "FunctionDeclaration" || at.type === "FunctionExpression" || at.type === "ArrowFunctionExpression"
    ) {
      return at.returnType ?? undefined;
    }
  }
  return undefined;
}
