/** The lint rule on where the words of the page stand. */

/**
 * `tiphys/words-in-one-place`: what people read or hear stands in `ui/model/text/en`, by name, and not in the components and
 * pages that show it, nor in the model; so that the page can be said in another language. Words are text among elements, the
 * values of attributes that are read, and whatever has the shape of a sentence. Keys, commands and code (`kbd`, `pre`, `code`)
 * are none, nor are names of classes, addresses, and the words of the API. Of the model only sentences are judged, and what it
 * throws is said to who changes it.
 */
export const wordsInOnePlace: Deno.lint.Rule = {
  create(context) {
    const path = context.filename.replaceAll("\\", "/");
    const isModel = isOfModel(path);
    if (!isModel && !isOfPage(path)) return {};
    const judge = (node: Deno.lint.Node, texts: readonly string[]) => {
      const place = isModel ? isThrown(node) ? "unread" : "elsewhere" : placeOf(node);
      if (place === "unread" || !texts.some((text) => /\p{L}/u.test(text))) return;
      if (place === "elsewhere" && !isSentence(texts.join(SLOT))) return;
      // A word of the model that stands alone is a name.
      if (isModel && !/\S\s+\S/.test(texts.join(SLOT))) return;
      context.report({
        node,
        message: "Words that people read stand in `ui/model/text/en`",
        hint: "Name them there by what they say, a sentence with its slots as one function; where they are no words, " +
          "say why: `// deno-lint-ignore tiphys/words-in-one-place -- the reason`",
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

/** Whether a file shows something: a component, a page, or the frame around them. */
function isOfPage(path: string): boolean {
  return /(?:^|\/)ui\/(?:(?:components|pages)\/.+|\w+)\.tsx?$/.test(path) &&
    !/_test\.tsx?$|(?:^|\/)tests\//.test(path);
}

/** Whether a file makes what is shown of answers: all of the model but its words. */
function isOfModel(path: string): boolean {
  return /(?:^|\/)ui\/model\/(?!text\/).+\.ts$/.test(path) && !/_(?:test|bench)\.ts$/.test(path);
}

/** Errors of the language: a person is shown what others say. */
const BUILT_IN = new Set(["Error", "RangeError", "SyntaxError", "TypeError"]);

/** Whether a text is the message of an error of the language. */
function isThrown(node: Deno.lint.Node): boolean {
  const { parent } = node as { parent: Deno.lint.Node };
  return parent.type === "NewExpression" && parent.callee.type === "Identifier" && BUILT_IN.has(parent.callee.name);
}

/** What stands for a slot of a template. */
const SLOT = "\u{FFFC}";

/** A capital first, and another word behind it, or a slot. */
const BEGINNING = /^\p{Lu}[\p{L}'’]+,? (?:\p{Ll}{2}|\u{FFFC})/u;
/** The end of a sentence, or of what goes on. */
const END = / .*\p{L}[.!?]$|\p{L}…$/su;
/** A word that stands between others. */
const BETWEEN = /(?:^|\s)(?:the|of|is|are|was|were|not|more|or|by|with|from|this|that|nothing|nobody)(?=$|[\s,.:;])/u;

/** Whether a text has the shape of a sentence, or of a part of one. What begins with a bracket is a selector, or a query. */
function isSentence(text: string): boolean {
  return !/^[([{]/.test(text) && [BEGINNING, END, BETWEEN].some((shape) => shape.test(text));
}

/** Attributes, and properties of components, whose values are read or heard. */
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

/** Attributes whose values nobody reads. */
const UNREAD = new Set(["class", "d", "href", "id", "key", "points", "src", "style", "transform", "viewBox"]);

/** Elements in which commands, code and keys stand. */
const CODE = new Set(["code", "kbd", "pre"]);

/** Whether a text is read where it stands, is not, or may be. */
type Place = "read" | "unread" | "elsewhere";

function placeOf(node: Deno.lint.Node): Place {
  const { parent } = node as { parent: Deno.lint.Node };
  switch (parent.type) {
    case "JSXElement":
    case "JSXFragment":
      return isInCode(parent) ? "unread" : "read";
    case "JSXExpressionContainer":
      return placeOf(parent);
    case "JSXAttribute":
      return placeOfAttribute(nameOf(parent.name));
    case "Property":
      return node === parent.value && READ.has(nameOf(parent.key)) ? "read" : "elsewhere";
    case "ConditionalExpression":
      return node === parent.test ? "elsewhere" : placeOf(parent);
    case "LogicalExpression":
    case "TemplateLiteral":
      return placeOf(parent);
    case "BinaryExpression":
      return parent.operator === "+" ? placeOf(parent) : "elsewhere";
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

function placeOfAttribute(name: string): Place {
  if (READ.has(name)) return "read";
  return UNREAD.has(name) ? "unread" : "elsewhere";
}

/** The name of an attribute, or of a property that is called by a name. */
function nameOf(name: Deno.lint.Node): string {
  if (name.type === "JSXIdentifier" || name.type === "Identifier") return name.name;
  return name.type === "Literal" ? String(name.value) : "";
}

function isInCode(element: Deno.lint.Node): boolean {
  for (let at: Deno.lint.Node | undefined = element; at; at = (at as { parent?: Deno.lint.Node }).parent) {
    if (at.type !== "JSXElement") continue;
    const { name } = at.openingElement;
    if (name.type === "JSXIdentifier" && CODE.has(name.name)) return true;
  }
  return false;
}
