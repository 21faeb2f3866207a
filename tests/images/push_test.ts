import { assertEquals } from "@std/assert";
import { fullName, repositoryAndTag } from "./push.ts";

const NAMES: readonly [rule: string, name: string, expected: string][] = [
  ["a bare name is a library image", "busybox", "library/busybox:latest"],
  ["a tag is kept", "alpine:3.23", "library/alpine:3.23"],
  ["an owner is kept", "argoproj/argosay:v2", "argoproj/argosay:v2"],
  ["a registry is dropped", "quay.io/argoproj/argoexec:latest", "argoproj/argoexec:latest"],
  ["a registry with a port is dropped", "localhost:5000/a/b", "a/b:latest"],
];

for (const [rule, name, expected] of NAMES) {
  Deno.test(`repositoryAndTag(): ${rule}`, () => assertEquals(repositoryAndTag(name), expected));
}

Deno.test("fullName(): the registry is kept, and defaults to docker.io", () => {
  assertEquals(fullName("busybox"), "docker.io/library/busybox:latest");
  assertEquals(fullName("quay.io/argoproj/argoexec:latest"), "quay.io/argoproj/argoexec:latest");
});
