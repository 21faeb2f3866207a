/** The thread that checks manifests, asked with the newest text only. */
import type { Problem } from "../../lib/validate/mod.ts";
import { startThread } from "./thread_url.ts";

/** Asks for the problems of a text; an answer that a newer question has overtaken never comes. */
export interface LintThread extends Disposable {
  check(text: string): void;
}

/** Starts the thread; it ends when it is disposed. */
export function startLintThread(onProblems: (problems: readonly Problem[]) => void): LintThread {
  const worker = startThread("lint");
  let newest = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<{ id: number; problems: readonly Problem[] }>) => {
    if (data.id === newest) onProblems(data.problems);
  });
  return {
    check: (text) => worker.postMessage({ id: ++newest, text }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}
