import { assertEquals } from "@std/assert";
import { containerIds } from "./container_ids.ts";

const ALL = "         0          0 4294967295\n";

function idsOf(files: Record<string, string>, uid = 0) {
  const whole = { "/proc/self/uid_map": ALL, "/proc/self/gid_map": ALL, ...files };
  return containerIds((path) => (whole as Record<string, string>)[path] ?? "", uid);
}

Deno.test("containerIds: returns IDs that are not in use", () => {
  assertEquals(idsOf({ "/etc/passwd": "root:x:0:0::/root:/bin/sh\n" }), { first: 2_000_000_000, count: 131_072 });
});

const taken: readonly { rule: string; files: Record<string, string> }[] = [
  { rule: "a user", files: { "/etc/passwd": "x:x:2000000000:5::/:/bin/sh\n" } },
  { rule: "a group", files: { "/etc/group": "x:x:2000131071:\n" } },
  { rule: "somebody's subordinate users", files: { "/etc/subuid": "x:1999999000:65536\n" } },
  { rule: "somebody's subordinate groups", files: { "/etc/subgid": "x:2000131000:65536\n" } },
];

for (const { rule, files } of taken) {
  Deno.test(`containerIds: skips IDs that are used by ${rule}`, () => {
    assertEquals(idsOf(files)?.first, rule === "somebody's subordinate groups" ? 2_000_262_144 : 2_000_131_072);
  });
}

Deno.test("containerIds: returns the IDs that /etc/subuid and /etc/subgid assign, if they are enough", () => {
  const line = "other:100000:65536\ntiphys:700000:131072\n";
  assertEquals(idsOf({ "/etc/subuid": line, "/etc/subgid": line })?.first, 700_000);
  assertEquals(idsOf({ "/etc/subuid": line, "/etc/subgid": "tiphys:800000:131072\n" })?.first, 2_000_000_000);
  const few = "tiphys:700000:65536\n";
  assertEquals(idsOf({ "/etc/subuid": few, "/etc/subgid": few })?.first, 2_000_000_000);
});

Deno.test("containerIds: undefined without root, or in a user namespace without these IDs", () => {
  assertEquals(idsOf({}, 1000), undefined);
  assertEquals(idsOf({ "/proc/self/uid_map": "0 1000 1\n1 100000 65536\n" }), undefined);
  assertEquals(idsOf({ "/proc/self/gid_map": "" }), undefined);
});
