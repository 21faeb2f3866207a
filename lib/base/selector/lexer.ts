/** Splits a label selector into tokens. */

/** A token: a mark, a word, or the end. `in` and `notin` are words that may also be operators. */
export interface SelectorToken {
  readonly kind: "mark" | "word" | "end";
  readonly text: string;
}

// Kubernetes ends the text at a NUL, but skips one directly after a mark or a word.
const TOKEN = /[ \t\r\n]*(?:(!=|==|[!=(),><])\0?|([^!=(),>< \t\r\n\0]+)\0?|\0|$)/y;

/** Returns the tokens of a selector; the last one is the end. */
export function tokenizeSelector(text: string): SelectorToken[] {
  const tokens: SelectorToken[] = [];
  TOKEN.lastIndex = 0;
  while (true) {
    const [, mark, word] = TOKEN.exec(text)!;
    if (mark !== undefined) tokens.push({ kind: "mark", text: mark });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else return [...tokens, { kind: "end", text: "" }];
  }
}

/** Reports whether a token is one of these marks. */
export function isMark(token: SelectorToken, ...marks: readonly string[]): boolean {
  return token.kind === "mark" && marks.includes(token.text);
}
