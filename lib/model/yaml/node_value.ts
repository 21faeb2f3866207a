/**
 * Creates the value of a syntax tree in time linear in the length of the text: the value of an anchor is created once
 * and looked up by name.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from "yaml";
import { nestingMessage } from "@tiphys/base/nesting";
import type { Json } from "../api/schema.ts";
import { LIMITS } from "@tiphys/base/limits";

/** The error of a node that has no value, with its offset. */
export class NodeError extends Error {
  override name = "NodeError";

  constructor(readonly offset: number, message: string) {
    super(message);
  }
}

/** A node with an anchor; without a value while it is being created. */
interface Anchor {
  readonly node: Node;
  made?: { readonly value: Json; readonly size: number };
}

/** The nodes that aliases refer to. */
const aliasTargets = new WeakMap<Node, Node>();

/** Returns the node that an alias refers to, after the value of its document was created; any other node unchanged. */
export function aliasTarget(node: unknown): unknown {
  return isAlias(node) ? aliasTargets.get(node) : node;
}

/**
 * Returns the value of a node whose keys are checked. Aliases share the value of their anchor.
 * @throws {NodeError} for an alias without an anchor or inside its own anchor, and above the limit of repetition.
 */
export function nodeValue(root: unknown, textLength: number): Json {
  return new NodeValues(LIMITS.yaml.repeated + 10 * textLength).of(root);
}

/** The cost of a value in addition to its characters, in characters. */
const VALUE_SIZE = 8;

class NodeValues {
  readonly #anchors = new Map<string, Anchor>();
  readonly #mayRepeat: number;
  /** The cost of all created values, with the repetition by aliases; and that of the repetition alone. */
  #size = 0;
  #repeated = 0;

  constructor(mayRepeat: number) {
    this.#mayRepeat = mayRepeat;
  }

  of(node: unknown): Json {
    if (isAlias(node)) return this.#ofAlias(node);
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    if (anchor === undefined) return this.#made(node);
    const anchored: Anchor = { node: node as Node };
    this.#anchors.set(anchor, anchored);
    const before = this.#size;
    const value = this.#made(node);
    anchored.made = { value, size: this.#size - before };
    return value;
  }

  #ofAlias(alias: Node & { readonly source: string }): Json {
    const offset = alias.range?.[0] ?? 0;
    const anchored = this.#anchors.get(alias.source);
    if (!anchored) {
      const message = `Unresolved alias (the anchor must be set before the alias): ${alias.source}`;
      throw new NodeError(offset, message);
    }
    aliasTargets.set(alias, anchored.node);
    const { made } = anchored;
    if (!made) {
      throw new NodeError(offset, `*${alias.source} is inside its own anchor: ${nestingMessage(LIMITS.depth)}`);
    }
    this.#size += made.size;
    this.#repeated += made.size;
    if (this.#repeated > this.#mayRepeat) {
      throw new NodeError(offset, `aliases repeat more than ${this.#mayRepeat} characters`);
    }
    return made.value;
  }

  #made(node: unknown): Json {
    this.#size += VALUE_SIZE;
    if (isMap<Node | null, Node | null>(node)) return this.#ofMap(node);
    if (isSeq(node)) return node.items.map((item) => this.of(item));
    if (!isScalar(node)) return null;
    if (typeof node.value === "string") this.#size += node.value.length;
    return node.value as Json;
  }

  #ofMap(map: YAMLMap<Node | null, Node | null>): Json {
    const value: Record<string, Json> = {};
    for (const { key, value: own } of map.items) {
      if (isMergeKey(key)) this.#merge(value, own);
      else setField(value, this.#keyText(key), this.of(own));
    }
    return value;
  }

  #keyText(key: Node | null): string {
    const value = this.of(key);
    if (typeof value !== "object") return String(value);
    const found = value === null ? "null" : Array.isArray(value) ? "a list" : "an object";
    throw new NodeError(key?.range?.[0] ?? 0, badKeyMessage(found));
  }

  /** Existing fields win; among several sources, the first with a field wins. */
  #merge(into: Record<string, Json>, source: Node | null): void {
    const value = this.of(source);
    for (const fields of Array.isArray(value) ? value : [value]) {
      if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
        throw new NodeError(source?.range?.[0] ?? 0, "Merge sources must be maps or map aliases");
      }
      for (const [name, field] of Object.entries(fields)) {
        if (!Object.hasOwn(into, name)) setField(into, name, field as Json);
      }
    }
  }
}

/** Returns the error message for a key that JSON does not support. */
export function badKeyMessage(key: string): string {
  return `Expected a key to be a text, a number or a boolean, got ${key}`;
}

/** Whether a key is an unquoted `<<`. */
export function isMergeKey(key: unknown): key is Scalar {
  return isScalar(key) && typeof key.value === "symbol";
}

function setField(fields: Record<string, Json>, name: string, value: Json): void {
  if (name !== "__proto__") fields[name] = value;
  else Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
}
