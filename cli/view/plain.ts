/**
 * Text that others wrote, made harmless for a terminal: what would move the cursor, set the title, or turn the order of
 * letters around is shown instead of done. A workflow's words about itself are data here, too.
 */

/** Controls but for tab and line feed; those of 8 bits; marks that change the direction of what follows. */
// deno-lint-ignore no-control-regex -- they are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The same controls, and before them colours and ends of lines, which may pass. */
const BUT_COLOURS = new RegExp(`(\\x1b\\[[0-9;]{0,32}m|\\r\\n)|${CONTROL.source}`, "g");

/** The text with every control shown: of what stands in objects, in errors, in answers of servers. */
export function plain(text: string): string {
  return text.replace(CONTROL, shown);
}

/** The text with every control shown, in one line. */
export function plainLine(text: string): string {
  return plain(text).replaceAll("\n", " ");
}

/** The text as a terminal may have it: colours pass. */
export function forTerminal(text: string): string {
  return text.replace(BUT_COLOURS, (control: string, passes: string | undefined) => passes ?? shown(control));
}

/** A control as terminals echo it, `^[`; where there is no such sign, by its number. */
function shown(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  return code === 0x7f ? "^?" : `\\u${code.toString(16).padStart(4, "0")}`;
}
