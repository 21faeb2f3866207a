/** Following a run by patches, as the page does. */
import { assertEquals, assertRejects } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import type { Exchange } from "../../../ui/api/exchange.ts";
import { argoSource } from "../../../ui/api/argo_source.ts";
import { readRun } from "../../../ui/api/read.ts";
import { Refusal } from "../../../ui/api/refusal.ts";

/** A server whose stream sends messages and ends. `requests` contains the requested URLs. */
function playMessages(messages: readonly unknown[]): { readonly exchange: Exchange; readonly requests: string[] } {
  const asked: string[] = [];
  const text = messages.map((result) => `data: ${JSON.stringify({ result })}\n\n`).join("");
  const exchange: Exchange = {
    base: "http://server/",
    authorization: () => undefined,
    fetch(url) {
      asked.push(url);
      return Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }));
    },
  };
  return { exchange, requests: asked };
}

const METADATA = { name: "w", namespace: "n", uid: "u" };
const NODE = { name: "w", displayName: "w", type: "Pod", phase: "Running" };
const FIRST = {
  metadata: { ...METADATA, resourceVersion: "1" },
  spec: { entrypoint: "main" },
  status: {
    phase: "Failed",
    finishedAt: "2026-01-01T00:00:00Z",
    message: "over",
    nodes: { a: { id: "a", ...NODE }, b: { id: "b", ...NODE } },
  },
};
const PATCH = {
  from: "1",
  object: {
    metadata: { ...METADATA, resourceVersion: "2" },
    status: {
      phase: "Running",
      finishedAt: null,
      nodes: { c: { id: "c", ...NODE }, b: { id: "b", ...NODE, phase: 7 } },
    },
  },
  goneFields: ["message"],
  goneNodes: ["a"],
  isSorted: false,
};

async function followMessages(messages: readonly unknown[]): Promise<{ runs: Workflow[]; requests: string[] }> {
  const { exchange, requests } = playMessages(messages);
  const changes = argoSource(exchange).watchRun("n", "w", undefined, new AbortController().signal);
  return { runs: await Array.fromAsync(changes, ({ object }) => object), requests };
}

Deno.test("patched run: equals the server's state after each patch, and an unreadable node is reported", async () => {
  const { runs, requests } = await followMessages([{ type: "ADDED", object: FIRST }, {
    type: "PATCHED",
    object: PATCH,
  }]);
  assertEquals(new URL(requests[0]!).searchParams.get("patches"), "1");
  assertEquals(runs.length, 2);
  const { metadata, spec, status } = runs[1]!;
  assertEquals([metadata.resourceVersion, spec.entrypoint], ["2", "main"]);
  assertEquals(Object.keys(status ?? {}).sort(), ["nodes", "phase"]);
  assertEquals(Object.entries(status?.nodes ?? {}).map(([id, { phase }]) => `${id} ${phase}`), [
    "b Error",
    "c Running",
  ]);
});

Deno.test("patched run: a patch of an unknown state is an error, so that the whole run is requested again", async () => {
  for (const messages of [[PATCH], [{ ...PATCH, from: "7" }]]) {
    const error = await assertRejects(
      () =>
        followMessages([{ type: "ADDED", object: FIRST }, ...messages.map((object) => ({ type: "PATCHED", object })), {
          type: "PATCHED",
          object: PATCH,
        }]),
      Refusal,
    );
    assertEquals((error as Refusal).status, 410);
  }
});

Deno.test("patched run: a known version that has expired is replaced by the whole run", async () => {
  const { exchange } = playMessages([]);
  const asked: (string | undefined)[] = [];
  const shared: Exchange["shared"] = {
    async *follow({ tried, from }) {
      asked.push(from);
      // The server reports a 410 of Kubernetes as 400, as Argo's does.
      if (from !== undefined) throw new Refusal(tried, 400, "too old resource version: 1 (9)");
      yield [JSON.stringify({ result: { type: "ADDED", object: FIRST } })];
    },
    requestTurn: () => ({ isMine: Promise.resolve(true), [Symbol.dispose]() {} }),
  };
  const known = await readRun(FIRST);
  const changes = argoSource({ ...exchange, shared }).watchRun("n", "w", known, new AbortController().signal);
  const runs = await Array.fromAsync(changes, ({ object }) => object.metadata.name);
  assertEquals([asked, runs], [["1", undefined], ["w"]]);
});
