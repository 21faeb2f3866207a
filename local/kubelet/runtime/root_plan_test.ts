import { assertEquals } from "@std/assert";
import { type Machine, parseMountInfo } from "./machine.ts";
import { type FileSystem, planRoot, resolveTarget } from "./root_plan.ts";

/** A machine with folders, and links by their targets. */
function fakeFiles(folders: readonly string[], links: Record<string, string> = {}): FileSystem {
  return {
    kindOf: (path) => path in links ? "link" : folders.includes(path) ? "folder" : undefined,
    readLink: (path) => links[path]!,
  };
}

const machine: Machine = {
  topLevel: [
    { kind: "link", name: "bin", target: "usr/bin" },
    { kind: "folder", name: "data" },
    { kind: "folder", name: "home" },
    { kind: "folder", name: "proc" },
    { kind: "folder", name: "usr" },
    { kind: "folder", name: "var" },
  ],
  mounts: ["/", "/data/disk", "/proc"],
};
const files = fakeFiles(["/data", "/data/disk", "/home", "/usr", "/var", "/run"], { "/var/run": "/run" });
const mount = (target: string) => ({ source: "/volumes/v", target, readOnly: false });
const plan = (targets: readonly string[], options: { overlays?: boolean; workingDir?: string } = {}) =>
  planRoot(machine, targets.map(mount), files, { overlays: options.overlays ?? true, workingDir: options.workingDir });

Deno.test("planRoot: shows the machine's programs, and no files of users or of the running system", () => {
  const { layers, links, folders } = plan([]);
  assertEquals(layers.map(({ path, kind }) => [path, kind]), [["/data", "bind"], ["/usr", "overlay"], [
    "/var",
    "overlay",
  ]]);
  assertEquals(links, [{ path: "/bin", target: "usr/bin" }]);
  const made = new Map(folders.map(({ path, mode }) => [path, mode]));
  assertEquals([made.get("/home"), made.get("/tmp"), made.get("/root")], ["755", "1777", "700"]);
});

Deno.test("planRoot: uses an empty folder if a mount point cannot be created in the machine's folder", () => {
  assertEquals(plan(["/data/new"]).layers.map(({ path }) => path), ["/usr", "/var"]);
  assertEquals(plan(["/data/disk"]).layers.map(({ path }) => path), ["/data", "/usr", "/var"]);
  assertEquals(plan(["/usr/new/place"]).layers.map(({ path }) => path), ["/data", "/usr", "/var"]);
  assertEquals(plan(["/usr/new/place"], { overlays: false }).layers.map(({ path }) => path), ["/data", "/var"]);
});

Deno.test("planRoot: resolves the working folder like a mount point; it is the root by default", () => {
  assertEquals(plan([], { workingDir: "/var/run/x" }).workingDir, "/run/x");
  assertEquals(plan([]).workingDir, "/");
});

const targets: readonly { rule: string; target: string; resolved: string }[] = [
  { rule: "follows the machine's links", target: "/var/run/argo", resolved: "/run/argo" },
  { rule: "keeps what is not there", target: "/argo/staging", resolved: "/argo/staging" },
  { rule: "does not follow links in folders that are shown empty", target: "/tmp/link/x", resolved: "/tmp/link/x" },
  { rule: "cleans the path", target: "//usr/./lib/", resolved: "/usr/lib" },
  { rule: "cannot climb above the root", target: "/../../etc", resolved: "/etc" },
  { rule: "survives a link to itself", target: "/loop/x", resolved: "/loop/x" },
];

for (const { rule, target, resolved } of targets) {
  Deno.test(`resolveTarget: ${rule}`, () => {
    const links = { "/var/run": "/run", "/tmp/link": "/etc", "/loop": "/loop" };
    assertEquals(resolveTarget(target, fakeFiles([], links)), resolved);
  });
}

Deno.test("parseMountInfo: reads paths with spaces, each once", () => {
  const text = [
    "21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw",
    "22 21 8:2 / /my\\040disk rw,nosuid,nodev - ext4 /dev/sdb1 rw",
    "23 22 8:3 / /my\\040disk rw,noexec - tmpfs tmpfs rw",
    "",
  ].join("\n");
  assertEquals(parseMountInfo(text), ["/", "/my disk"]);
});
