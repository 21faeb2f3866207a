/** The lint rule that keeps all texts of the page in `ui/model/text/en`. */

/**
 * `tiphys/words-in-one-place`: texts for users, including screen readers, are named constants in `ui/model/text/en`,
 * not in the components and pages that show them, nor in the model, so that the page can be translated. Texts are text
 * nodes, the values of attributes that are shown, and all strings with the form of a sentence. Keys, commands and code
 * (`kbd`, `pre`, `code`) are exempt, and so are class names, URLs and names of the API. In the model, only sentences
 * are checked, and errors are exempt, since they are for developers.
 */
export const wordsInOnePlace: Deno.lint.Rule = {
  create(context) {
    const path = context.filename.replaceAll("\\", "/");
    const isModel = isOfModel(path);
    if (!isModel && !isOfPage(path)) return {};
    const judge = (node: Deno.lint.Node, texts: readonly string[]) => {
      const place = isModel ? isThrown(node) ? "unread" : "elsewhere" : contextOf(node);
      if (place === "unread" || !texts.some((text) => /\p{L}/u.test(text))) return;
      if (place === "elsewhere" && !isSentence(texts.join(SLOT))) return;
      // A single word in the model is a name.
      if (isModel && !/\S\s+\S/.test(texts.join(SLOT))) return;
      context.report({
        node,
        message: "Texts for users belong in `ui/model/text/en`",
        hint: "Add a constant there, or a function for a sentence with slots; if it is not a text for users, " +
          "give the reason: `// deno-lint-ignore tiphys/words-in-one-place -- the reason`",
      });
    };
    return {
      JSXText: (node) => judge(node, [node.value]),
      Literal(node) {
        if (typeof node.value === "string") judge(node, [node.value]);
      },
      TemplateLiteral: (node) => judge(node, node.quasis.map(({ cooked }) => cooked)),
    };
  },
};

/** Whether a file renders UI: a component, a page, or the frame around them. */
function isOfPage(path: string): boolean {
  return /(?:^|\/)ui\/(?:(?:components|pages)\/.+|\w+)\.tsx?$/.test(path) &&
    !/_test\.tsx?$|(?:^|\/)tests\//.test(path);
}

/** Whether a file computes displayed content: everything in `ui/model` except the texts. */
function isOfModel(path: string): boolean {
  return /(?:^|\/)ui\/model\/(?!text\/).+\.ts$/.test(path) && !/_(?:test|bench)\.ts$/.test(path);
}

/** Standard error types. The page shows their messages unchanged. */
const BUILT_IN = new Set(["Error", "RangeError", "SyntaxError", "TypeError"]);

/** Whether a text is the message of a standard error. */
function isThrown(node: Deno.lint.Node): boolean {
  const { parent } = node as { parent: Deno.lint.Node };
  return parent.type === "NewExpression" && parent.callee.type === "Identifier" && BUILT_IN.has(parent.callee.name);
}

/** The placeholder for a slot of a template. */
const SLOT = "\u{FFFC}";

/** A capitalized word that is followed by another word or a slot. */
const BEGINNING = /^\p{Lu}[\p{L}'’]+,? (?:\p{Ll}{2}|\u{FFFC})/u;
/** The end of a sentence, or of an activity in progress. */
const END = / .*\p{L}[.!?]$|\p{L}…$/su;
/** A word that occurs only in sentences. */
const BETWEEN = /(?:^|\s)(?:the|of|is|are|was|were|not|more|or|by|with|from|this|that|nothing|nobody)(?=$|[\s,.:;])/u;

/**
 * Whether a text has the form of a sentence, or of a part of one. A text that begins with a bracket is a selector or a
 * query.
 */
function isSentence(text: string): boolean {
  return !/^[([{]/.test(text) && [BEGINNING, END, BETWEEN].some((shape) => shape.test(text));
}

/** Attributes, and properties of components, whose values are shown or read aloud. */
const READ = new Set([
  "action",
  "alt",
  "aria-description",
  "aria-label",
  "aria-placeholder",
  "aria-roledescription",
  "aria-valuetext",
  "caption",
  "confirm",
  "data-head",
  "empty",
  "heading",
  "label",
  "placeholder",
  "summary",
  "text",
  "title",
  "word",
]);

/** Attributes whose values are not shown. */
const UNREAD = new Set(["class", "d", "href", "id", "key", "points", "src", "style", "transform", "viewBox"]);

/** Elements that contain commands, code and keys. */
const CODE = new Set(["code", "kbd", "pre"]);

/** Whether a text is shown where it is, is not, or may be. */
type TextContext = "read" | "unread" | "elsewhere";

function contextOf(node: Deno.lint.Node): TextContext {
  const { parent } = node as { parent: Deno.lint.Node };
  switch (parent.type) {
    case "JSXElement":
    case "JSXFragment":
      return isInCode(parent) ? "unread" : "read";
    case "JSXExpressionContainer":
      return contextOf(parent);
    case "JSXAttribute":
      return contextOfAttribute(nameOf(parent.name));
    case "Property":
      return node === parent.value && READ.has(nameOf(parent.key)) ? "read" : "elsewhere";
    case "ConditionalExpression":
      return node === parent.test ? "elsewhere" : contextOf(parent);
    case "LogicalExpression":
    case "TemplateLiteral":
      return contextOf(parent);
    case "BinaryExpression":
      return parent.operator === "+" ? contextOf(parent) : "elsewhere";
    case "ImportDeclaration":
    case "ImportExpression":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "TSLiteralType":
      return "unread";
    default:
      return "elsewhere";
  }
}

function contextOfAttribute(name: string): TextContext {
  if (READ.has(name)) return "read";
  return UNREAD.has(name) ? "unread" : "elsewhere";
}

/** The name of an attribute, or of a property with a name. */
function nameOf(name: Deno.lint.Node): string {
  if (name.type === "JSXIdentifier" || name.type === "Identifier") return name.name;
  return name.type === "Literal" ? String(name.value) : "";
}

function isInCode(element: Deno.lint.Node): boolean {
  for (
    let ancestor: Deno.lint.Node | undefined = element;
    ancestor;
    ancestor = (ancestor as { parent?: Deno.lint.Node }).parent
  ) {
    if (ancestor.type !== "JSXElement") continue;
    const { name } = ancestor.openingElement;
    if (name.type === "JSXIdentifier" && CODE.has(name.name)) return true;
  }
  return false;
}
