/** The items of loops: what `{{item}}` gives, and what stands in the name of a loop's child. */
import { type Json, marshalTree } from "./json_tree.ts";
import { parseFloat64 } from "../go/number.ts";
import { compareText } from "../go/text.ts";
import { compactJson, joinEntries, jsonElements, jsonEntries, unescapeHtml } from "./json_text.ts";

/** The kind of an item. Null counts as a list, and a number too large for a float as a string. */
export type ItemKind = "String" | "Number" | "Bool" | "List" | "Map";

/** Kinds by how the JSON text begins; the rest are numbers. */
const KINDS: { readonly [first: string]: ItemKind } = {
  '"': "String",
  t: "Bool",
  f: "Bool",
  n: "List",
  "[": "List",
  "{": "Map",
};

/** One item, kept as the JSON text it was written as. */
export class Item {
  private constructor(
    /** Compact JSON; `<`, `>` and `&` are escaped, everything else is as written. */
    readonly json: string,
  ) {}

  /**
   * Reads an item.
   * @throws {TemplateError} when the text is no JSON.
   */
  static parse(json: string): Item {
    return new Item(compactJson(json));
  }

  /** Makes an item of a value that was read before; its numbers print as JSON. */
  static of(value: unknown): Item {
    return new Item(marshalTree(value as Json));
  }

  get kind(): ItemKind {
    return KINDS[this.json.charAt(0)] ?? (parseFloat64(this.json).ok ? "Number" : "String");
  }

  /** The item as it stands in a name or within `item.key`: strings without quotes but with their escapes. */
  get text(): string {
    return unescapeHtml(this.json.startsWith('"') ? this.json.slice(1, -1) : this.json);
  }

  /** The value of a string item, half a pair of surrogates read as U+FFFD; empty for a number too large to be one. */
  get stringValue(): string {
    return this.json.startsWith('"') ? String(JSON.parse(this.json)).toWellFormed() : "";
  }

  /** The text that stands for the item in a child's name: entries sorted by text, elements as Go prints lists. */
  get description(): string {
    switch (this.kind) {
      case "Map":
        return Array.from(this.entries(), ([key, item]) => `${key}:${item.text}`).sort(compareText).join(",");
      case "List":
        return `[${this.elements().map((item) => item.text).join(" ")}]`;
      default:
        return this.text;
    }
  }

  /**
   * The names and values that the item adds to the scope of the loop's body: `item`, and for a map `item.key` of each
   * key.
   */
  scope(): [string, string][] {
    switch (this.kind) {
      case "String":
        return [["item", this.stringValue]];
      case "Map": {
        const entries = [...this.entries()].sort(([a], [b]) => compareText(a, b));
        const whole = joinEntries(entries.map(([key, item]) => [key, item.json]));
        return [["item", whole], ...entries.map(([key, item]): [string, string] => [`item.${key}`, item.text])];
      }
      default:
        return [["item", this.kind === "List" ? this.json : this.text]];
    }
  }

  private elements(): Item[] {
    return this.json === "null" ? [] : jsonElements(this.json).map((json) => new Item(json));
  }

  private entries(): Map<string, Item> {
    return new Map(Array.from(jsonEntries(this.json), ([key, json]) => [key, new Item(json)]));
  }

  /** Reads a JSON list of items; `null` is an empty one. Undefined when the JSON is something else. */
  static parseList(json: string): Item[] | undefined {
    const list = Item.parse(json);
    return list.kind === "List" ? list.elements() : undefined;
  }
}
