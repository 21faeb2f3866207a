/**
 * Random numbers that depend only on a seed and a question, not on earlier questions: removing one fault from a run
 * changes nothing else in it.
 */
export class Chance {
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** A number from 0 up to, but excluding, 1. */
  numberFor(...question: readonly (string | number)[]): number {
    return hash(`${this.#seed}\n${question.join("\n")}`) / 2 ** 32;
  }

  /** A number between two others. */
  integerBetween(minimum: number, maximum: number, ...question: readonly (string | number)[]): number {
    return minimum + (maximum - minimum) * this.numberFor(...question);
  }

  /** One of several items. */
  oneOf<T>(items: readonly T[], ...question: readonly (string | number)[]): T {
    return items[Math.floor(this.numberFor(...question) * items.length)]!;
  }
}

/** A 32-bit hash of a text: FNV-1a, then mixed so that similar texts have unrelated hashes. */
export function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
