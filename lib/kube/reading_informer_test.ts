import { assertEquals } from "@std/assert";
import { KubeClient } from "./client.ts";
import { handlerTransport } from "./handler_transport.ts";
import type { KubeObject } from "./object.ts";
import { ReadingInformer } from "./reading_informer.ts";
import { CONFIGMAPS } from "./resources.ts";

function object(name: string, resourceVersion: string): KubeObject {
  return { metadata: { name, namespace: "n", uid: name, resourceVersion } };
}

Deno.test("ReadingInformer: parses each version of an object once, on first access", async () => {
  const watched = Promise.withResolvers<(object: KubeObject) => void>();
  const server = (request: Request) => {
    if (new URL(request.url).searchParams.get("watch") === null) {
      const items = [object("a", "1"), object("b", "2")];
      return Promise.resolve(Response.json({ metadata: { resourceVersion: "5" }, items }));
    }
    const watch = new ReadableStream<Uint8Array>({
      start(stream) {
        watched.resolve((changed) =>
          stream.enqueue(new TextEncoder().encode(JSON.stringify({ type: "MODIFIED", object: changed }) + "\n"))
        );
      },
    });
    return Promise.resolve(new Response(watch));
  };
  const reads: string[] = [];
  const informer = new ReadingInformer(new KubeClient(handlerTransport(server)), CONFIGMAPS, {
    read({ metadata }) {
      reads.push(`${metadata.name} ${metadata.resourceVersion}`);
      return `read ${metadata.resourceVersion}`;
    },
  });
  const stop = new AbortController();
  await informer.start(stop.signal);
  assertEquals(reads, []);
  assertEquals([informer.read("n/a"), informer.read("n/a"), informer.read("n/none")], ["read 1", "read 1", undefined]);
  const changed = new Promise<void>((resolve) => informer.onChange((type) => type === "modified" && resolve()));
  (await watched.promise)(object("a", "7"));
  await changed;
  assertEquals(informer.read("n/a"), "read 7");
  assertEquals(reads, ["a 1", "a 7"]);
  stop.abort();
});
