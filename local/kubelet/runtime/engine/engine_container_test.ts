import { assertEquals, assertRejects } from "@std/assert";
import type { ContainerSpec } from "../runtime.ts";
import { startEngineContainer } from "./engine_container.ts";
import type { EngineClient } from "./engine_client.ts";

/** An engine whose output stream breaks, and which then fails all requests. */
function breakingEngine(calls: string[]): EngineClient {
  const engine = {
    stream: () => Promise.resolve(new ReadableStream({ start: (stream) => stream.error(new Error("reset")) })),
    async send(method: string, path: string) {
      calls.push(`${method} ${path}`);
      // One turn of the event loop later, the output has failed while nothing awaits its end yet.
      await new Promise((resolve) => setTimeout(resolve));
      throw new Error("the engine is gone");
    },
  };
  return engine as unknown as EngineClient;
}

Deno.test("engine: a failure while a container starts fails only that container", async () => {
  const asked: string[] = [];
  const options = { engine: breakingEngine(asked), id: "c", spec: {} as ContainerSpec, output() {} };
  await assertRejects(() => startEngineContainer(options), Error, "the engine is gone");
  assertEquals(asked, ["POST /containers/c/start", "DELETE /containers/c"]);
});
