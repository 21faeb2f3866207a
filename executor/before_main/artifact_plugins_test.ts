import { assert, assertEquals, assertRejects } from "@std/assert";
import { ENV, PATH } from "@tiphys/base/constants";
import { waitForFile } from "@tiphys/base/watch";
import { stopArtifactPlugins } from "../pod/stop_artifact_plugins.ts";
import { artifactPluginInit, artifactPluginSidecar } from "./artifact_plugins.ts";
import { awaitFact } from "../../tests/await_fact.ts";
import { memoryStore } from "../testing/memory_store.ts";
import { startProgram } from "../testing/process.ts";
import { at } from "../world.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";

const SIDECAR = "artifact-plugin-p";

/** A server that writes its last argument to `/up` and creates `/heard` on SIGTERM. */
function server(world: TestWorld): string[] {
  const script = `trap "echo heard > ${world.root}/heard; exit 0" TERM; echo "$1" > ${world.root}/up;
    while :; do sleep 0.02; done`;
  return ["--", "sh", "-c", script, "server", "/tmp/artifact-plugins/p/socket"];
}

async function untilWritten(world: TestWorld, path: string): Promise<string> {
  return await waitForFile(at(world, path), async () => await world.read(path) || undefined);
}

Deno.test("artifactPluginSidecar: passes the path of the socket to its server", async () => {
  await using world = await testWorld({ container: SIDECAR });
  const serving = artifactPluginSidecar(world, server(world));
  assertEquals(await untilWritten(world, "/up"), "/tmp/artifact-plugins/p/socket\n");
  await stopArtifactPlugins(world.as("supervisor", { [ENV.artifactPluginNames]: SIDECAR }));
  assertEquals(await serving, 0);
});

Deno.test("artifactPluginSidecar: ignores SIGTERM and ends when its signal file requests it", async () => {
  await using world = await testWorld({ container: SIDECAR });
  const process = await startProgram(world, ["artifact-plugin-sidecar", ...server(world)], { container: SIDECAR });
  await untilWritten(world, "/up");
  process.kill("SIGTERM");
  await awaitFact("SIGTERM was delivered", () => !isPending(process.pid, 15), { seconds: 30 });
  assertEquals(await world.read("/heard"), undefined);
  await stopArtifactPlugins(world.as("supervisor", { [ENV.artifactPluginNames]: SIDECAR }));
  assertEquals((await process.status).code, 0);
  assertEquals(await world.read("/heard"), "heard\n");
  assertEquals(await world.read(`${PATH.containers}/${SIDECAR}/exitcode`), "0");
});

/** Whether a signal is pending for a process, according to /proc. */
function isPending(pid: number, signal: number): boolean {
  const [, mask] = /^ShdPnd:\s+([0-9a-f]+)$/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))!;
  return (BigInt(`0x${mask}`) >> BigInt(signal - 1) & 1n) === 1n;
}

Deno.test("artifactPluginSidecar: reports why its server cannot be started", async () => {
  await using world = await testWorld({ container: SIDECAR });
  assertEquals(await artifactPluginSidecar(world, ["--", "/no/such/server"]), 64);
  assertEquals(await world.read(`${PATH.containers}/${SIDECAR}/exitcode`), "64");
  assert((await world.termination())?.cause.includes("failed to find name in PATH"));
});

Deno.test("stopArtifactPlugins: does not wait for a plugin that never started", async () => {
  await using world = await testWorld({ container: "supervisor", env: { [ENV.artifactPluginNames]: `${SIDECAR},` } });
  await stopArtifactPlugins(world);
});

Deno.test("artifactPluginInit: loads only the artifacts of its plugin while the server runs", async () => {
  const store = memoryStore();
  const artifacts = ["p", "q"].map((name) => ({ name, path: `/${name}`, plugin: { name, key: name } }));
  for (const { name } of artifacts) store.objects.set(name, new TextEncoder().encode(name));
  await using world = await testWorld({
    container: "init-artifact-p",
    template: { container: {}, inputs: { artifacts } },
    driverFor: store.driverFor,
  });
  store.during = async () => void await untilWritten(world, "/up");
  const script = `echo up > ${world.root}/up; while :; do sleep 0.02; done`;
  assertEquals(await artifactPluginInit(world, ["--plugin-name", "p", "--", "sh", "-c", script]), 0);
  assertEquals(store.events, ["load p", "loaded p"]);
  assertEquals(await world.read(`${PATH.inputArtifacts}/p`), "p");
});

Deno.test("artifactPluginInit: creates the folder of the socket before the server starts", async () => {
  const store = memoryStore();
  store.objects.set("p", new TextEncoder().encode("p"));
  await using world = await testWorld({
    container: "init-artifact-p",
    template: { container: {}, inputs: { artifacts: [{ name: "p", path: "/p", plugin: { name: "p", key: "p" } }] } },
    driverFor: store.driverFor,
  });
  const socket = `${PATH.artifactPlugins}/p/socket`;
  store.during = async () => void await untilWritten(world, socket);
  const script = `echo up > ${world.root}${socket} && while :; do sleep 0.02; done`;
  assertEquals(await artifactPluginInit(world, ["--plugin-name", "p", "--", "sh", "-c", script]), 0);
});

Deno.test("artifactPluginInit: fails at once when the server ends before everything is loaded", async () => {
  const store = memoryStore();
  await using world = await testWorld({
    container: "init-artifact-p",
    template: { container: {}, inputs: { artifacts: [{ name: "p", path: "/p", plugin: { name: "p", key: "p" } }] } },
    driverFor: store.driverFor,
  });
  store.during = () => Promise.withResolvers<void>().promise;
  await assertRejects(
    () => artifactPluginInit(world, ["--plugin-name", "p", "--", "sh", "-c", "exit 3"]),
    Error,
    'failed to load input artifacts from plugin "p": its server ended with exit code 3',
  );
});

Deno.test("artifactPluginInit: requires the name of its plugin", async () => {
  await using world = await testWorld();
  await assertRejects(() => artifactPluginInit(world, ["--", "true"]), Error, "Expected the flag --plugin-name");
});
