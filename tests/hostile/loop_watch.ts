/**
 * Watches the event loop of this thread: the longest time for which it was blocked. It counts the CPU time of this
 * thread, as reported by the kernel, so that other work of the machine is not counted.
 */
import { threadMillis } from "../../controller/workflow/lane/work_clock.ts";

const EVERY_MILLIS = 1;

/** Watches until it is disposed of. */
export class LoopWatch implements Disposable {
  #longest = 0;
  #lastCpu = threadMillis();
  #lastTime = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#wait();
  }

  /** The longest time since the previous call, in milliseconds. */
  readAndReset(): number {
    this.#measure();
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#measure();
      this.#wait();
    }, EVERY_MILLIS);
  }

  #measure(): void {
    const cpu = threadMillis();
    const time = performance.now();
    this.#longest = Math.max(this.#longest, Math.min(cpu - this.#lastCpu, time - this.#lastTime));
    this.#lastCpu = cpu;
    this.#lastTime = time;
  }
}
