/**
 * Lines of several streams that are followed, by their times: what comes within a second is sorted and handed on together. A
 * stream that is alone hands its lines on at once.
 */
import type { LineQueue } from "./line_queue.ts";

/** How long a line waits for older ones of other streams. */
const WAIT_MS = 1000;

/** Lines that wait at most, and their characters: with more, what waits is sorted and handed on before its second has passed. */
const MOST_LINES = 10_000;
const MOST_CHARACTERS = 8 << 20;

/** A line of a stream. */
export interface StreamedLine<T> {
  readonly value: T;
  /** The time that it begins with (RFC 3339); undefined for one that continues the line before. */
  readonly time: string | undefined;
  readonly characters: number;
}

/** A stream of lines among those that are followed. */
export interface LineStream<T> {
  /** Hands lines over; resolves when there is room for others, or nobody reads any more. */
  push(lines: readonly StreamedLine<T>[]): Promise<void>;
  /** Says that no more comes of this stream. */
  close(): void;
}

interface Held<T> {
  readonly value: T;
  readonly time: string;
  readonly stream: number;
}

/** Sorts lines on their way to a queue, until it is disposed, which drops what still waits. */
export class SortedLines<T> implements Disposable {
  readonly #queue: LineQueue<T>;
  readonly #most: number;
  #opened = 0;
  #open = 0;
  #held: Held<T>[] = [];
  #characters = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Resolves when the reader has room for what was handed on last. */
  #room: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(queue: LineQueue<T>, most: number = MOST_LINES) {
    this.#queue = queue;
    this.#most = most;
  }

  /** Streams whose lines have one time come in the order in which they were opened. */
  open(): LineStream<T> {
    const stream = this.#opened++;
    this.#open++;
    let time = "";
    return {
      push: (lines) => {
        if (this.#isOver) return Promise.resolve();
        if (this.#open === 1 && this.#held.length === 0) return this.#queue.push(lines.map(({ value }) => value));
        for (const line of lines) {
          time = line.time ?? time;
          this.#held.push({ value: line.value, time, stream });
          this.#characters += line.characters;
        }
        if (this.#held.length >= this.#most || this.#characters >= MOST_CHARACTERS) return this.flush();
        this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS);
        return this.#room;
      },
      close: () => void this.#open--,
    };
  }

  /** Hands on what waits; resolves when there is room for more. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = [];
    this.#characters = 0;
    if (held.length === 0) return this.#room;
    held.sort((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : a.stream - b.stream);
    return this.#room = this.#queue.push(held.map(({ value }) => value));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = [];
    this.#isOver = true;
  }
}
