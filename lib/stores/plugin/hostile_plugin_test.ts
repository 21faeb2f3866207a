/** Invalid responses and artifacts of a plugin's server. */
import { createServer as createHttp2 } from "node:http2";
import { createServer, type Server, type Socket } from "node:net";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { Folder } from "@tiphys/base/confined";
import { StoreError } from "@tiphys/model/artifact";
import { load } from "@tiphys/artifacts/transfer";
import { testTransfer } from "../../artifacts/testing/transfer.ts";
import { DESCRIPTOR } from "./gen/descriptor.ts";
import { type PluginDriver, pluginDriver } from "./plugin_driver.ts";

const stop = new AbortController().signal;
const place = { store: "plugin", key: "a", settings: { name: "p" } };
// Node closes sockets one turn after the test has ended.
const options = { sanitizeResources: false, sanitizeOps: false };

/** A driver for a server in this process. */
async function driverOver(
  server: Server,
): Promise<AsyncDisposable & { readonly driver: PluginDriver; readonly path: string }> {
  const path = await Deno.makeTempDir();
  await new Promise<void>((resolve) => server.listen({ path: `${path}/socket` }, resolve));
  const driver = pluginDriver({ plugin: "p", socket: `${path}/socket` });
  return {
    driver,
    path,
    async [Symbol.asyncDispose]() {
      await driver.close!();
      server.close();
      await Deno.remove(path, { recursive: true });
    },
  };
}

/** A server that runs a script for each connection. */
function raw(script: (socket: Socket) => void): Server {
  return createServer((socket) => {
    socket.on("error", () => {});
    script(socket);
  });
}

/** A server with some of the calls of a plugin. */
function calls(implementation: Readonly<Record<string, unknown>>): Server {
  const bytes = Uint8Array.fromBase64(DESCRIPTOR);
  const service = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes)).getService(
    "artifact.ArtifactService",
  )!;
  return createHttp2(connectNodeAdapter({
    routes: (router) => void router.service(service, implementation as never),
  })).on("session", deferSessionEnd) as unknown as Server;
}

const NONSENSE: Readonly<Record<string, (socket: Socket) => void>> = {
  "closes each connection": (socket) => socket.destroy(),
  "ends each connection after the first request": (socket) => socket.once("data", () => socket.end()),
  "speaks another protocol": (socket) => socket.write("SSH-2.0-OpenSSH_9.9\r\n"),
  "answers as HTTP/1.1": (socket) => socket.write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"),
  "sends unknown frames": (socket) => socket.write(new Uint8Array(65_536).fill(255)),
};

for (const [title, script] of Object.entries(NONSENSE)) {
  Deno.test(`plugin: a server that ${title} is an error that names it`, options, async () => {
    await using opened = await driverOver(raw(script));
    for (
      const act of [
        () => opened.driver.load(place, `${opened.path}/x`, stop),
        () => opened.driver.find(place, stop),
        () => opened.driver.read(place, {}, stop),
        () => Array.fromAsync(opened.driver.list(place, stop)),
        () => opened.driver.remove(place, stop),
      ]
    ) {
      const error = await assertRejects(act, StoreError);
      assertStringIncludes(error.message, "plugin p ");
    }
  });
}

Deno.test("plugin: a stream of endless empty frames is abandoned", options, async () => {
  let frames = 0;
  await using opened = await driverOver(calls({
    async *openStream() {
      for (; frames < 200_000; frames++) yield {};
    },
  }));
  const error = await assertRejects(() => opened.driver.read(place, {}, stop), StoreError);
  assertEquals(error.message, "plugin p open stream failed: 1000 consecutive frames are empty");
  assertEquals(error.kind, "final");
});

Deno.test(
  "plugin: loading neither a file nor a folder is an error that names the plugin",
  options,
  async () => {
    const brings: Readonly<Record<string, (path: string) => void>> = {
      nothing: () => {},
      "a link": (path) => Deno.symlinkSync("/etc/hostname", path),
      "a pipe": (path) => void new Deno.Command("mkfifo", { args: [path] }).outputSync(),
    };
    for (const bring of Object.values(brings)) {
      await using opened = await driverOver(calls({
        load({ path }: { path: string }) {
          bring(path);
          return { success: true };
        },
      }));
      using folder = Folder.open(opened.path);
      const clock = fakeClock();
      const how = testTransfer(clock, stop);
      const loading = load({ load: opened.driver.load }, place, {
        target: { folder, name: "x", path: opened.path },
        packing: "unknown",
        transfer: how,
      });
      const error = await assertRejects(() => clock.runUntil(loading), StoreError);
      assertStringIncludes(error.message, "loaded n");
      assertEquals([...Deno.readDirSync(opened.path)].map(({ name }) => name), ["socket"]);
    }
  },
);
