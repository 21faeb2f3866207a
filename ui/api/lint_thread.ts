/** The worker that checks manifests. Only the latest text is checked. */
import type { Problem } from "@tiphys/language/validate";
import { startThread } from "./thread_url.ts";

/** The problems of a text, and the single object in it; undefined if there is not exactly one. */
interface LintResult {
  readonly problems: readonly Problem[];
  readonly object: unknown;
}

/** Checks a text. The result of an outdated text is dropped. */
export interface LintThread extends Disposable {
  check(text: string): void;
}

/** Starts the worker, which ends when it is disposed. */
export function startLintThread(onAnswer: (answer: LintResult) => void): LintThread {
  const worker = startThread("lint");
  let newest = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<LintResult & { id: number }>) => {
    if (data.id === newest) onAnswer(data);
  });
  return {
    check: (text) => worker.postMessage({ id: ++newest, text }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}
