import { assertEquals } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import { KubeClient, NAMESPACES, type Transport } from "@tiphys/kube";
import type { TransportResponse } from "@tiphys/kube/connections";
import { type Log, silentLog } from "@tiphys/base/log";
import { createApiServer } from "../../../local/api/mod.ts";
import { awaitFact } from "../../../tests/await_fact.ts";
import { makeCaches, sharedCopies, type StartableCaches } from "./caches.ts";

type Test = (copies: StartableCaches & { readonly warnings: readonly string[] }, stop: AbortSignal) => Promise<void>;
type Interceptor = (path: string, answer: () => Promise<TransportResponse>) => Promise<TransportResponse>;

/** Copies of a cluster in which a namespace has its own limit; `intercept` handles requests to the API server. */
async function withCopies(intercept: Interceptor, test: Test): Promise<void> {
  const api = createApiServer({ storePath: ":memory:" });
  const stop = new AbortController();
  try {
    const metadata = { name: "limited", labels: { [LABEL.parallelismLimit]: "3" } };
    await api.client().create(NAMESPACES, undefined, { apiVersion: "v1", kind: "Namespace", metadata });
    const { transport } = api.client();
    const client = new KubeClient(
      {
        fetch: (path, init) => intercept(path, () => transport.fetch(path, init)),
        webSocket: (path, protocols) => transport.webSocket(path, protocols),
        close: () => transport.close(),
      } satisfies Transport,
    );
    const warnings: string[] = [];
    const log: Log = { ...silentLog, warn: (message) => void warnings.push(message) };
    await test({ ...makeCaches({ client, log, copies: sharedCopies({ client, log }) }), warnings }, stop.signal);
  } finally {
    stop.abort();
    api.close();
  }
}

const isOf = (plural: string, path: string) => new RegExp(`/${plural}\\?`).test(path);

Deno.test("caches: a forbidden kind has an empty copy, is logged, and does not block others", async () => {
  const forbidden = { kind: "Status", status: "Failure", reason: "Forbidden", code: 403, message: "no right" };
  const intercept: Interceptor = (path, answer) =>
    isOf("namespaces", path) ? Promise.resolve(Response.json(forbidden, { status: 403 })) : answer();
  await withCopies(intercept, async ({ caches, start, warnings }, stop) => {
    let isStarted = false;
    const started = start(stop).then(() => isStarted = true);
    await awaitFact("the copies are started", () => isStarted, { seconds: 20 });
    await started;
    assertEquals(caches.namespaces.list(), []);
    assertEquals(warnings, ["Reading namespaces is forbidden: they are ignored until it is allowed"]);
  });
});

Deno.test("caches: workflows are read last, when everything that a pass needs is present, including optional kinds", async () => {
  const lists: string[] = [];
  let others: readonly { readonly isSynced: boolean }[] = [];
  const intercept: Interceptor = async (path, answer) => {
    if (isOf("workflows", path)) lists.push("workflows are requested");
    if (!isOf("namespaces", path) || !path.includes("limit=500")) return await answer();
    await awaitFact("everything else is present", () => others.every(({ isSynced }) => isSynced), { seconds: 20 });
    lists.push("namespaces have been read");
    return await answer();
  };
  await withCopies(intercept, async ({ caches, start, warnings }, stop) => {
    const { workflows: _, namespaces, ...rest } = caches;
    others = Object.values(rest).filter((copy) => typeof copy === "object");
    await start(stop);
    assertEquals(namespaces.list().map(({ metadata }) => metadata.name), ["limited"]);
    assertEquals([lists.slice(0, 2), warnings], [["namespaces have been read", "workflows are requested"], []]);
  });
});
