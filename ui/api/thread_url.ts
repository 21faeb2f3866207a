/** The addresses of the programs of threads, under the policy that lets nothing else in. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The threads beside the page; `index.html` says where the program of each lies. */
export type ThreadName = "graph" | "lint" | "stream";

let trusted: ((url: string) => string) | undefined;

/** Threads that nobody has taken yet. */
const prepared = new Map<ThreadName, Worker>();

/** Starts a thread that will be wanted, so that its program is there by then; of each there is one at most. */
export function prepareThread(name: ThreadName): void {
  if (!prepared.has(name)) prepared.set(name, newThread(name));
}

/** Ends a thread that was prepared and is not wanted. */
export function dropPreparedThread(name: ThreadName): void {
  prepared.get(name)?.terminate();
  prepared.delete(name);
}

/** A thread; the one that was prepared where there is one. */
export function startThread(name: ThreadName): Worker {
  const ready = prepared.get(name);
  prepared.delete(name);
  return ready ?? newThread(name);
}

/** Starts a thread that all tabs share, or joins it. Its file is named by its content: a page of another release has another one. */
export function startSharedThread(name: ThreadName): SharedWorker {
  const file = fileOf(name);
  return new SharedWorker(trustedUrl(file), { type: "module", name: file });
}

/** The policy `tiphys` takes programs from our assets, and from nowhere else. */
function newThread(name: ThreadName): Worker {
  return new Worker(trustedUrl(fileOf(name)), { type: "module" });
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
