/** The items of loops: the value of `{{item}}`, and its text in the name of a loop's child. */
import { type Json, marshalTree } from "./json_tree.ts";
import { parseFloat64 } from "@tiphys/base/go/number";
import { compareText } from "@tiphys/base/go/text";
import { compactJson, joinEntries, jsonElements, jsonEntries, unescapeHtml } from "./json_text.ts";

/** The kind of an item. Null counts as a list, and a number too large for a float as a string. */
export type ItemKind = "String" | "Number" | "Bool" | "List" | "Map";

/** Kinds by the first character of the JSON text. All other items are numbers. */
const KINDS: { readonly [first: string]: ItemKind } = {
  '"': "String",
  t: "Bool",
  f: "Bool",
  n: "List",
  "[": "List",
  "{": "Map",
};

/** One item, stored as its original JSON text. */
export class Item {
  private constructor(
    /** Compact JSON. `<`, `>` and `&` are escaped; everything else is unchanged. */
    readonly json: string,
  ) {}

  /**
   * Parses an item.
   * @throws {TemplateError} when the text is not valid JSON.
   */
  static parse(json: string): Item {
    return new Item(compactJson(json));
  }

  /** Makes an item of a parsed value. Its numbers are printed as JSON prints them. */
  static of(value: unknown): Item {
    return new Item(marshalTree(value as Json));
  }

  get kind(): ItemKind {
    return KINDS[this.json.charAt(0)] ?? (parseFloat64(this.json).ok ? "Number" : "String");
  }

  /** The item's text in a name or in `item.key`: strings without quotes but with their escapes. */
  get text(): string {
    return unescapeHtml(this.json.startsWith('"') ? this.json.slice(1, -1) : this.json);
  }

  /** The value of a string item, with lone surrogates replaced by U+FFFD. Empty for a number too large for a float. */
  get stringValue(): string {
    return this.json.startsWith('"') ? String(JSON.parse(this.json)).toWellFormed() : "";
  }

  /** The item's text in a child's name: map entries sorted by text, lists as Go prints them. */
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
   * Returns the names and values that the item adds to the scope of the loop's body: `item`, and `item.key` for each
   * key of a map.
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

  /** Parses a JSON list of items; `null` is an empty list. Undefined when the JSON has another type. */
  static parseList(json: string): Item[] | undefined {
    const list = Item.parse(json);
    return list.kind === "List" ? list.elements() : undefined;
  }
}
