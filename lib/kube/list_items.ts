/**
 * Reads a list item by item from the bytes of a response, so that neither the text of a page nor all its objects are in
 * memory at once. Callers may keep only a small part of each object.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Effect of a byte outside of strings: 1 opens, -1 closes, 2 begins a string. */
const BYTE_EFFECTS = new Int8Array(256);
for (const opening of "{[") BYTE_EFFECTS[opening.charCodeAt(0)] = 1;
for (const closing of "}]") BYTE_EFFECTS[closing.charCodeAt(0)] = -1;
BYTE_EFFECTS[QUOTE] = 2;

/** The depth inside of the list's object, and inside of its items. */
const IN_LIST = 1;
const IN_ITEMS = 2;

/** Matches the end of the text before the items of a list. */
const ITEMS_BEGIN = /(?<!\\)"items"\s*:\s*\[$/;

/**
 * Passes each item to `take` when its last byte arrives, in order. Returns the list without its items.
 * @throws {SyntaxError} when the bytes are not a JSON object or are truncated. Items before the error have been passed
 * to `take`.
 */
export async function readListItems(
  parts: AsyncIterable<Uint8Array>,
  take: (item: unknown) => void,
): Promise<unknown> {
  const reader = new ItemReader((text) => take(JSON.parse(text)));
  for await (const part of parts) reader.read(part);
  return JSON.parse(reader.textAroundItems());
}

/** Extracts the items from the text of a list. */
class ItemReader {
  readonly #take: (text: string) => void;
  readonly #decoder = new TextDecoder();
  /** Bytes of an item, or of the text around the items, that began in an earlier part. */
  #begun = new Uint8Array(16 * 1024);
  #length = 0;
  #around = "";
  #depth = 0;
  #isInString = false;
  /** Whether the last part ended with an odd number of backslashes. */
  #isEscaped = false;
  #isInItems = false;

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  /** Processes the next bytes, which are not referenced afterwards. */
  read(part: Uint8Array): void {
    let from = 0;
    let offset = 0;
    while (offset < part.length) {
      if (this.#isInString) {
        offset = this.#endOfString(part, offset);
        continue;
      }
      const meaning = BYTE_EFFECTS[part[offset++]!];
      if (meaning === 0) continue;
      if (meaning === 2) this.#isInString = true;
      else {
        this.#depth += meaning!;
        from = this.#bracket(part, from, offset, meaning === 1);
      }
    }
    this.#store(part.subarray(from));
  }

  /** Returns the text around the items. */
  textAroundItems(): string {
    return this.#around + this.#text(NOTHING);
  }

  /** Handles a bracket that ends just before `at`. Returns the offset of the first byte that is not consumed. */
  #bracket(part: Uint8Array, from: number, offset: number, isOpening: boolean): number {
    if (!this.#isInItems) {
      if (!isOpening || this.#depth !== IN_ITEMS) return from;
      this.#around += this.#text(part.subarray(from, offset));
      this.#isInItems = ITEMS_BEGIN.test(this.#around.slice(-64));
      return offset;
    }
    if (this.#depth === IN_ITEMS && !isOpening) {
      this.#take(this.#text(part.subarray(from, offset)));
      return offset;
    }
    // Text between items is ignored, and the bracket after the last item belongs to the text around them.
    const isBorder = this.#depth === IN_LIST || (isOpening && this.#depth === IN_ITEMS + 1);
    if (!isBorder) return from;
    this.#isInItems = this.#depth !== IN_LIST;
    this.#length = 0;
    return offset - 1;
  }

  /** Returns the offset after the end of the string that contains `start`, or the end of the part. */
  #endOfString(part: Uint8Array, start: number): number {
    let offset = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    for (;;) {
      const end = part.indexOf(QUOTE, offset);
      const stop = end < 0 ? part.length : end;
      let before = stop;
      while (before > offset && part[before - 1] === BACKSLASH) before--;
      const isEscaped = (stop - before) % 2 === 1;
      if (end < 0) {
        this.#isEscaped = isEscaped;
        return stop;
      }
      if (!isEscaped) {
        this.#isInString = false;
        return end + 1;
      }
      offset = end + 1;
    }
  }

  /** Returns the text of the stored bytes and the following ones, and clears them. */
  #text(last: Uint8Array): string {
    if (this.#length === 0) return this.#decoder.decode(last);
    this.#store(last);
    const text = this.#decoder.decode(this.#begun.subarray(0, this.#length));
    this.#length = 0;
    return text;
  }

  #store(bytes: Uint8Array): void {
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
