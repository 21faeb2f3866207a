/** The language of manifests for the text field: syntax colors, indentation, and folding. */
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  foldService,
  indentService,
  StreamLanguage,
} from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { firstState, indentAfter, tokenAt, type TokenState } from "../../model/manifest_tokens.ts";

/**
 * YAML and JSON, one line at a time. The library's YAML parser takes five milliseconds per key stroke for a manifest of
 * 2,000 lines, out of a budget of sixteen.
 */
const MANIFEST = StreamLanguage.define<TokenState>({
  name: "manifest",
  startState: firstState,
  token(stream, state) {
    const { end, kind } = tokenAt(stream.string, stream.pos, state);
    stream.pos = end;
    return kind ?? null;
  },
  languageData: { commentTokens: { line: "#" } },
});

/** The indentation of a line: after a line break that of its first half, otherwise that of the line before. */
const INDENT = indentService.of(({ state, unit }, pos) => {
  const { number, from, text } = state.doc.lineAt(pos);
  return indentAfter(from < pos ? text.slice(0, pos - from) : lineBefore(state, number), unit);
});

function lineBefore({ doc }: EditorState, number: number): string {
  for (let index = number - 1; index > 0; index--) {
    const { text } = doc.line(index);
    if (text.trim() !== "") return text;
  }
  return "";
}

/** Returns the lines that are indented further below a line, and list items with the same indentation. */
function blockBelow({ doc }: EditorState, lineStart: number, lineEnd: number) {
  const own = doc.lineAt(lineStart).text;
  const indent = indentOf(own);
  if (indent === own.length) return null;
  const holdsItems = /:\s*$/.test(own) && own[indent] !== "-";
  let to = lineEnd;
  let offset = lineEnd;
  if (lineEnd === doc.length) return null;
  for (const line of doc.iterLines(doc.lineAt(lineStart).number + 1)) {
    offset += 1 + line.length;
    const depth = indentOf(line);
    if (depth === line.length) continue;
    if (depth < indent || depth === indent && !(holdsItems && line[depth] === "-")) break;
    to = offset;
  }
  return to > lineEnd ? { from: lineEnd, to } : null;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The language with its extensions. */
export function manifestLanguage(): Extension {
  return [MANIFEST, INDENT, bracketMatching(), foldService.of(blockBelow), foldGutter(), keymap.of(foldKeymap)];
}
