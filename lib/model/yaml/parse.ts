/** Parses YAML and JSON to plain values with the positions of all fields. */
import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  YAMLParseError,
} from "yaml";
// Not imported from `mod.ts`: the executor parses YAML too and does not need the schemas.
import { parsePath, type PathSegments } from "@tiphys/base/field_path";
import { nestingError } from "@tiphys/base/nesting";
import type { Json } from "../api/schema.ts";
import { LIMITS } from "@tiphys/base/limits";
import { BoundedTokens, type Excess } from "./bounded_tokens.ts";
import { aliasTarget, badKeyMessage, isMergeKey, NodeError, nodeValue } from "./node_value.ts";
import { indentQuotedLines } from "./quoted_lines.ts";
import { kubernetesScalars } from "./scalars.ts";
import { sourceOffset } from "./source_offset.ts";

/** A position in a text; line and column start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A syntax error and its position. */
export interface YamlError extends Position {
  readonly message: string;
}

/** One document of a text. */
export interface YamlDocument {
  /** The value of the document; null if there are `errors`. */
  readonly value: Json;
  readonly errors: readonly YamlError[];
  /** The syntax tree, for {@link positionOf}. */
  readonly syntax: Document.Parsed<ParsedNode>;
  readonly lines: LineCounter;
  /** The source text. */
  readonly text: string;
}

/** Typical milliseconds per character for parsing and validating a text. */
export const YAML_MILLIS = 2e-3;

/** Options of parsing. */
export interface ParseOptions {
  /** Whether a map may have a key twice, of which the last one wins, as in `kubectl`. Default: this is an error. */
  readonly allowsRepeatedKeys?: boolean;
}

/**
 * Parses all documents of a YAML or JSON text in linear time; empty documents are omitted. Syntax errors are in the
 * result: a text that exceeds one of `LIMITS.yaml` or `LIMITS.depth` has an error at that position, and the rest is not
 * parsed.
 */
export function parseYaml(text: string, { allowsRepeatedKeys = false }: ParseOptions = {}): YamlDocument[] {
  let read = readAll(text, allowsRepeatedKeys);
  if (read.isCut) read = readAll(indentQuotedLines(text), allowsRepeatedKeys);
  return read.documents.map((syntax) => readDocument(syntax, read)).filter((document) =>
    document.value !== null || document.errors.length > 0
  );
}

/**
 * Returns the position of the field at a path: that of its key, or of its list item. For a missing field, the position
 * of the nearest enclosing node. With `textOffset`, the position of that character of the field's text.
 */
export function positionOf(document: YamlDocument, path: string | PathSegments, textOffset?: number): Position {
  const segments = typeof path === "string" ? parsePath(path) : path;
  const root = document.syntax.contents;
  let offset = root?.range?.[0] ?? 0;
  let node: unknown = root;
  for (const segment of segments) {
    const found = child(aliasTarget(node), segment);
    if (found === undefined) break;
    offset = found.offset;
    node = found.value;
  }
  const inside = textOffset === undefined ? undefined : offsetInScalar(document, node, textOffset);
  return positionAt(document.lines, inside ?? offset);
}

function offsetInScalar({ text }: YamlDocument, node: unknown, offset: number): number | undefined {
  const scalar = aliasTarget(node);
  if (!isScalar(scalar) || !scalar.range || typeof scalar.value !== "string") return undefined;
  const source = text.slice(scalar.range[0], scalar.range[1]);
  return scalar.range[0] + sourceOffset(source, scalar.value, offset);
}

function readAll(text: string, allowsRepeatedKeys: boolean) {
  const lines = new LineCounter();
  const keys = new SeenKeys();
  const options: ComposerOptions = {
    ...kubernetesScalars,
    prettyErrors: false,
    uniqueKeys: allowsRepeatedKeys ? false : keys.isIn,
  };
  const bounded = new BoundedTokens(text, lines);
  const composer = new Composer<ParsedNode>(options);
  const isCut = limitErrors(composer, keys);
  const documents = [...composer.compose(bounded.tokens())];
  if (bounded.excess) documents.push(emptyDocument(bounded.excess, options));
  return { documents, lines, text, isCut: isCut() };
}

type ComposerOptions = NonNullable<ConstructorParameters<typeof Composer>[0]>;

/**
 * Detects duplicate keys of a map. The library compares each key with all previous keys; here, the keys of each map are
 * in a set, found by the map's first key. The comparison with the first key returns true, which ends the library's
 * search; {@link isRepeated} then has the actual result, and `limitErrors` drops the error for a new key.
 */
class SeenKeys {
  readonly #seen = new WeakMap<object, Set<unknown>>();
  isRepeated = false;

  readonly isIn = (first: unknown, key: unknown): boolean => {
    let seen = this.#seen.get(first as object);
    if (!seen) this.#seen.set(first as object, seen = new Set([isScalar(first) ? first.value : first]));
    const own = isScalar(key) ? key.value : key;
    this.isRepeated = seen.has(own);
    seen.add(own);
    return true;
  };
}

/**
 * Limits the errors that a composer collects and drops its warnings. Returns a function that reports whether an
 * unclosed quoted scalar occurred.
 */
function limitErrors(composer: Composer<ParsedNode>, keys: SeenKeys): () => boolean {
  const onError: OnError = Reflect.get(composer, "onError");
  let count = 0;
  let isCut = false;
  const limited: OnError = (source, code, message, isWarning) => {
    if (isWarning || code === "DUPLICATE_KEY" && !keys.isRepeated) return;
    isCut ||= code === "MISSING_CHAR";
    if (++count <= LIMITS.yaml.errors) onError(source, code, message);
  };
  Object.assign(composer, { onError: limited });
  return () => isCut;
}

type OnError = (source: unknown, code: string, message: string, isWarning?: boolean) => void;

/** Returns a document with the error in place of the rest of a text that exceeds a limit. */
function emptyDocument({ offset, message }: Excess, options: ComposerOptions): Document.Parsed<ParsedNode> {
  const token: CST.Document = { type: "document", offset, start: [] };
  const [document] = new Composer<ParsedNode>(options).compose([token]);
  document!.errors.push(new YAMLParseError([offset, offset + 1], "RESOURCE_EXHAUSTION", message));
  return document!;
}

function readDocument(
  syntax: Document.Parsed<ParsedNode>,
  { lines, text }: { readonly lines: LineCounter; readonly text: string },
): YamlDocument {
  const errors = syntax.errors.map((error) => ({
    ...positionAt(lines, error.pos[0]),
    message: firstLine(error.message),
  }));
  if (errors.length === 0) errors.push(...badKeys(syntax.contents, lines));
  if (errors.length > 0) return { value: null, errors, syntax, lines, text };
  try {
    const [start, , end] = syntax.range;
    const document = { value: nodeValue(syntax.contents, end - start), errors, syntax, lines, text };
    // Aliases, and pairs without braces, nest deeper than the text shows.
    const nesting = nestingError(document.value);
    if (!nesting) return document;
    const { path, message } = nesting;
    return { ...document, value: null, errors: [{ ...positionOf(document, path), message: `${path}: ${message}` }] };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return {
      value: null,
      errors: [{ ...positionAt(lines, error.offset), message: error.message }],
      syntax,
      lines,
      text,
    };
  }
}

/**
 * Returns errors for keys that JSON does not support and Kubernetes rejects, most often caused by an unquoted `name:
 * {{tag}}`.
 */
function badKeys(root: ParsedNode | null, lines: LineCounter): YamlError[] {
  const errors: YamlError[] = [];
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    if (isSeq(node)) { for (const item of node.items) left.push(item); }
    if (!isMap<Node | null, Node | null>(node)) continue;
    for (const { key, value } of node.items) {
      left.push(value);
      const isCollection = isMap(key) || isSeq(key);
      if (!isCollection && !(isScalar(key) && key.value === null)) continue;
      const hint = isMap(key) && key.flow ? `: a text that begins with "{{" needs quotes` : "";
      const found = isCollection ? isMap(key) ? "an object" : "a list" : "null";
      errors.push({ ...positionAt(lines, key.range?.[0] ?? 0), message: badKeyMessage(found) + hint });
    }
  }
  return errors.slice(0, LIMITS.yaml.errors);
}

function child(node: unknown, segment: string | number): { value: unknown; offset: number } | undefined {
  if (isSeq(node) && typeof segment === "number") {
    const item = node.items[segment] as Node | undefined;
    return item?.range ? { value: item, offset: item.range[0] } : undefined;
  }
  if (!isMap(node)) return undefined;
  const { own, merged } = fieldsOfMap(node);
  const pair = own.get(String(segment));
  if (pair) return { value: pair.value, offset: (pair.key as Node).range?.[0] ?? 0 };
  for (const source of merged) {
    const target = aliasTarget(source);
    for (const map of isSeq(target) ? target.items : [target]) {
      const found = child(aliasTarget(map), segment);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The fields of a map by name, the first of each name, and the values of its merge keys. */
interface MapFields {
  readonly own: ReadonlyMap<string, Pair>;
  readonly merged: readonly unknown[];
}

const fieldsOfMaps = new WeakMap<YAMLMap, MapFields>();

function fieldsOfMap(map: YAMLMap): MapFields {
  const known = fieldsOfMaps.get(map);
  if (known) return known;
  const own = new Map<string, Pair>();
  const merged: unknown[] = [];
  for (const pair of map.items) {
    if (isMergeKey(pair.key)) merged.push(pair.value);
    else if (isScalar(pair.key) && !own.has(String(pair.key.value))) own.set(String(pair.key.value), pair);
  }
  const fields = { own, merged };
  fieldsOfMaps.set(map, fields);
  return fields;
}

function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function firstLine(message: string): string {
  const [line = ""] = message.split("\n", 1);
  return line;
}
