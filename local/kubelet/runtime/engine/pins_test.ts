import { assertEquals, assertRejects } from "@std/assert";
import { canMakePrograms } from "@tiphys/portable/elf";
import { needs } from "../../../../lib/base/testing/needs.ts";
import type { ContainerSpec, Mount } from "../runtime.ts";
import { CannotPinError, pinMounts } from "./pins.ts";

function test(name: string, fn: (volume: string) => Promise<void>): void {
  Deno.test({
    ...needs("Linux", canMakePrograms(), name),
    async fn() {
      const volume = await Deno.makeTempDir();
      try {
        await fn(volume);
      } finally {
        await Deno.remove(volume, { recursive: true });
      }
    },
  });
}

const withMounts = (...mounts: Mount[]) => ({ mounts }) as unknown as ContainerSpec;

test("pinMounts: without root, refuses a path below a writable volume, and creates nothing there", async (volume) => {
  const mount = { source: volume, below: "a/b", target: "/m", readOnly: true };
  await assertRejects(
    () => pinMounts(withMounts(mount), false),
    CannotPinError,
    'the subPath "a/b" of the volume at /m cannot be',
  );
  assertEquals([...Deno.readDirSync(volume)], []);
});

test("pinMounts: without root, returns a checked path below a fixed volume", async (volume) => {
  await Deno.writeTextFile(`${volume}/key`, "");
  await Deno.symlink("/etc", `${volume}/out`);
  const mount = { source: volume, target: "/m", readOnly: true, isFixed: true };
  await using pins = await pinMounts(withMounts({ ...mount, below: "key" }), false);
  assertEquals(pins.mounts, [{ ...mount, source: `${volume}/key` }]);
  for (const below of ["out", "out/passwd", "missing"]) {
    await assertRejects(() => pinMounts(withMounts({ ...mount, below }), false), CannotPinError);
  }
});
