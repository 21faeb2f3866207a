import { assertEquals } from "@std/assert";
import { formatMeasures, withMeasures, withoutMeasures } from "./artifact_measures.ts";

const MEASURED = [{ name: "file", digest: "sha256:0", size: 3 }, { name: "folder", size: 0, objects: 2 }];

Deno.test("measures: withMeasures reads the output of formatMeasures", () => {
  assertEquals(withMeasures(MEASURED.map(withoutMeasures), formatMeasures(MEASURED)!), MEASURED);
});

Deno.test("measures: artifacts without measures have no text", () => {
  assertEquals(formatMeasures([{ name: "a" }]), undefined);
  assertEquals(formatMeasures([]), undefined);
});

Deno.test("measures: are omitted if they exceed an annotation", () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({ name: `artifact-${index}`, size: index }));
  assertEquals(formatMeasures(many), undefined);
});

for (
  const text of [
    "",
    "null",
    "[1]",
    '{"file": 1}',
    '{"file": {"size": -1, "digest": 5, "objects": "2"}}',
    '{"__proto__": {"size": 1}}',
  ]
) {
  Deno.test(`measures: ${text || "an empty text"} has no measures and removes those of the artifact`, () => {
    const others: unknown[] = withMeasures(MEASURED, text);
    assertEquals(others, [{ name: "file" }, { name: "folder" }]);
  });
}
