import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { Folder } from "@tiphys/base/confined";
import { type Place, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "../driver_for.ts";
import { driverEnvironment, sourceOf, textOf } from "../../artifacts/testing/surroundings.ts";
import { load } from "@tiphys/artifacts/transfer";
import { testTransfer } from "../../artifacts/testing/transfer.ts";
import type { PluginDriver } from "./plugin_driver.ts";

const stop = new AbortController().signal;

interface Sample extends AsyncDisposable {
  readonly driver: PluginDriver;
  readonly folder: string;
  place(key: string, configuration?: string): Place;
}

async function sample(kind = "new"): Promise<Sample> {
  const sockets = await Deno.makeTempDir();
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${sockets}/sample`);
  const program = new URL("./testing/sample_plugin.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, `${sockets}/sample/socket`, folder, kind],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  const place = (key: string, configuration = "canary") => ({
    store: "plugin",
    key,
    settings: { name: "sample", configuration, connectionTimeoutSeconds: 60 },
  });
  const driver = await driverFor(
    place("x"),
    driverEnvironment({ env: { TIPHYS_ARTIFACT_PLUGINS: sockets } }),
  ) as PluginDriver;
  return {
    driver,
    folder,
    place,
    async [Symbol.asyncDispose]() {
      await driver.close();
      child.kill("SIGKILL");
      await child.status;
      await Deno.remove(sockets, { recursive: true });
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("plugin: exchanges files and folders by path, also for a path that is valid only in this process", async () => {
  await using plugin = await sample();
  const { driver, place } = plugin;
  const work = await Deno.makeTempDir();
  await Deno.mkdir(`${work}/tree/sub`, { recursive: true });
  await Deno.writeTextFile(`${work}/tree/sub/a`, "deep");
  await driver.save(`${work}/tree`, place("out/tree"), stop);
  assertEquals(await Deno.readTextFile(`${plugin.folder}/out/tree/sub/a`), "deep");
  using here = await Deno.open(work);
  const descriptor = [...Deno.readDirSync("/proc/self/fd")].map(({ name }) => `/proc/self/fd/${name}`)
    .find((path) => Deno.realPathSync("/") && linkOf(path) === work)!;
  await driver.load(place("out/tree"), `${descriptor}/back`, stop);
  assertEquals(await Deno.readTextFile(`${work}/back/sub/a`), "deep");
  assertEquals(here.isTerminal(), false);
});

function linkOf(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined; // It was closed meanwhile.
  }
}

Deno.test("plugin: finds, lists, streams and deletes artifacts", async () => {
  await using plugin = await sample();
  const { driver, place } = plugin;
  assertEquals(await driver.write(place("in/a"), sourceOf("0123456789"), stop), { kind: "file", size: 10 });
  await driver.write(place("in/b/c"), new Blob(["x"]).stream(), stop);
  assertEquals([await driver.find(place("in/a"), stop), await driver.find(place("in"), stop)], [
    { kind: "file" },
    { kind: "folder" },
  ]);
  assertEquals((await Array.fromAsync(driver.list(place("in"), stop))).map(({ name }) => name), ["a", "b/c"]);
  assertEquals(await textOf(await driver.read(place("in/a"), {}, stop)), "0123456789");
  assertEquals(await textOf(await driver.read(place("in/a"), { from: 3, to: 5 }, stop)), "34");
  assertEquals(await driver.remove(place("in"), stop), { removed: 1 });
  assertEquals(await driver.remove(place("in"), stop), { removed: 0 });
});

Deno.test("plugin: loads a folder with all its files, whose sizes plugins do not report", async () => {
  await using plugin = await sample();
  await plugin.driver.write(plugin.place("in/a"), sourceOf("0123456789"), stop);
  await plugin.driver.write(plugin.place("in/b/c"), sourceOf("x"), stop);
  const path = await Deno.makeTempDir();
  using folder = Folder.open(path);
  const clock = fakeClock();
  const how = testTransfer(clock, stop);
  const moved = await clock.runUntil(
    load(plugin.driver, plugin.place("in"), { target: { folder, name: "x" }, packing: "none", transfer: how }),
  );
  assertEquals(moved, { kind: "folder", bytes: 11, objects: 2 });
  assertEquals(["a", "b/c"].map((name) => Deno.readTextFileSync(`${path}/x/${name}`)), ["0123456789", "x"]);
  await Deno.remove(path, { recursive: true });
});

Deno.test("plugin: a missing artifact is missing, a rejected one is forbidden, and no error shows its configuration", async () => {
  await using plugin = await sample();
  const { driver, place } = plugin;
  const path = `${plugin.folder}/back`;
  const missing = [
    await assertRejects(
      () => driver.load(place("none"), path, stop),
      StoreError,
      "plugin sample load failed: not found",
    ),
    await assertRejects(() => driver.find(place("none"), stop), StoreError, "plugin sample is directory check failed"),
    await assertRejects(() => driver.read(place("none"), {}, stop), StoreError, "plugin sample open stream failed"),
  ];
  assertEquals(missing.map(({ kind }) => kind), ["missing", "missing", "missing"]);
  const refused = await assertRejects(() => driver.load(place("a", "canary refuse"), path, stop), StoreError);
  assertEquals([refused.kind, refused.message], ["forbidden", "plugin sample load failed: you may not"]);
});

Deno.test("plugin: a plugin that reports no capabilities gets streams as files", async () => {
  await using plugin = await sample("old");
  assertEquals(await plugin.driver.write(plugin.place("a"), new Blob(["stream"]).stream(), stop), {
    kind: "file",
    size: 6,
  });
  assertEquals(await Deno.readTextFile(`${plugin.folder}/a`), "stream");
});

Deno.test("plugin: a large stream is complete in both directions, and a plugin sends no more than is read", async () => {
  await using plugin = await sample();
  const { driver, place } = plugin;
  const size = 64 * 1024 * 1024;
  const bytes = new Uint8Array(size);
  for (let offset = 0; offset < size; offset += 65536) bytes[offset] = offset / 65536;
  await driver.write(place("large"), sourceOf(bytes), stop);
  assertEquals((await Deno.stat(`${plugin.folder}/large`)).size, size);
  const reader = (await driver.read(place("large"), {}, stop)).getReader();
  let read = (await reader.read()).value!.length;
  // After other requests and responses, the plugin has sent everything that it sends on its own.
  for (let times = 0; times < 50; times++) await driver.find(place("large"), stop);
  const sent = Number(await Deno.readTextFile(`${plugin.folder}/sent`));
  assertEquals(sent < size / 2, true, `${sent} bytes were sent and ${read} taken`);
  for (let next = await reader.read(); !next.done; next = await reader.read()) read += next.value.length;
  assertEquals(read, size);
});

Deno.test("plugin: an artifact without a plugin name, or with a path as name, is rejected", async () => {
  for (const name of ["", "..", "a/b"]) {
    const place = { store: "plugin", key: "k", settings: { name } };
    await assertRejects(async () => await driverFor(place, driverEnvironment()), StoreError, "names no plugin");
  }
});
