import { assertEquals, assertRejects } from "@std/assert";
import type { ContainerSpec } from "../runtime.ts";
import { startEngineContainer } from "./engine_container.ts";
import type { EngineClient } from "./engine_client.ts";

/** An engine that breaks off: its output first, then what else it is asked. */
function breakingEngine(asked: string[]): EngineClient {
  const engine = {
    stream: () => Promise.resolve(new ReadableStream({ start: (stream) => stream.error(new Error("reset")) })),
    async send(method: string, path: string) {
      asked.push(`${method} ${path}`);
      // A turn of the event loop later the output has failed, and its end is not waited for yet.
      await new Promise((resolve) => setTimeout(resolve));
      throw new Error("the engine is gone");
    },
  };
  return engine as unknown as EngineClient;
}

Deno.test("an engine that goes while a container is started fails that container, and nothing else", async () => {
  const asked: string[] = [];
  const options = { engine: breakingEngine(asked), id: "c", spec: {} as ContainerSpec, output() {} };
  await assertRejects(() => startEngineContainer(options), Error, "the engine is gone");
  assertEquals(asked, ["POST /containers/c/start", "DELETE /containers/c"]);
});
