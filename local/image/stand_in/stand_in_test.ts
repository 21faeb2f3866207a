import { assert, assertEquals } from "@std/assert";
import { needs } from "../../../lib/base/testing/needs.ts";
import { ImageStore } from "../image_store.ts";
import { readLinking } from "./elf_file.ts";
import { machineTools } from "./machine_tools.ts";
import { findOrCreateStandIn, STAND_IN } from "./stand_in.ts";

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ ...needs("Linux", Deno.build.os === "linux", name), fn });
}

test("machineTools() finds a shell with all that it loads, and nothing outside of the system's folders", async () => {
  const tools = await machineTools();
  const paths = new Map(tools.map((tool) => [tool.path, tool]));
  for (const tool of tools) {
    assert(/^(usr\/bin\/|usr\/lib|nix\/store\/|gnu\/store\/)/.test(tool.path), tool.path);
    if (tool.kind === "link") assert(paths.has(`usr/bin/${tool.target}`), tool.path);
    else assert(!/^\/(home|root|etc|var|tmp|usr\/local)\//.test(tool.from), tool.from);
  }
  const shell = paths.get("usr/bin/sh")!;
  const file = shell.kind === "file" ? shell : paths.get(`usr/bin/${shell.target}`)!;
  assert(file.kind === "file");
  const { loader, needed } = readLinking(await Deno.readFile(file.from))!;
  const names = new Set(tools.map(({ path }) => path.slice(path.lastIndexOf("/") + 1)));
  for (const name of [...needed, ...(loader === undefined ? [] : [loader.slice(loader.lastIndexOf("/") + 1)])]) {
    assert(names.has(name), name);
  }
});

test("standIn() is made once for a state of the tools, and takes the place of those of earlier states", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const images = new ImageStore({ folder });
    const earlier = await images.createLocalImage(
      `${STAND_IN}:earlier`,
      ReadableStream.from([new Uint8Array(1024)]),
      {},
    );
    const made = await findOrCreateStandIn(images);
    const again = await findOrCreateStandIn(new ImageStore({ folder }));
    assertEquals(again, made);
    assert(again.name.startsWith(`${STAND_IN}:`) && again.name !== earlier.name);
    assertEquals((await images.list()).map(({ name }) => name), [made.name]);
    using root = await images.useRoot(made);
    assertEquals(Array.from(Deno.readDirSync(`${root.folder}/etc`), ({ name }) => name).sort(), [
      ...["group", "hosts", "nsswitch.conf", "passwd"],
    ]);
    assertEquals(await Deno.readLink(`${root.folder}/bin`), "usr/bin");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readLinking: returns undefined or less for other files and truncated programs", async () => {
  assertEquals(readLinking(new Uint8Array()), undefined);
  assertEquals(readLinking(new TextEncoder().encode("#!/bin/sh\n")), undefined);
  const program = await Deno.readFile(Deno.execPath()).then((bytes) => bytes.slice(0, 4096));
  for (let length = 0; length < 1024; length += 7) readLinking(program.subarray(0, length));
});
