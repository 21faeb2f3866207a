import { assertEquals } from "@std/assert";
import { findHierarchy, MemoryGroups } from "./memory_groups.ts";
import { limitsMemory } from "./testing/promises.ts";
import { needs } from "../../../lib/testing/needs.ts";

Deno.test("findHierarchy() takes the one that counts memory, from its root to our own group", () => {
  const mountinfo = [
    "22 1 0:20 / / rw - ext4 /dev/vda rw",
    "30 22 0:26 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu",
    "31 22 0:27 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory",
    "32 22 0:28 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw",
  ].join("\n");
  assertEquals(findHierarchy(mountinfo, "5:memory:/a/b\n1:cpu:/c\n0::/d\n"), {
    version: 1,
    folders: ["/sys/fs/cgroup/memory", "/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory/a/b"],
  });
});

Deno.test("findHierarchy() takes the unified one where there is no other", () => {
  const mountinfo = "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
  assertEquals(findHierarchy(mountinfo, "0::/user.slice/x.scope\n"), {
    version: 2,
    folders: ["/sys/fs/cgroup", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup/user.slice/x.scope"],
  });
  assertEquals(findHierarchy("22 1 0:20 / / rw - ext4 /dev/vda rw\n", "0::/\n"), undefined);
});

Deno.test("MemoryGroups makes none where there is no hierarchy, or none that lets it", () => {
  assertEquals(new MemoryGroups("/x", undefined).make(2 ** 20), undefined);
  assertEquals(new MemoryGroups("/x", { version: 2, folders: ["/proc", "/nowhere"] }).make(2 ** 20), undefined);
});

const folder = crypto.randomUUID();
Deno.test({
  ...needs(
    "control groups of memory",
    await limitsMemory(),
    "MemoryGroups removes the groups that an earlier process over the folder left, and no others",
  ),
  async fn() {
    const others = MemoryGroups.onThisMachine(`${folder}-other`).make(2 ** 30)!;
    const left = MemoryGroups.onThisMachine(folder).make(2 ** 30)!;
    await MemoryGroups.onThisMachine(folder).removeLeftovers();
    const isMember = (group: typeof left) => {
      const [command, ...args] = group.join(["true"]);
      return new Deno.Command(command!, { args, stderr: "null" }).outputSync().success;
    };
    assertEquals([isMember(left), isMember(others)], [false, true]);
    await others.remove();
  },
});
