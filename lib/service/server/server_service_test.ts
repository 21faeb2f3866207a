import { assertEquals } from "@std/assert";
import { ServerService } from "./server_service.ts";
import type { SendToServer } from "./exchange.ts";

/** A server that lists like Argo's: it returns no continue token, and unfinished workflows pass every filter. */
function argoLike(names: readonly string[]): { readonly send: SendToServer; readonly limits: (string | null)[] } {
  const limits: (string | null)[] = [];
  const send = (({ path }: { readonly path: string }) => {
    const limit = new URL(path, "http://server").searchParams.get("listOptions.limit");
    limits.push(limit);
    const items = names.slice(0, limit === null ? undefined : Number(limit)).map((name) => ({
      metadata: { name, namespace: "default" },
      spec: {},
      status: name.startsWith("ended") ? { phase: "Failed", finishedAt: "2026-11-01T00:00:00Z" } : { phase: "Running" },
    }));
    return Promise.resolve(Response.json({ metadata: {}, items }));
  }) as unknown as SendToServer;
  return { send, limits };
}

Deno.test("ServerService: a list of workflows finished before a time contains no running ones", async () => {
  const { send } = argoLike(["runs", "ended-1"]);
  const { items } = await new ServerService(send).list("default", { finishedBefore: new Date("2026-11-02T00:00:00Z") });
  assertEquals(items.map(({ metadata }) => metadata.name), ["ended-1"]);
});

Deno.test("ServerService: requests all workflows if the server does not report whether a page was the last", async () => {
  const { send, limits } = argoLike(["a", "b", "c"]);
  const service = new ServerService(send);
  assertEquals((await service.list("default", { limit: 2 })).items.length, 3);
  assertEquals((await service.list("default", { limit: 4 })).items.length, 3);
  assertEquals(limits, ["2", null, "4"]);
});
