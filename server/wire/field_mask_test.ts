import { assertEquals, assertThrows } from "@std/assert";
import { fieldMask } from "./field_mask.ts";

const LIST = {
  metadata: { continue: "1", resourceVersion: "7" },
  items: [
    { metadata: { name: "a", namespace: "n" }, status: { phase: "Running", nodes: { x: {} } } },
    { metadata: { name: "b", namespace: "n" } },
  ],
};

Deno.test("a mask keeps what it names and nothing whose name only begins alike", () => {
  assertEquals(fieldMask("metadata,items.metadata.namespace").apply(LIST), {
    metadata: LIST.metadata,
    items: [{ metadata: { namespace: "n" } }, { metadata: { namespace: "n" } }],
  });
  assertEquals(fieldMask("items.metadata.names").apply(LIST), { items: [{}, {}] });
  assertEquals(fieldMask("items.status.phase").apply(LIST), { items: [{ status: { phase: "Running" } }, {}] });
});

Deno.test("a minus before the first path leaves all of them out", () => {
  assertEquals(fieldMask("-items.status.nodes,items.metadata.namespace").apply(LIST), {
    metadata: LIST.metadata,
    items: [{ metadata: { name: "a" }, status: { phase: "Running" } }, { metadata: { name: "b" } }],
  });
});

Deno.test("an empty mask wants everything", () => {
  assertEquals(fieldMask("").apply(LIST), LIST);
  assertEquals(fieldMask(undefined).wants("items.status.nodes"), true);
});

Deno.test("whether nodes are wanted is known before they are loaded", () => {
  assertEquals(fieldMask("-items.status.nodes").wants("items.status.nodes"), false);
  assertEquals(fieldMask("items.status").wants("items.status.nodes"), true);
  assertEquals(fieldMask("items.status.nodes.x").wants("items.status.nodes"), true);
  assertEquals(fieldMask("items.metadata").wants("items.status.nodes"), false);
  assertEquals(fieldMask("-items.status.nodes.x").wants("items.status.nodes"), true);
});

Deno.test("a path that is deeper than any answer is refused before it is made into a mask", () => {
  const path = Array.from({ length: 200 }, () => "a").join(".");
  assertEquals(fieldMask(path).apply(LIST), {});
  assertThrows(() => fieldMask(`metadata,${path}.a`), Error, "fields: a path has more than 200 names");
});
