/** Addresses of worker scripts, under a Trusted Types policy that allows nothing else. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The workers of the page; `index.html` contains the address of each script. */
export type ThreadName = "graph" | "lint" | "stream";

let trusted: ((url: string) => string) | undefined;

/** Workers that have been started but not used yet. */
const prepared = new Map<ThreadName, Worker>();

/** Starts a worker in advance so that its script is loaded when it is needed; at most one of each. */
export function prepareThread(name: ThreadName): void {
  if (!prepared.has(name)) prepared.set(name, newThread(name));
}

/** Ends a worker that was started in advance and is not needed. */
export function dropPreparedThread(name: ThreadName): void {
  prepared.get(name)?.terminate();
  prepared.delete(name);
}

/** Returns a worker, preferably one started in advance. */
export function startThread(name: ThreadName): Worker {
  const ready = prepared.get(name);
  prepared.delete(name);
  return ready ?? newThread(name);
}

/**
 * Starts or joins a worker that all tabs share. Its file is named by content, so that pages of different releases use
 * different workers.
 */
export function startSharedThread(name: ThreadName): SharedWorker {
  const file = fileOf(name);
  return new SharedWorker(trustedUrl(file), { type: "module", name: file });
}

/** The policy `tiphys` allows scripts from the page's own assets only. */
function newThread(name: ThreadName): Worker {
  return new Worker(trustedUrl(fileOf(name)), { type: "module" });
}

function fileOf(name: ThreadName): string {
  return document.documentElement.getAttribute(`data-worker-${name}`) ?? "";
}

function trustedUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trusted) {
    const onlyAssets = (url: string) => {
      if (!/^assets\/[\w-]+\.js$/.test(url)) throw new TypeError(`Expected a file of assets, got ${url}`);
      return new URL(url, document.baseURI).href;
    };
    const policy = trustedTypes?.createPolicy("tiphys", { createScriptURL: onlyAssets });
    trusted = policy ? (url) => policy.createScriptURL(url) : onlyAssets;
  }
  return trusted(url);
}
