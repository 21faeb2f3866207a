/** Parsing of YAML and JSON: from text to plain values that know where each of their fields stands. */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
  YAMLParseError,
} from "yaml";
// Not by the leaf's mod.ts: the executor reads YAML too, and has no use for the schemas.
import { parsePath, type PathSegments } from "../api/field_path.ts";
import { nestingError, tooDeep } from "../api/nesting.ts";
import type { Json } from "../api/schema.ts";
import { LIMITS } from "../limits.ts";
import { indentQuotedLines } from "./quoted_lines.ts";
import { kubernetesScalars } from "./scalars.ts";
import { sourceOffset } from "./source_offset.ts";

/** A place in a text, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something that is no YAML, and where. */
export interface YamlError extends Position {
  readonly message: string;
}

/** One document of a text. */
export interface YamlDocument {
  /** The value of the document; null when `errors` has something. */
  readonly value: Json;
  readonly errors: readonly YamlError[];
  /** Its syntax tree, for {@link positionOf}. */
  readonly syntax: Document.Parsed<ParsedNode>;
  readonly lines: LineCounter;
  /** The text it was read from. */
  readonly text: string;
}

/** Ways to read a text. */
export interface ParseOptions {
  /** Whether a key may stand in a map twice, the last one counting: `kubectl` reads manifests so. Else it is an error. */
  readonly repeatsKeys?: boolean;
}

/**
 * Reads every document of a YAML or JSON text; documents without content are left out. Never throws: what is nested too deeply
 * is an error with its place, too, and nothing of the text is read from there on.
 */
export function parseYaml(text: string, { repeatsKeys = false }: ParseOptions = {}): YamlDocument[] {
  let read = readAll(text, repeatsKeys);
  if (read.documents.some(hasCutQuote)) read = readAll(indentQuotedLines(text), repeatsKeys);
  return read.documents.map((syntax) => readDocument(syntax, read)).filter((document) =>
    document.value !== null || document.errors.length > 0
  );
}

/**
 * The position of the field at a path: that of its key, or of its element. Where the field is not there, it is that of
 * the nearest thing around it. With an offset, it is the position of that character of the field's text.
 */
export function positionOf(document: YamlDocument, path: string | PathSegments, textOffset?: number): Position {
  const segments = typeof path === "string" ? parsePath(path) : path;
  const root = document.syntax.contents;
  let offset = root?.range?.[0] ?? 0;
  let node: unknown = root;
  for (const segment of segments) {
    const found = child(resolveAlias(node, document.syntax), segment, document.syntax);
    if (found === undefined) break;
    offset = found.offset;
    node = found.value;
  }
  const inside = textOffset === undefined ? undefined : offsetInScalar(document, node, textOffset);
  return place(document.lines, inside ?? offset);
}

function offsetInScalar({ syntax, text }: YamlDocument, node: unknown, offset: number): number | undefined {
  const scalar = resolveAlias(node, syntax);
  if (!isScalar(scalar) || !scalar.range || typeof scalar.value !== "string") return undefined;
  const source = text.slice(scalar.range[0], scalar.range[1]);
  return scalar.range[0] + sourceOffset(source, scalar.value, offset);
}

function readAll(text: string, repeatsKeys: boolean) {
  const lines = new LineCounter();
  const options = { ...kubernetesScalars, prettyErrors: false, uniqueKeys: !repeatsKeys };
  const bounded = new BoundedTokens(text, lines);
  const documents = [...new Composer<ParsedNode>(options).compose(bounded.tokens())];
  if (bounded.tooDeepAt !== undefined) documents.push(emptyDocument(bounded.tooDeepAt, options));
  return { documents, lines, text };
}

/**
 * The tokens of a text, each a whole document: read without recursion, up to a document that is nested too deeply. What walks
 * the tokens does so by recursion.
 */
class BoundedTokens {
  /** Where the text is nested too deeply. */
  tooDeepAt: number | undefined;

  constructor(private readonly text: string, private readonly lines: LineCounter) {}

  *tokens(): Generator<CST.Token, void> {
    this.lines.addNewLine(0);
    const parser = new Parser(this.lines.addNewLine);
    for (const lexeme of new Lexer().lex(this.text)) {
      yield* parser.next(lexeme);
      const deepest = collectionBelow(parser.stack, LIMITS.depth);
      if (!deepest) continue;
      this.tooDeepAt = deepest.offset;
      return;
    }
    yield* parser.end();
  }
}

/** The open collection that lies below so many others; undefined where none does. */
function collectionBelow(open: readonly CST.Token[], levels: number): CST.Token | undefined {
  if (open.length <= levels) return undefined;
  return open.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection")[levels];
}

/** A document in place of one that is nested too deeply, with the error that says so. */
function emptyDocument(
  offset: number,
  options: ConstructorParameters<typeof Composer>[0],
): Document.Parsed<ParsedNode> {
  const token: CST.Document = { type: "document", offset, start: [] };
  const [document] = new Composer<ParsedNode>(options).compose([token]);
  document!.errors.push(new YAMLParseError([offset, offset + 1], "RESOURCE_EXHAUSTION", tooDeep(LIMITS.depth)));
  return document!;
}

function hasCutQuote(syntax: Document.Parsed): boolean {
  return syntax.errors.some((error) => error.code === "MISSING_CHAR");
}

function readDocument(
  syntax: Document.Parsed<ParsedNode>,
  { lines, text }: { readonly lines: LineCounter; readonly text: string },
): YamlDocument {
  const errors = syntax.errors.map((error) => ({ ...place(lines, error.pos[0]), message: firstLine(error.message) }));
  if (errors.length === 0) errors.push(...badKeys(syntax.contents, lines));
  if (errors.length > 0) return { value: null, errors, syntax, lines, text };
  try {
    const document = { value: syntax.toJS() as Json, errors, syntax, lines, text };
    // Aliases, and pairs without braces, lie deeper than the text shows.
    const nesting = nestingError(document.value);
    if (!nesting) return document;
    const { path, message } = nesting;
    return { ...document, value: null, errors: [{ ...positionOf(document, path), message: `${path}: ${message}` }] };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error; // too many aliases, or one that leads nowhere
    const start = syntax.contents?.range?.[0] ?? 0;
    return { value: null, errors: [{ ...place(lines, start), message: error.message }], syntax, lines, text };
  }
}

/** Keys that no JSON can have, and Kubernetes refuses: what `name: {{tag}}` without quotes makes, most often. */
function badKeys(root: ParsedNode | null, lines: LineCounter): YamlError[] {
  const errors: YamlError[] = [];
  const left: unknown[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (isSeq(node)) left.push(...node.items);
    if (!isMap<Node | null, Node | null>(node)) continue;
    for (const { key, value } of node.items) {
      left.push(value);
      const isCollection = isMap(key) || isSeq(key);
      if (!isCollection && !(isScalar(key) && key.value === null)) continue;
      const hint = isMap(key) && key.flow ? `: a text that begins with "{{" needs quotes` : "";
      const found = isCollection ? isMap(key) ? "an object" : "a list" : "null";
      errors.push({
        ...place(lines, key.range?.[0] ?? 0),
        message: `Expected a key to be a text, a number or a boolean, got ${found}${hint}`,
      });
    }
  }
  return errors;
}

function child(
  node: unknown,
  segment: string | number,
  syntax: Document.Parsed<ParsedNode>,
): { value: unknown; offset: number } | undefined {
  if (isSeq(node) && typeof segment === "number") {
    const item = node.items[segment] as Node | undefined;
    return item?.range ? { value: item, offset: item.range[0] } : undefined;
  }
  if (!isMap(node)) return undefined;
  const own = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
  if (own !== undefined && isScalar(own.key)) return { value: own.value, offset: own.key.range?.[0] ?? 0 };
  const merged = node.items.filter(({ key }) => isScalar(key) && key.source === "<<").map(({ value }) => value);
  for (const source of merged) {
    const target = resolveAlias(source, syntax);
    for (const map of isSeq(target) ? target.items : [target]) {
      const found = child(resolveAlias(map, syntax), segment, syntax);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function resolveAlias(node: unknown, syntax: Document.Parsed<ParsedNode>): unknown {
  return isAlias(node) ? node.resolve(syntax) : node;
}

function place(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function firstLine(message: string): string {
  const [line = ""] = message.split("\n", 1);
  return line;
}
