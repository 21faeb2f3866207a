/** The thread that checks manifests, asked with the newest text only. */
import type { Problem } from "@tiphys/language/validate";
import { startThread } from "./thread_url.ts";

/** What the thread says of a text: its problems, and the one object that it means; undefined where it means no such. */
interface Answer {
  readonly problems: readonly Problem[];
  readonly object: unknown;
}

/** Asks about a text; an answer that a newer question has overtaken never comes. */
export interface LintThread extends Disposable {
  check(text: string): void;
}

/** Starts the thread; it ends when it is disposed. */
export function startLintThread(onAnswer: (answer: Answer) => void): LintThread {
  const worker = startThread("lint");
  let newest = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<Answer & { id: number }>) => {
    if (data.id === newest) onAnswer(data);
  });
  return {
    check: (text) => worker.postMessage({ id: ++newest, text }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}
