/** Loading onto a full disk: a file system in memory of limited size. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { Folder } from "@tiphys/base/confined";
import { needs } from "../../base/testing/needs.ts";
import type { ContentInfo, Driver, Place } from "@tiphys/model/artifact";
import { MemoryDriver } from "../testing/memory_driver.ts";
import { load, type Packing } from "./mod.ts";
import { testTransfer } from "../testing/transfer.ts";

const DISK_BYTES = 1 << 20;

async function run(program: string, ...args: string[]): Promise<boolean> {
  return await new Deno.Command(program, { args, stdout: "null", stderr: "null" }).output()
    .then(({ success }) => success, () => false);
}

/** Mounts a disk of {@link DISK_BYTES}; undefined if that is not possible. */
async function smallDisk(): Promise<{ readonly path: string } & AsyncDisposable | undefined> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  const isThere = await run("mount", "-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "small-disk", path);
  const forget = async () => {
    if (isThere) await run("umount", path);
    await Deno.remove(path);
  };
  if (isThere) return { path, [Symbol.asyncDispose]: forget };
  await forget();
  return undefined;
}

const CAN_MOUNT = await (async () => {
  await using disk = await smallDisk();
  return disk !== undefined;
})();

/** A store that does not report sizes, so that nothing can be rejected before it arrives. */
class SilentStore extends MemoryDriver {
  requests = 0;

  override async find(location: Place, stop: AbortSignal): Promise<ContentInfo> {
    this.requests++;
    const { kind } = await super.find(location, stop);
    return { kind };
  }
}

/** Returns the error of loading 4 MiB, and the files left after it. */
async function loading(disk: string, driver: Driver, packing: Packing, content: Uint8Array<ArrayBuffer>) {
  const place = { store: "memory", key: "big", settings: {} };
  const stop = new AbortController().signal;
  await driver.write(place, ReadableStream.from([content]), stop);
  const clock = fakeClock();
  const how = testTransfer(clock, stop);
  using folder = Folder.open(disk);
  const error = await assertRejects(
    () => clock.runUntil(load(driver, place, { target: { folder, name: "in" }, packing, transfer: how })),
    Error,
  );
  return { message: error.message, left: [...Deno.readDirSync(disk)], free: folder.freeBytes() };
}

async function packContent(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/big`, content);
    await run("tar", "-czf", `${folder}/tgz`, "-C", folder, "big");
    return await Deno.readFile(`${folder}/tgz`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  ...needs(
    "the right to mount",
    CAN_MOUNT,
    "a full disk is reported with its free space, is not retried, and leaves no file (AR-66)",
  ),
  fn: async () => {
    await using disk = await smallDisk();
    const { path } = disk!;
    const content = new Uint8Array(4 << 20);
    const store = new SilentStore();
    const { message, left, free } = await loading(path, store, "none", content);
    assertMatch(message, /No space left on device.*: \d+ bytes are free at \/.+/);
    assertEquals([message.endsWith(path), left, free, store.requests], [true, [], DISK_BYTES, 1]);

    const archive = new SilentStore();
    const unpacked = await loading(path, archive, "tar", await packContent(content));
    assertMatch(unpacked.message, /more than \d+ bytes/);
    assertEquals([unpacked.left, unpacked.free, archive.requests], [[], DISK_BYTES, 1]);
  },
});

Deno.test({
  ...needs("the right to mount", CAN_MOUNT, "content that is larger than the free space is rejected before it is read"),
  fn: async () => {
    await using disk = await smallDisk();
    const { message, left } = await loading(disk!.path, new MemoryDriver(), "none", new Uint8Array(4 << 20));
    assertEquals([message, left], [`it has ${4 << 20} bytes, and ${DISK_BYTES} are free at ${disk!.path}`, []]);
  },
});
