/** Completion in a manifest: suggestions at the caret, and a description of the field. Pure. */
import { ITEM, type OutlineKey, outlineOf, type Step } from "./outline.ts";
import {
  documentedTypeAt,
  resolveReference,
  type Schema,
  schemaAt,
  type SchemaFile,
  typeText,
  valuesOf,
} from "./schema.ts";
import { variablesAt } from "./variables.ts";

/** A suggestion. */
export interface Choice {
  readonly name: string;
  /** A description. */
  readonly about: string;
  readonly isRequired: boolean;
  /** The text to insert. */
  readonly text: string;
}

/** The suggestions at the caret. */
export interface Completion {
  /** The range of the text that a suggestion replaces. */
  readonly from: number;
  readonly to: number;
  readonly choices: readonly Choice[];
}

/** The description of a field. */
export interface FieldHelp {
  /** For example `spec.templates[].container.image`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The type whose documentation describes the field: `Template`. */
  readonly docs: string;
}

/** The longest text that is completed, in characters: it is scanned on every key stroke. */
export const MAX_LENGTH = 256 * 1024;
/** The maximum number of suggestions that are shown at once. */
const MAX_ITEMS = 50;

/** The fields that refer to a template of the manifest. */
const NAMES_TEMPLATE = new Set(["template", "entrypoint", "onExit"]);

/** Returns the suggestions at an offset, or undefined if nothing is known about it. */
export function completionAt(file: SchemaFile, text: string, offset: number): Completion | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { lines, line, column } = placeOf(text, offset);
  const current = lines[line]!;
  const before = current.slice(0, column);
  const { keys, caretPath } = outlineOf(lines, { line, column: column - wordBefore(before).length });
  const [, tag] = /\{\{=?\s*([\w.-]*)$/.exec(before) ?? [];
  if (tag !== undefined) {
    const isClosed = /^[\w.-]*\s*\}\}/.test(current.slice(column));
    const [word = ""] = /^[\w.-]*/.exec(current.slice(column)) ?? [];
    const close = isClosed ? "" : "}}";
    return chooseSuggestions(
      variablesAt(keys, caretPath).map((name) => ({ ...plainChoice(name, "variable"), text: name + close })),
      {
        typed: tag,
        from: offset - tag.length,
        to: offset + word.length,
      },
    );
  }
  if (caretPath.some(({ isText }) => isText) || /(^|\s)#/.test(before)) return undefined;
  const kind = keys.find(({ path, name }) => name === "kind" && path.length === 1)?.value || "Workflow";
  const value = /^(\s*(?:-\s+)*["']?[\w.\-/$]+["']?:\s+)(\S*)$/.exec(before);
  if (value) {
    const [, , typed = ""] = value;
    const own = keys.find((key) => key.line === line);
    if (!own) return undefined;
    return chooseSuggestions(choicesOfValue(file, kind, own, keys), {
      typed,
      from: offset - typed.length,
      to: Math.max(offset, offset - column + current.trimEnd().length),
    });
  }
  const [, dashes = "", typed = ""] = /^(\s*(?:-\s+)*)([\w.\-/$]*)$/.exec(before) ?? [undefined];
  if (dashes.length + typed.length !== before.length) return undefined;
  const [after = ""] = /^[\w.\-/$]*/.exec(current.slice(column)) ?? [];
  const hasColon = current[column + after.length] === ":";
  const parent = schemaAt(file, kind, namesOf(caretPath));
  if (!parent) return undefined;
  const list = itemChoices(file, parent, keys, caretPath);
  const fields = Object.entries(parent.properties ?? {});
  const there = new Set(
    keys.filter(({ path, line: keyLine }) => keyLine !== line && path.at(-2) === caretPath.at(-1)).map(({ name }) =>
      name
    ),
  );
  const indent = " ".repeat(dashes.length);
  const choices = fields.filter(([name]) => !there.has(name)).map(([name, field]) => {
    const part = resolveReference(file, field) ?? {};
    const isRequired = parent.required?.includes(name) ?? false;
    const text = hasColon ? name : name + textAfterKey(part, indent);
    return { name, about: typeText(file, part), isRequired, text };
  });
  return chooseSuggestions([...list, ...choices], { typed, from: offset - typed.length, to: offset + after.length });
}

/** Describes the field at an offset; undefined if the schema does not contain it. */
export function fieldAt(file: SchemaFile, text: string, offset: number): FieldHelp | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { lines, line, column } = placeOf(text, offset);
  const { keys } = outlineOf(lines, { line, column });
  const own = keys.find((key) => key.line === line && column >= key.column);
  if (!own) return undefined;
  const kind = keys.find(({ path, name }) => name === "kind" && path.length === 1)?.value || "Workflow";
  const path = namesOf(own.path);
  const part = schemaAt(file, kind, path);
  if (!part) return undefined;
  const isRequired = schemaAt(file, kind, path.slice(0, -1))?.required?.includes(own.name) ?? false;
  return {
    path: path.join(".").replaceAll(`.${ITEM}`, ITEM),
    type: typeText(file, part),
    isRequired,
    docs: documentedTypeAt(file, kind, path),
  };
}

/** Returns the text after an inserted key: a blank before its value, or a new line with its content. */
function textAfterKey(part: Schema, indent: string): string {
  if (part.items) {
    const { items } = part;
    return `:\n${indent}  - ${items.items ? "- " : ""}`;
  }
  return part.properties || part.type === "object" ? `:\n${indent}  ` : ": ";
}

/** Returns suggestions for items of a list of texts: the dependencies of a task. */
function itemChoices(file: SchemaFile, parent: Schema, keys: readonly OutlineKey[], path: readonly Step[]): Choice[] {
  if (path.at(-2)?.name === "dependencies" && path.at(-1)?.name === ITEM) {
    const task = path.at(-3);
    const tasks = path.at(-4);
    return keys.filter(({ name, path: own }) => name === "name" && own.at(-3) === tasks && own.at(-2) !== task)
      .map(({ value }) => plainChoice(value, "task"));
  }
  return valuesOf(parent).map((value) => plainChoice(value, typeText(file, parent)));
}

function choicesOfValue(file: SchemaFile, kind: string, own: OutlineKey, keys: readonly OutlineKey[]): Choice[] {
  const path = namesOf(own.path);
  if (path.join() === "kind") return kindsOf(file).map((name) => plainChoice(name, "kind"));
  // A name in templateRef belongs to another object.
  if (NAMES_TEMPLATE.has(own.name) && path.at(-2) !== "templateRef") {
    return templateNames(keys).map((name) => plainChoice(name, "template"));
  }
  const part = schemaAt(file, kind, path);
  return part ? valuesOf(part).map((value) => plainChoice(value, own.name)) : [];
}

function kindsOf({ definitions }: SchemaFile): string[] {
  return Object.keys(definitions).filter((name) => definitions[name]?.properties?.kind?.const === name);
}

function templateNames(keys: readonly OutlineKey[]): string[] {
  return keys.filter(({ name, path, value }) =>
    name === "name" && value !== "" && path.at(-2)?.name === ITEM && path.at(-3)?.name === "templates"
  ).map(({ value }) => value);
}

function plainChoice(name: string, about: string): Choice {
  return { name, about, isRequired: false, text: name };
}

/** Returns the suggestions that start with the typed text, then those that contain it; required fields first. */
function chooseSuggestions(
  choices: readonly Choice[],
  { typed, from, to }: { readonly typed: string; readonly from: number; readonly to: number },
): Completion | undefined {
  const wanted = typed.toLowerCase();
  const rank = ({ name, isRequired }: Choice) => {
    const index = name.toLowerCase().indexOf(wanted);
    return index < 0 ? -1 : (index === 0 ? 0 : 2) + (isRequired ? 0 : 1);
  };
  const left = choices.map((choice, index) => ({ choice, index, rank: rank(choice) }))
    .filter((candidate) => candidate.rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, MAX_ITEMS)
    .map(({ choice }) => choice);
  // Nothing is suggested if the word is complete.
  const isDone = left.length === 1 && left[0]!.text === typed;
  return left.length === 0 || isDone ? undefined : { from, to, choices: left };
}

function namesOf(path: readonly Step[]): string[] {
  return path.map(({ name }) => name);
}

function wordBefore(before: string): string {
  let from = before.length;
  while (from > 0 && /[\w.\-/$]/.test(before[from - 1]!)) from--;
  return before.slice(from);
}

function placeOf(text: string, offset: number) {
  const lines = text.split("\n");
  let line = 0;
  let column = offset;
  while (line < lines.length - 1 && column > lines[line]!.length) column -= lines[line++]!.length + 1;
  return { lines, line, column };
}
