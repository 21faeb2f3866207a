/**
 * Parses the Markdown of annotations into elements: a subset without HTML, with links to http and https only. Takes
 * time in proportion to the text, for any input.
 */

/** An inline element. */
export type Span =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "em" | "del"; readonly inside: readonly Span[] }
  | { readonly kind: "link"; readonly href: string; readonly inside: readonly Span[] };

/** A block element. */
export type Block =
  | { readonly kind: "paragraph" | "heading" | "quote"; readonly spans: readonly Span[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Span[])[] }
  | { readonly kind: "code"; readonly text: string };

/** The maximum number of characters that are read by default; longer texts are cut, with an ellipsis. */
const MAX_LENGTH = 10_000;
/** The longest address, in characters. */
const MAX_ADDRESS_LENGTH = 2000;
/** The deepest nesting of marks; deeper ones are plain text. */
const MAX_DEPTH = 12;

const KINDS = { "**": "strong", "__": "strong", "*": "em", "_": "em", "~~": "del" } as const;
type Mark = keyof typeof KINDS | "[";

/** Parses a text of several lines, of which at most `longest` characters are read. */
export function markdownBlocks(whole: string, longest = MAX_LENGTH): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", spans: markdownSpans(paragraph.join(" ")) });
    paragraph = [];
  };
  let fenced: string[] | undefined;
  for (const line of truncate(whole, longest).split("\n")) {
    const text = line.trim();
    if (text.startsWith("```")) {
      if (fenced) blocks.push({ kind: "code", text: fenced.join("\n") });
      else endParagraph();
      fenced = fenced ? undefined : [];
      continue;
    }
    if (fenced) {
      fenced.push(line);
      continue;
    }
    const begin = /^(?:(#{1,6}) |(>) ?|([-*+]) |(\d{1,9})[.)] )/.exec(text);
    if (text === "") endParagraph();
    else if (!begin) paragraph.push(text);
    else {
      endParagraph();
      const spans = markdownSpans(text.slice(begin[0].length).trim());
      if (begin[1]) blocks.push({ kind: "heading", spans });
      else if (begin[2]) blocks.push({ kind: "quote", spans });
      else addItem(blocks, begin[4] !== undefined, spans);
    }
  }
  endParagraph();
  if (fenced) blocks.push({ kind: "code", text: fenced.join("\n") });
  return blocks;
}

function addItem(blocks: Block[], isOrdered: boolean, spans: readonly Span[]): void {
  const last = blocks.at(-1);
  if (last?.kind === "list" && last.isOrdered === isOrdered) (last.items as (readonly Span[])[]).push(spans);
  else blocks.push({ kind: "list", isOrdered, items: [spans] });
}

/** Parses one line. Block syntax has no meaning. */
export function markdownSpans(whole: string): Span[] {
  return new LineReader(truncate(whole)).read();
}

/** Returns the text of a line without its formatting. */
export function plainText(spans: readonly Span[]): string {
  return spans.map((span) => "text" in span ? span.text : plainText(span.inside)).join("");
}

function truncate(text: string, longest = MAX_LENGTH): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** A mark that is not closed yet, such as `**`, and the elements after it. */
interface Open {
  readonly mark: Mark | "";
  readonly inside: Span[];
}

class LineReader {
  readonly #text: string;
  readonly #open: Open[] = [{ mark: "", inside: [] }];
  #at = 0;
  /** Start of the plain characters before `#at` that belong to no element yet. */
  #plainFrom = 0;
  /** No backquote exists from this offset on. Caching this keeps the search linear. */
  #noQuoteFrom = Infinity;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Span[] {
    while (this.#at < this.#text.length) {
      if (!this.#readSpecial()) this.#at++;
    }
    this.#flush();
    while (this.#open.length > 1) this.#turnIntoText();
    return this.#open[0]!.inside;
  }

  /** Reads a special character; returns false for a plain one. */
  #readSpecial(): boolean {
    switch (this.#text[this.#at]) {
      case "\\":
        return this.#readEscape();
      case "`":
        return this.#readCode();
      case "[":
        return this.#openMark("[");
      case "]":
        return this.#closeLink();
      case "*":
      case "_":
      case "~":
        return this.#readEmphasis();
      case "h":
        return this.#readAddress();
    }
    return false;
  }

  #readEscape(): boolean {
    const next = this.#text[this.#at + 1];
    if (next === undefined || !/[\\`*_~[\]()#>.!+-]/.test(next)) return false;
    this.#flush();
    this.#plainFrom = this.#at + 1;
    this.#at += 2;
    return true;
  }

  #readCode(): boolean {
    if (this.#at >= this.#noQuoteFrom) return false;
    const end = this.#text.indexOf("`", this.#at + 1);
    if (end < 0) {
      this.#noQuoteFrom = this.#at;
      return false;
    }
    if (end === this.#at + 1) return false;
    this.#add({ kind: "code", text: this.#text.slice(this.#at + 1, end) }, end + 1);
    return true;
  }

  #readEmphasis(): boolean {
    const two = this.#text.slice(this.#at, this.#at + 2);
    const mark = two in KINDS ? two as Mark : two[0]! in KINDS ? two[0] as Mark : undefined;
    if (mark === undefined) return false;
    const before = this.#text[this.#at - 1] ?? " ";
    const after = this.#text[this.#at + mark.length] ?? " ";
    const isInWord = mark.startsWith("_") && /\w/.test(before) && /\w/.test(after);
    if (!isInWord && /\S/.test(before) && this.#closeMark(mark)) return true;
    return !isInWord && /\S/.test(after) && !this.#isOpen(mark) && this.#openMark(mark);
  }

  #isOpen(mark: Mark): boolean {
    return this.#open.some((open) => open.mark === mark);
  }

  #openMark(mark: Mark): boolean {
    if (this.#open.length > MAX_DEPTH) return false;
    this.#flush();
    this.#open.push({ mark, inside: [] });
    this.#skip(mark.length);
    return true;
  }

  #closeMark(mark: Mark): boolean {
    if (mark === "[" || !this.#isOpen(mark)) return false;
    this.#flush();
    while (this.#open.at(-1)!.mark !== mark) this.#turnIntoText();
    const { inside } = this.#open.pop()!;
    this.#add(
      inside.length > 0 ? { kind: KINDS[mark], inside } : { kind: "text", text: mark + mark },
      this.#at + mark.length,
    );
    return true;
  }

  #closeLink(): boolean {
    if (this.#text[this.#at + 1] !== "(" || !this.#isOpen("[")) return false;
    const end = this.#text.slice(this.#at, this.#at + MAX_ADDRESS_LENGTH).indexOf(")");
    const href = end < 0 ? undefined : addressOf(this.#text.slice(this.#at + 2, this.#at + end));
    if (href === undefined) return false;
    const after = this.#at + end + 1;
    this.#flush();
    while (this.#open.at(-1)!.mark !== "[") this.#turnIntoText();
    const { inside } = this.#open.pop()!;
    this.#add({
      kind: "link",
      href,
      inside: inside.length > 0 ? inside.flatMap(withoutLinks) : [{ kind: "text", text: href }],
    }, after);
    return true;
  }

  /** Reads a bare address. */
  #readAddress(): boolean {
    if (/\w/.test(this.#text[this.#at - 1] ?? " ")) return false;
    const [address] = /^https?:\/\/[^\s<>"'`\])*]+/.exec(this.#text.slice(this.#at, this.#at + MAX_ADDRESS_LENGTH)) ??
      [];
    const shown = address && withoutPunctuation(address);
    const href = shown && addressOf(shown);
    if (!href) return false;
    this.#add({ kind: "link", href, inside: [{ kind: "text", text: shown }] }, this.#at + shown.length);
    return true;
  }

  #add(span: Span, next: number): void {
    this.#flush();
    this.#open.at(-1)!.inside.push(span);
    this.#at = next;
    this.#plainFrom = next;
  }

  #skip(count: number): void {
    this.#at += count;
    this.#plainFrom = this.#at;
  }

  #flush(): void {
    if (this.#plainFrom < this.#at) pushText(this.#open.at(-1)!.inside, this.#text.slice(this.#plainFrom, this.#at));
    this.#plainFrom = this.#at;
  }

  /** Turns a mark that is never closed into text. */
  #turnIntoText(): void {
    const { mark, inside } = this.#open.pop()!;
    const around = this.#open.at(-1)!.inside;
    pushText(around, mark);
    for (const span of inside) span.kind === "text" ? pushText(around, span.text) : around.push(span);
  }
}

function pushText(spans: Span[], text: string): void {
  const last = spans.at(-1);
  if (last?.kind === "text") spans[spans.length - 1] = { kind: "text", text: last.text + text };
  else spans.push({ kind: "text", text });
}

/** Links must not be nested. */
function withoutLinks(span: Span): readonly Span[] {
  if ("text" in span) return [span];
  const inside = span.inside.flatMap(withoutLinks);
  return span.kind === "link" ? inside : [{ ...span, inside }];
}

/** Removes punctuation at the end of an address. */
function withoutPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && ".,;:!?_~".includes(address[end - 1]!)) end--;
  return address.slice(0, end);
}

/** Returns the address of a link, or undefined for a scheme that is not allowed. */
function addressOf(text: string): string | undefined {
  const address = text.trim();
  if (!/^https?:\/\//i.test(address) || /\s/.test(address)) return undefined;
  return URL.parse(address)?.href;
}
