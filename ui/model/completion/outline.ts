/**
 * The outline of a manifest while it is typed: its keys and their nesting, also if the text is not valid YAML yet.
 * Pure.
 */

/** A key of a manifest. */
export interface OutlineKey {
  /** Counted from 0, like columns. */
  readonly line: number;
  readonly column: number;
  readonly name: string;
  /** The text after the colon, without quotes; may be empty. */
  readonly value: string;
  /** The nesting of the key, outermost first; the last step is the key itself. */
  readonly path: readonly Step[];
}

/** A step of a path: a key, or an item of a list (`[]`). Two items of one list are two steps. */
export interface Step {
  readonly name: string;
  readonly column: number;
  /** Whether a block text starts here (`|`, `>`), which contains no keys. */
  readonly isText: boolean;
}

/** The name of a step that is a list item. */
export const ITEM = "[]";

/** The outline of a text. */
export interface Outline {
  readonly keys: readonly OutlineKey[];
  /** The nesting at the caret; `column` is the start of the word at the caret. */
  readonly caretPath: readonly Step[];
}

const KEY = /^(?:"[^"]*"|'[^']*'|[\w.\-/$]+):(?=\s|$)/;

/** Reads the outline of the document that contains the caret. */
export function outlineOf(
  lines: readonly string[],
  caret: { readonly line: number; readonly column: number },
): Outline {
  let keys: OutlineKey[] = [];
  let stack: Step[] = [];
  let caretPath: readonly Step[] = [];
  for (const [line, text] of lines.entries()) {
    if (/^---(\s|$)/.test(text)) {
      if (line > caret.line) break;
      keys = [];
      stack = [];
      continue;
    }
    const indent = text.length - text.trimStart().length;
    const isBlank = indent === text.length;
    const isCaret = line === caret.line;
    const block = stack.findIndex(({ isText }) => isText);
    // A block text lasts as long as lines are indented further than its key.
    if (block >= 0 && (isBlank && !isCaret || indent > stack[block]!.column)) {
      if (isCaret) caretPath = stack.slice(0, block + 1);
      continue;
    }
    if (!isCaret && (isBlank || text[indent] === "#")) continue;
    let itemColumn = isBlank ? caret.column : indent;
    while (/^-(\s|$)/.test(text.slice(itemColumn))) {
      stack = stack.filter(({ column, name }) => column < itemColumn || column === itemColumn && name !== ITEM);
      stack.push({ name: ITEM, column: itemColumn, isText: false });
      itemColumn += 1;
      while (text[itemColumn] === " ") itemColumn += 1;
    }
    stack = stack.filter(({ column }) => column < itemColumn);
    if (isCaret) caretPath = stack;
    const [key] = KEY.exec(text.slice(itemColumn)) ?? [];
    if (key === undefined) continue;
    const name = unquote(key.slice(0, -1));
    const rest = text.slice(itemColumn + key.length).trim();
    const step = { name, column: itemColumn, isText: /^[|>][-+\d]*(\s|$)/.test(rest) };
    stack = [...stack, step];
    if (isCaret && caret.column > itemColumn + name.length) caretPath = stack;
    keys.push({ line, column: itemColumn, name, value: unquote(rest), path: stack });
  }
  return { keys, caretPath };
}

/** Returns a value without quotes and without a trailing comment. */
function unquote(value: string): string {
  const [quote = ""] = value;
  if (quote === '"' || quote === "'") {
    const end = value.indexOf(quote, 1);
    return value.slice(1, end < 0 ? undefined : end);
  }
  const comment = value.indexOf(" #");
  return (comment < 0 ? value : value.slice(0, comment)).trim();
}
