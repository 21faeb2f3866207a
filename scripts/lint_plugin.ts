/** The project's own rules for `deno lint`. */
import { growthOf } from "./regexps/growth.ts";

/**
 * `tiphys/linear-regexp`: a regular expression takes time that grows as the text does, whatever the text is. One of which
 * that is not so may stand where its text is known to be short: with the reason behind the rule's name. Tests and scripts
 * read texts of ours.
 */
const linearRegExp: Deno.lint.Rule = {
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
      else context.report({ node, message: "The regular expression is made of what is not known here", hint: HINT });
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

const HINT = "Write it so that a text can be read in one way only, or give the reason why it may stand: " +
  "`// deno-lint-ignore tiphys/linear-regexp -- the text has 20 characters at most`";

function problemOf(pattern: string, flags: string): string | undefined {
  try {
    const growth = growthOf(new RegExp(pattern, flags));
    return growth === "linear" ? undefined : `takes ${growth} time for some texts`;
  } catch (error) {
    return `cannot be judged: it ${error instanceof Error ? error.message : error}`;
  }
}

/** The text of an expression that is a constant of this file, or made of such. */
function textOf(node: Deno.lint.Node, known: ReadonlyMap<string, string>): string | undefined {
  switch (node.type) {
    case "Literal":
      if ("regex" in node && node.regex) return node.regex.pattern;
      return typeof node.value === "string" ? node.value : undefined;
    case "Identifier":
      return known.get(node.name);
    case "MemberExpression":
      return node.property.type === "Identifier" && node.property.name === "source"
        ? textOf(node.object, known)
        : undefined;
    case "TaggedTemplateExpression":
      return isRaw(node.tag) ? textOfTemplate(node.quasi, known, "raw") : undefined;
    case "TemplateLiteral":
      return textOfTemplate(node, known, "cooked");
    default:
      return undefined;
  }
}

function isRaw(tag: Deno.lint.Node): boolean {
  return tag.type === "MemberExpression" && tag.property.type === "Identifier" && tag.property.name === "raw";
}

function textOfTemplate(
  { quasis, expressions }: Deno.lint.TemplateLiteral,
  known: ReadonlyMap<string, string>,
  form: "raw" | "cooked",
): string | undefined {
  const values = expressions.map((expression) => textOf(expression, known));
  if (values.includes(undefined)) return undefined;
  return quasis.map((quasi, index) => `${quasi[form]}${values[index] ?? ""}`).join("");
}

/** `tiphys/throws-tag`: what a function throws stands behind `@throws`, where editors and readers look for it. */
const throwsTag: Deno.lint.Rule = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (comment.type !== "Block" || !/(?:^|[.;:] )Throws\b/.test(proseOf(comment.value))) continue;
          context.report({ range: comment.range, message: "What a function throws stands behind `@throws`" });
        }
      },
    };
  },
};

/** The words of a doc comment without what begins its lines; empty for a comment of another kind. */
function proseOf(comment: string): string {
  return comment.startsWith("*") ? comment.slice(1).replaceAll(/\n\s*\*/g, " ").replaceAll(/\s+/g, " ").trim() : "";
}

/**
 * `tiphys/read-what-enters`: what a Kubernetes client answers is an object of unknown shape; a reader makes it one of a kind
 * (`lib/api`, `dataOf` in `lib/kube`), and says what is wrong with one that is none. So no type is claimed where it is asked
 * for. The client itself, whose informers are handed readers, and tests may.
 */
const readWhatEnters: Deno.lint.Rule = {
  create(context) {
    if (/_(test|bench)\.ts$|(?:^|\/)(?:tests|testing|scripts)\/|(?:^|\/)lib\/kube\//.test(context.filename)) return {};
    return {
      CallExpression(node) {
        const { callee, typeArguments } = node;
        if (!typeArguments || callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
        if (!CLIENT_METHODS.has(callee.property.name) || !isClient(callee.object)) return;
        if (typeArguments.params.every((type) => UNREAD.has(context.sourceCode.getText(type)))) return;
        context.report({
          node: typeArguments,
          message: "What a Kubernetes client answers is read before it is of a kind",
          hint:
            "Ask without a type, and hand the answer to a reader: `readPod`, `storedWorkflow`, `dataOf`, `parseKind`",
        });
      },
    };
  },
};

const CLIENT_METHODS = new Set(["get", "list", "watch", "create", "replace", "patch", "request"]);
const UNREAD = new Set(["KubeObject", "object", "unknown"]);

/** Whether an expression is named as a client is: `client`, `this.#client`, `caller.client`, `client.inBackground()`. */
function isClient(node: Deno.lint.Node): boolean {
  switch (node.type) {
    case "Identifier":
    case "PrivateIdentifier":
      return /client$/i.test(node.name);
    case "MemberExpression":
      return isClient(node.property);
    case "CallExpression":
      return node.callee.type === "MemberExpression" && isClient(node.callee.object);
    default:
      return false;
  }
}

/**
 * `tiphys/json-is-unknown`: what a JSON text says, from wherever it comes, is of unknown shape until a reader has looked:
 * `JSON.parse` and `answer.json()` answer `any`, which would be taken for anything. So it goes to a call (a schema, `fieldsOf`,
 * a check), to what is declared `unknown`, or is called what every JSON text is (`Json`, `Value`). Where the text is one
 * that this program wrote itself and that nobody else can write, the reason stands behind the rule's name.
 */
const jsonIsUnknown: Deno.lint.Rule = {
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

/**
 * `tiphys/no-double-cast`: `as unknown as` says that the compiler is wrong. It may where a type cannot say what is so (a fact
 * about another program, a mark that no code reads): with the reason behind the rule's name.
 */
const noDoubleCast: Deno.lint.Rule = {
  create(context) {
    if (/_(test|bench)\.ts$|(?:^|\/)(?:tests|testing|scripts)\//.test(context.filename)) return {};
    return {
      TSAsExpression(node) {
        const { expression } = node;
        if (expression.type !== "TSAsExpression" || expression.typeAnnotation.type !== "TSUnknownKeyword") return;
        context.report({
          node,
          message: "A cast by way of `unknown` says that the compiler is wrong",
          hint: "Read the value, or give it the type it has; else say why: `-- the reason` behind the rule's name",
        });
      },
    };
  },
};

const plugin: Deno.lint.Plugin = {
  name: "tiphys",
  rules: {
    "linear-regexp": linearRegExp,
    "throws-tag": throwsTag,
    "read-what-enters": readWhatEnters,
    "json-is-unknown": jsonIsUnknown,
    "no-double-cast": noDoubleCast,
  },
};

/** Deno asks for a default export. */
export default plugin;
