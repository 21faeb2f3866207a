import { assertEquals } from "@std/assert";
import { ServerService } from "./server_service.ts";
import type { SendToServer } from "./exchange.ts";

/** A server that lists as Argo's does: no page says where the next one begins, and what has not ended passes any filter. */
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

Deno.test("a list of what ended before a moment has nothing that runs, whatever the server says", async () => {
  const { send } = argoLike(["runs", "ended-1"]);
  const { items } = await new ServerService(send).list("default", { finishedBefore: new Date("2026-11-02T00:00:00Z") });
  assertEquals(items.map(({ metadata }) => metadata.name), ["ended-1"]);
});

Deno.test("where a server does not say whether a page was the last, all is asked for", async () => {
  const { send, limits } = argoLike(["a", "b", "c"]);
  const service = new ServerService(send);
  assertEquals((await service.list("default", { limit: 2 })).items.length, 3);
  assertEquals((await service.list("default", { limit: 4 })).items.length, 3);
  assertEquals(limits, ["2", null, "4"]);
});
