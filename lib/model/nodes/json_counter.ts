/** Estimates the memory of a JSON text from its bytes as they arrive, without parsing it. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Sums over all bytes read so far. For invalid JSON, they have no meaning. */
export class JsonCounter {
  bytes = 0;
  /** Values and keys, accurate to within one. */
  values = 0;
  /** The maximum depth of lists and objects so far. */
  depth = 0;
  #open = 0;
  #isText = false;
  #isEscaped = false;

  /** Reads the next bytes. */
  read(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#isText) {
        offset = this.#readText(chunk, offset);
        continue;
      }
      switch (chunk[offset++]) {
        case QUOTE:
          this.#isText = true;
          break;
        case COMMA:
        case COLON:
          this.values++;
          break;
        case OPEN_LIST:
        case OPEN_OBJECT:
          this.values++;
          if (++this.#open > this.depth) this.depth = this.#open;
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          this.#open--;
      }
    }
  }

  /** Continues to the end of a string; returns its position. */
  #readText(chunk: Uint8Array, from: number): number {
    let offset = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      offset++;
    }
    for (; offset < chunk.length; offset++) {
      const byte = chunk[offset];
      if (byte === QUOTE) {
        this.#isText = false;
        return offset + 1;
      }
      if (byte === BACKSLASH && ++offset === chunk.length) this.#isEscaped = true;
    }
    return chunk.length;
  }
}
