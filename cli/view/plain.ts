/**
 * Makes untrusted text safe for a terminal: control characters that would move the cursor, set the title or reverse the
 * order of letters are shown instead of interpreted. The texts of workflows are untrusted too.
 */

/**
 * ASCII control characters except tab and line feed, 8-bit control characters, and marks that change the text
 * direction.
 */
// deno-lint-ignore no-control-regex -- the expression searches for control characters
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Matches colors and line ends in its first group, and other control characters outside of it. */
const COLOR_OR_CONTROL = new RegExp(`(\\x1b\\[[0-9;]{0,32}m|\\r\\n)|${CONTROL.source}`, "g");

/** Shows all control characters. For texts of objects, errors and responses. */
export function escapeControls(text: string): string {
  return text.replace(CONTROL, echoOf);
}

/** Shows all control characters, and joins lines with spaces. */
export function escapeToOneLine(text: string): string {
  return escapeControls(text).replaceAll("\n", " ");
}

/** Shows control characters except colors and line ends. For the program's own output. */
export function escapeForTerminal(text: string): string {
  return text.replace(COLOR_OR_CONTROL, (control: string, passes: string | undefined) => passes ?? echoOf(control));
}

/** Returns a control character as terminals echo it, such as `^[`, or its code point. */
function echoOf(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  return code === 0x7f ? "^?" : `\\u${code.toString(16).padStart(4, "0")}`;
}
