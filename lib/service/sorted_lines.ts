/**
 * Sorts the lines of several followed streams by time: lines that arrive within one second are sorted and passed on
 * together. A single stream passes its lines on immediately.
 */
import type { LineQueue, QueuedLine } from "./line_queue.ts";

/** Milliseconds that a line waits for older lines of other streams. */
const WAIT_MS = 1000;

/** Maximum number of waiting lines, and of their characters. Beyond these, waiting lines are passed on early. */
const MAX_LINES = 10_000;
const MAX_CHARACTERS = 8 << 20;

/** A line of a stream. */
export interface StreamedLine<T> {
  readonly value: T;
  /** Its timestamp (RFC 3339); undefined for a line that continues the previous one. */
  readonly time: string | undefined;
  readonly characters: number;
}

/** One of the followed streams. */
export interface LineStream<T> {
  /** Pushes lines. Resolves when there is room for more, or the reader has stopped. */
  push(lines: readonly StreamedLine<T>[]): Promise<void>;
  /** Ends this stream. */
  close(): void;
}

interface WaitingLine<T> {
  readonly value: T;
  readonly time: string;
  readonly stream: number;
}

/** Sorts lines on their way to a queue. Disposing of it drops waiting lines. */
export class SortedLines<T extends QueuedLine> implements Disposable {
  readonly #queue: LineQueue<T>;
  readonly #maxLines: number;
  #opened = 0;
  #open = 0;
  #waiting: WaitingLine<T>[] = [];
  #characters = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Resolves when the reader has room after the last lines. */
  #room: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(queue: LineQueue<T>, max: number = MAX_LINES) {
    this.#queue = queue;
    this.#maxLines = max;
  }

  /** Opens a stream. Lines with equal times are in the order in which their streams were opened. */
  open(): LineStream<T> {
    const stream = this.#opened++;
    this.#open++;
    let time = "";
    return {
      push: (lines) => {
        if (this.#isOver) return Promise.resolve();
        if (this.#open === 1 && this.#waiting.length === 0) return this.#queue.push(lines.map(({ value }) => value));
        for (const line of lines) {
          time = line.time ?? time;
          this.#waiting.push({ value: line.value, time, stream });
          this.#characters += line.characters;
        }
        if (this.#waiting.length >= this.#maxLines || this.#characters >= MAX_CHARACTERS) return this.flush();
        this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS);
        return this.#room;
      },
      close: () => void this.#open--,
    };
  }

  /** Passes waiting lines on. Resolves when there is room for more. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#waiting;
    this.#waiting = [];
    this.#characters = 0;
    if (held.length === 0) return this.#room;
    held.sort((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : a.stream - b.stream);
    return this.#room = this.#queue.push(held.map(({ value }) => value));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#isOver = true;
  }
}
