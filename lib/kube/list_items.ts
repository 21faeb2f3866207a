/**
 * A list read item by item from the bytes of an answer: neither the text of a page nor all its objects are held at once,
 * of which what is kept may be a small part.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What a byte outside of strings means for the depth: 1 opens, -1 closes, 2 begins a string. */
const MEANING = new Int8Array(256);
for (const opening of "{[") MEANING[opening.charCodeAt(0)] = 1;
for (const closing of "}]") MEANING[closing.charCodeAt(0)] = -1;
MEANING[QUOTE] = 2;

/** The depth inside of the list's object, and inside of its items. */
const IN_LIST = 1;
const IN_ITEMS = 2;

/** The end of what stands before the items of a list. */
const ITEMS_BEGIN = /(?<!\\)"items"\s*:\s*\[$/;

/**
 * Hands each item to `take` as its last byte comes, in order; answers the list without them.
 * @throws {SyntaxError} when the bytes are no JSON object, or end in the middle; what was taken until then is part of a list.
 */
export async function readListItems(
  parts: AsyncIterable<Uint8Array>,
  take: (item: unknown) => void,
): Promise<unknown> {
  const reader = new ItemReader((text) => take(JSON.parse(text)));
  for await (const part of parts) reader.read(part);
  return JSON.parse(reader.around());
}

/** Takes the items out of the text of a list. */
class ItemReader {
  readonly #take: (text: string) => void;
  readonly #decoder = new TextDecoder();
  /** The bytes of what has begun in an earlier part: of an item, or of what lies around the items. */
  #begun = new Uint8Array(16 * 1024);
  #length = 0;
  #around = "";
  #depth = 0;
  #isInString = false;
  /** An odd number of backslashes stands at the end of the last part. */
  #isEscaped = false;
  #isInItems = false;

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  /** Reads the next bytes; they are not held after that. */
  read(part: Uint8Array): void {
    let from = 0;
    let at = 0;
    while (at < part.length) {
      if (this.#isInString) {
        at = this.#endOfString(part, at);
        continue;
      }
      const meaning = MEANING[part[at++]!];
      if (meaning === 0) continue;
      if (meaning === 2) this.#isInString = true;
      else {
        this.#depth += meaning!;
        from = this.#border(part, from, at, meaning === 1);
      }
    }
    this.#hold(part.subarray(from));
  }

  /** What lies around the items. */
  around(): string {
    return this.#around + this.#text(NOTHING);
  }

  /** A bracket ends just before `at`, an opening one where `isOpening`; answers where what is not taken yet begins. */
  #border(part: Uint8Array, from: number, at: number, isOpening: boolean): number {
    if (!this.#isInItems) {
      if (!isOpening || this.#depth !== IN_ITEMS) return from;
      this.#around += this.#text(part.subarray(from, at));
      this.#isInItems = ITEMS_BEGIN.test(this.#around.slice(-64));
      return at;
    }
    if (this.#depth === IN_ITEMS && !isOpening) {
      this.#take(this.#text(part.subarray(from, at)));
      return at;
    }
    // Between items stands nothing that is wanted, and the bracket that ends them belongs to what lies around them.
    const isBorder = this.#depth === IN_LIST || (isOpening && this.#depth === IN_ITEMS + 1);
    if (!isBorder) return from;
    this.#isInItems = this.#depth !== IN_LIST;
    this.#length = 0;
    return at - 1;
  }

  /** The place after the end of the string that `start` lies in, or the end of the part. */
  #endOfString(part: Uint8Array, start: number): number {
    let at = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    for (;;) {
      const end = part.indexOf(QUOTE, at);
      const stop = end < 0 ? part.length : end;
      let before = stop;
      while (before > at && part[before - 1] === BACKSLASH) before--;
      const isEscaped = (stop - before) % 2 === 1;
      if (end < 0) {
        this.#isEscaped = isEscaped;
        return stop;
      }
      if (!isEscaped) {
        this.#isInString = false;
        return end + 1;
      }
      at = end + 1;
    }
  }

  /** The text of what was held, with the bytes that follow it; nothing is held after that. */
  #text(last: Uint8Array): string {
    if (this.#length === 0) return this.#decoder.decode(last);
    this.#hold(last);
    const text = this.#decoder.decode(this.#begun.subarray(0, this.#length));
    this.#length = 0;
    return text;
  }

  #hold(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#begun.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#begun.length));
      larger.set(this.#begun.subarray(0, this.#length));
      this.#begun = larger;
    }
    this.#begun.set(bytes, this.#length);
    this.#length = length;
  }
}

const NOTHING = new Uint8Array(0);
