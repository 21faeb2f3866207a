import { assertEquals, assertThrows } from "@std/assert";
import { needs } from "../../../lib/base/testing/needs.ts";
import { chooseLauncher, expectRecentKernel } from "./choose_launcher.ts";
import { RuntimeUnavailable } from "./runtime.ts";

/** Whether a trial succeeds on this machine. */
async function triesContainers(of: "image" | "machine"): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    await chooseLauncher(folder, of);
    return true;
  } catch (error) {
    if (error instanceof RuntimeUnavailable) return false;
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function ownerOfNull(): (number | null)[] {
  const { uid, gid, mode } = Deno.statSync("/dev/null");
  return [uid, gid, mode];
}

// The owner is read before any trial, because a failed trial would affect the next one.
const before = ownerOfNull();
const isAllowed = Deno.build.os === "linux" && await triesContainers("image") && await triesContainers("machine");

Deno.test({
  ...needs("namespaces", isAllowed, "a trial does not change the owner of /dev/null, which receives its output"),
  fn() {
    assertEquals(ownerOfNull(), before);
  },
});

Deno.test("chooseLauncher: a kernel that is too old is refused by its version", () => {
  for (const release of ["5.12.0", "5.15.0-91-generic", "6.1.0-13-amd64", "10.0"]) expectRecentKernel(release);
  for (const release of ["5.11.22", "4.18.0-553.el8.x86_64", "3.10"]) {
    assertThrows(
      () => expectRecentKernel(release),
      RuntimeUnavailable,
      `Linux 5.12 or later is required, and this is ${release}`,
    );
  }
});
