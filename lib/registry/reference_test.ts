import { assertEquals, assertThrows } from "@std/assert";
import { ImageError } from "./image_error.ts";
import { canonicalName, familiarName, parseReference } from "./reference.ts";

const DIGEST = `sha256:${"ab".repeat(32)}`;

const rows: readonly (readonly [string, string, string])[] = [
  ["a bare name is of docker.io's library and has the tag latest", "busybox", "docker.io/library/busybox:latest"],
  ["a folder is somebody's at docker.io", "argoproj/argosay:v2", "docker.io/argoproj/argosay:v2"],
  ["a first word with a dot is a registry", "ghcr.io/a/b/c:1", "ghcr.io/a/b/c:1"],
  ["a first word with a port is a registry", "localhost:5000/tool", "localhost:5000/tool:latest"],
  ["localhost is a registry", "localhost/tool", "localhost/tool:latest"],
  ["docker.io has a second name", "index.docker.io/library/busybox:1", "docker.io/library/busybox:1"],
  ["a digest makes the tag say nothing", `busybox:1@${DIGEST}`, `docker.io/library/busybox@${DIGEST}`],
];

for (const [rule, name, full] of rows) {
  Deno.test(`parseReference: ${rule}`, () => assertEquals(canonicalName(parseReference(name)), full));
}

Deno.test("familiarName: omits the defaults", () => {
  assertEquals(familiarName(parseReference("docker.io/library/busybox:latest")), "busybox:latest");
  assertEquals(familiarName(parseReference("ghcr.io/a/b:1")), "ghcr.io/a/b:1");
});

const NO_NAMES = ["", "Upper", "a b", "a:b:c", "busybox@sha256:12", "a//b", "-a", `${"a".repeat(100_000)}-`];
const NO_REGISTRIES = [
  ...[
    "evil.com?x/a",
    "evil.com#/a",
    "\u001b[31m.com/a",
    "a.b\n/c",
    "http://a.b/c",
    "..:1/a",
    "a.b:x/c",
    "a.b:123456/c",
    "[::1/a",
  ],
];

Deno.test("parseReference: rejects an invalid name with the kubelet's reason", () => {
  for (const name of [...NO_NAMES, ...NO_REGISTRIES]) {
    const error = assertThrows(() => parseReference(name), ImageError, "invalid reference format");
    assertEquals(error.reason, "InvalidImageName", name);
  }
});
