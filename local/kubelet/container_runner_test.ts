import { assertEquals } from "@std/assert";
import { ContainerRunner } from "./container_runner.ts";
import { type ContainerRuntime, PLAIN_IMAGE } from "./runtime/runtime.ts";

const runtime: ContainerRuntime = {
  name: "none",
  pull: () => Promise.resolve(PLAIN_IMAGE),
  imageFolder: () => Promise.resolve(""),
  start: () => Promise.reject(new Error("nothing is to be started")),
  close: () => Promise.resolve(),
};

Deno.test("ContainerRunner does not wait for an image when its pod ends", async () => {
  const folder = await Deno.makeTempDir();
  const stopping = new AbortController();
  const runner = new ContainerRunner({ name: "main", image: "slow" }, "main", {
    runtime,
    restartPolicy: "Never",
    folder,
    specOf() {
      stopping.abort();
      return new Promise(() => {});
    },
    terminationMessage: () => Promise.resolve(""),
    now: () => "",
    onError() {},
    changed() {},
    stopping: stopping.signal,
  });
  assertEquals(await runner.run(), undefined);
  await Deno.remove(folder, { recursive: true });
});
