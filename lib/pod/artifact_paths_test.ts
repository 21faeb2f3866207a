import { assertEquals } from "@std/assert";
import { isBaseImagePath, overlappingMount, userVolumeMounts } from "./artifact_paths.ts";

const SHARED = { name: "all", mountPath: "/data" };
const INNER = { name: "inner", mountPath: "/data/inner/" };

Deno.test("userVolumeMounts() takes the mounts that all members of a container set share", () => {
  assertEquals(userVolumeMounts({ containerSet: { volumeMounts: [SHARED] } }), [SHARED]);
  assertEquals(userVolumeMounts({}), []);
});

Deno.test("overlappingMount() finds the innermost mount that holds a path, by meaning and not by spelling", () => {
  const template = { container: { volumeMounts: [SHARED, INNER] } };
  assertEquals(overlappingMount(template, "/data/inner/x")?.name, "inner");
  assertEquals(overlappingMount(template, "/data//other")?.name, "all");
  assertEquals(overlappingMount(template, "/database"), undefined);
});

Deno.test("isBaseImagePath() is false in a user volume, in both layouts", () => {
  const template = { container: { volumeMounts: [SHARED] } };
  for (const isInitless of [true, false]) {
    assertEquals(isBaseImagePath(template, "/data/x", isInitless), false);
  }
});

Deno.test("isBaseImagePath() counts inputs as volumes in the legacy layout only, and unsupplied ones not at all", () => {
  const input = { name: "a", path: "/in/a/", optional: true };
  const ask = (artifact: object, isInitless: boolean) =>
    isBaseImagePath({ inputs: { artifacts: [{ ...input, ...artifact }] } }, "/in/a/below", isInitless);
  assertEquals(ask({ raw: { data: "x" } }, true), true);
  assertEquals(ask({ raw: { data: "x" } }, false), false);
  assertEquals(ask({}, false), true);
  assertEquals(ask({ optional: false }, false), false);
});
