/** The thread that checks manifests, asked with the newest text only. */
import type { Problem } from "../../lib/validate/mod.ts";

/** Asks for the problems of a text; an answer that a newer question has overtaken never comes. */
export interface LintThread extends Disposable {
  check(text: string): void;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let trusted: ((url: string) => string) | undefined;

/** The policy `tiphys`: programs of threads come from our assets, and from nowhere else. */
function trustedUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trusted) {
    const onlyAssets = (one: string) => {
      if (!/^assets\/[\w-]+\.js$/.test(one)) throw new TypeError(`Expected a file of assets, got ${one}`);
      return new URL(one, document.baseURI).href;
    };
    const policy = trustedTypes?.createPolicy("tiphys", { createScriptURL: onlyAssets });
    trusted = policy ? (one) => policy.createScriptURL(one) : onlyAssets;
  }
  return trusted(url);
}

/** Starts the thread; it ends when it is disposed. */
export function startLintThread(onProblems: (problems: readonly Problem[]) => void): LintThread {
  const worker = new Worker(trustedUrl(document.documentElement.dataset.workerLint ?? ""), { type: "module" });
  let newest = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<{ id: number; problems: readonly Problem[] }>) => {
    if (data.id === newest) onProblems(data.problems);
  });
  return {
    check: (text) => worker.postMessage({ id: ++newest, text }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}
