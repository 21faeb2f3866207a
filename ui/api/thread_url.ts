/** The addresses of the programs of threads, under the policy that lets nothing else in. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The threads beside the page; `index.html` says where the program of each lies. */
export type ThreadName = "graph" | "lint" | "stream";

let trusted: ((url: string) => string) | undefined;

/** Starts a thread. The policy `tiphys` takes programs from our assets, and from nowhere else. */
export function startThread(name: ThreadName): Worker {
  return new Worker(trustedUrl(fileOf(name)), { type: "module" });
}

/** Starts a thread that all tabs share, or joins it. Its file is named by its content: a page of another release has another one. */
export function startSharedThread(name: ThreadName): SharedWorker {
  const file = fileOf(name);
  return new SharedWorker(trustedUrl(file), { type: "module", name: file });
}

function fileOf(name: ThreadName): string {
  return document.documentElement.getAttribute(`data-worker-${name}`) ?? "";
}

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
