import { assertEquals } from "@std/assert";
import { hasStore } from "./artifact_stores.ts";

Deno.test("hasStore() tells an artifact that says where it lies from one that does not", () => {
  assertEquals([hasStore({ name: "a", s3: {} }), hasStore({ name: "a", path: "/a" })], [true, false]);
});
