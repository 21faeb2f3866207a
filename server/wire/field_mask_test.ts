import { assertEquals, assertThrows } from "@std/assert";
import { fieldMask } from "./field_mask.ts";

const LIST = {
  metadata: { continue: "1", resourceVersion: "7" },
  items: [
    { metadata: { name: "a", namespace: "n" }, status: { phase: "Running", nodes: { x: {} } } },
    { metadata: { name: "b", namespace: "n" } },
  ],
};

Deno.test("fieldMask: selects exact names, not prefixes", () => {
  assertEquals(fieldMask("metadata,items.metadata.namespace").apply(LIST), {
    metadata: LIST.metadata,
    items: [{ metadata: { namespace: "n" } }, { metadata: { namespace: "n" } }],
  });
  assertEquals(fieldMask("items.metadata.names").apply(LIST), { items: [{}, {}] });
  assertEquals(fieldMask("items.status.phase").apply(LIST), { items: [{ status: { phase: "Running" } }, {}] });
});

Deno.test("fieldMask: a leading minus omits all paths", () => {
  assertEquals(fieldMask("-items.status.nodes,items.metadata.namespace").apply(LIST), {
    metadata: LIST.metadata,
    items: [{ metadata: { name: "a" }, status: { phase: "Running" } }, { metadata: { name: "b" } }],
  });
});

Deno.test("fieldMask: an empty mask selects everything", () => {
  assertEquals(fieldMask("").apply(LIST), LIST);
  assertEquals(fieldMask(undefined).includes("items.status.nodes"), true);
});

Deno.test("fieldMask: includes reports whether a path is selected, without a value", () => {
  assertEquals(fieldMask("-items.status.nodes").includes("items.status.nodes"), false);
  assertEquals(fieldMask("items.status").includes("items.status.nodes"), true);
  assertEquals(fieldMask("items.status.nodes.x").includes("items.status.nodes"), true);
  assertEquals(fieldMask("items.metadata").includes("items.status.nodes"), false);
  assertEquals(fieldMask("-items.status.nodes.x").includes("items.status.nodes"), true);
});

Deno.test("fieldMask: a path that is too deep is refused", () => {
  const path = Array.from({ length: 200 }, () => "a").join(".");
  assertEquals(fieldMask(path).apply(LIST), {});
  assertThrows(() => fieldMask(`metadata,${path}.a`), Error, "fields: a path has more than 200 segments");
});
