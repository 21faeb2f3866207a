/** What is said of a text that is no YAML: the words of the parser, and behind them what most often is the cause. */
import { type Document, isMap, isPair, isScalar, isSeq, type LineCounter, type ParsedNode, type YAMLError } from "yaml";

/** The first line of an error's message, with its cause where that can be told. */
export function syntaxMessage(error: YAMLError, syntax: Document.Parsed<ParsedNode>, text: string, lines: LineCounter) {
  const [first = ""] = error.message.split("\n", 1);
  const message = first.length > LONGEST ? `${first.slice(0, LONGEST)}…` : first;
  const start = error.pos[0];
  switch (error.code) {
    case "TAB_AS_INDENT":
      return `${message}: use spaces`;
    case "DUPLICATE_KEY":
      return `${message}: ${/^[^\s:]{1,60}/.exec(text.slice(start, start + 60))?.[0] ?? ""} stands twice`;
    case "BLOCK_AS_IMPLICIT_KEY":
      return `${message}: a text with ": " in it needs quotes`;
    case "UNEXPECTED_TOKEN":
    case "MISSING_CHAR": {
      const line = longQuoteBefore(syntax.contents, start, lines);
      return line === undefined ? message : `${message}: is a quote missing on line ${line}, where this text begins?`;
    }
    default:
      return message;
  }
}

const LONGEST = 200;

/** The line on which the text in quotes begins that ends right before a place, lines below: a quote that was forgotten. */
function longQuoteBefore(root: ParsedNode | null, offset: number, lines: LineCounter): number | undefined {
  const left: unknown[] = [root];
  let found: { readonly line: number; readonly end: number } | undefined;
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (isPair(node)) left.push(node.key ?? null, node.value ?? null);
    else if (isMap(node) || isSeq(node)) { for (const item of node.items) left.push(item); }
    else if (isScalar(node) && node.range && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE")) {
      const [start, end] = node.range;
      const { line } = lines.linePos(start);
      if (end <= offset && lines.linePos(end).line > line && end > (found?.end ?? -1)) found = { line, end };
    }
  }
  return found?.line;
}
