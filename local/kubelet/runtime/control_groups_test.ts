import { assertEquals } from "@std/assert";
import { ControlGroups, findHierarchy } from "./control_groups.ts";
import { limitsMemory } from "./testing/promises.ts";
import { needs } from "../../../lib/base/testing/needs.ts";

Deno.test("findHierarchy: returns that of the controller, from its root to the group of this process", () => {
  const mountinfo = [
    "22 1 0:20 / / rw - ext4 /dev/vda rw",
    "30 22 0:26 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu",
    "31 22 0:27 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory",
    "32 22 0:28 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw",
  ].join("\n");
  assertEquals(findHierarchy(mountinfo, "5:memory:/a/b\n1:cpu:/c\n0::/d\n", "memory"), {
    version: 1,
    folders: ["/sys/fs/cgroup/memory", "/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory/a/b"],
  });
});

Deno.test("findHierarchy: returns the unified hierarchy if there is no other", () => {
  const mountinfo = "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
  assertEquals(findHierarchy(mountinfo, "0::/user.slice/x.scope\n", "pids"), {
    version: 2,
    folders: ["/sys/fs/cgroup", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup/user.slice/x.scope"],
  });
  assertEquals(findHierarchy("22 1 0:20 / / rw - ext4 /dev/vda rw\n", "0::/\n", "memory"), undefined);
});

Deno.test("ControlGroups: creates no group without a usable hierarchy", () => {
  assertEquals(new ControlGroups("/x", {}).make({ memory: 2 ** 20 }), undefined);
  const memory = { version: 2, folders: ["/proc", "/nowhere"] } as const;
  assertEquals(new ControlGroups("/x", { memory }).make({ memory: 2 ** 20, pids: 5 }), undefined);
});

const folder = crypto.randomUUID();
Deno.test({
  ...needs(
    "control groups of memory",
    await limitsMemory(),
    "ControlGroups removes the groups that an earlier process over the folder left, and no others",
  ),
  async fn() {
    const limits = { memory: 2 ** 30, pids: 100 };
    const others = ControlGroups.onThisMachine(`${folder}-other`).make(limits)!;
    const left = ControlGroups.onThisMachine(folder).make(limits)!;
    await ControlGroups.onThisMachine(folder).removeLeftovers();
    const isMember = ({ members }: typeof left) =>
      members.every((file) => {
        const args = ["-c", 'echo 0 > "$0"', file];
        return new Deno.Command("sh", { args, stderr: "null" }).outputSync().success;
      });
    assertEquals([isMember(left), isMember(others)], [false, true]);
    await others.remove();
  },
});
