/**
 * Chance that depends on a seed and on the name of the question alone, not on what was asked before: so a run from which
 * one fault was taken out is the same run otherwise.
 */
export class Chance {
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** A number from 0 up to, not including, 1. */
  of(...question: readonly (string | number)[]): number {
    return hash(`${this.#seed}\n${question.join("\n")}`) / 2 ** 32;
  }

  /** A number between two others. */
  between(least: number, most: number, ...question: readonly (string | number)[]): number {
    return least + (most - least) * this.of(...question);
  }

  /** One of several. */
  oneOf<T>(items: readonly T[], ...question: readonly (string | number)[]): T {
    return items[Math.floor(this.of(...question) * items.length)]!;
  }
}

/** A text as 32 bits: FNV-1a, then mixed so that texts that differ little have nothing in common. */
export function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
