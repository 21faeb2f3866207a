/** Pods whose containers take their time to be made: what ends with them, and what is left behind. */

import { assertEquals } from "@std/assert";
import type { Pod } from "../../lib/api/mod.ts";
import { systemClock } from "../../lib/clock/mod.ts";
import { PODS } from "../../lib/kube/mod.ts";
import { createApiServer } from "../api/mod.ts";
import { startKubelet } from "./kubelet.ts";
import type { Container, ContainerRuntime, Ending } from "./runtime/runtime.ts";
import { PLAIN_IMAGE } from "./runtime/runtime.ts";

/** A container that only a SIGKILL ends. */
function stubborn() {
  const signals: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<Ending>();
  const container: Container = {
    ended,
    signal(signal) {
      signals.push(signal);
      if (signal === "SIGKILL") resolve({ exitCode: 137, reason: "Error" });
    },
    exec: () => Promise.reject(new Error("it is not running")),
    remove: () => Promise.resolve(),
  };
  return { container, signals };
}

/** A kubelet whose containers `start` makes, by their names. */
async function kubeletWith(start: (name: string) => Promise<Container>, onError: () => void = () => {}) {
  const dataDir = await Deno.makeTempDir();
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const runtime: ContainerRuntime = {
    name: "fake",
    pull: () => Promise.resolve(PLAIN_IMAGE),
    imageFolder: () => Promise.reject(new Error("no image is to be looked into")),
    start: ({ id }) => start(id.split("-").at(-2)!),
    close: () => Promise.resolve(),
  };
  const executor = { image: "none", folder: dataDir };
  const kubelet = await startKubelet({ client, dataDir, executor, api: { url: "http://127.0.0.1" }, runtime, onError });
  const create = (names: readonly string[]) => {
    const containers = names.map((name) => ({ name, image: "i", command: ["run"] }));
    const spec = { restartPolicy: "Never", terminationGracePeriodSeconds: 0, containers };
    return client.create(PODS, "n", { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
  };
  const dispose = async () => {
    api.close();
    await Deno.remove(dataDir, { recursive: true });
  };
  return { client, kubelet, create, [Symbol.asyncDispose]: dispose };
}

Deno.test("a kubelet that ends kills also the container that is just being made", async () => {
  const begun = Promise.withResolvers<void>();
  const made = Promise.withResolvers<Container>();
  await using bench = await kubeletWith(() => (begun.resolve(), made.promise));
  await bench.create(["slow"]);
  await begun.promise;
  const closing = bench.kubelet.close();
  const { container, signals } = stubborn();
  made.resolve(container);
  await closing;
  assertEquals(signals, ["SIGKILL"]);
});

Deno.test("a pod has ended when all its containers have, also the one that was being made when another could not be", async () => {
  const begun = Promise.withResolvers<void>();
  const made = Promise.withResolvers<Container>();
  const { container, signals } = stubborn();
  await using bench = await kubeletWith(async (name) => {
    if (name === "slow") return (begun.resolve(), await made.promise);
    await begun.promise;
    throw new Error("no more processes");
  }, () => systemClock.after(200, () => made.resolve(container)));
  await bench.create(["slow", "bad"]);
  const { metadata } = await bench.client.list<Pod>(PODS, "n");
  for await (const { object } of bench.client.watch<Pod>(PODS, "n", { resourceVersion: metadata.resourceVersion })) {
    if (object.status?.phase === "Failed") break;
  }
  assertEquals(signals, ["SIGKILL"]);
  await bench.kubelet.close();
});
