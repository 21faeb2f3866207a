import { assertEquals, assertStrictEquals } from "@std/assert";
import { COMPRESSION, templateForMain } from "./compression.ts";
import { parseTemplateJson } from "./template_shape.ts";

const text = (value: string | undefined, artifacts: readonly unknown[]) =>
  JSON.stringify({
    name: "t",
    metadata: { annotations: value === undefined ? {} : { [COMPRESSION]: value } },
    kept: { as: "it is" },
    outputs: { parameters: [{ name: "p", valueFrom: { path: "/p" } }], artifacts },
  });

Deno.test("templateForMain: disables compression of archives that are compressed with zstd later, and changes nothing else", () => {
  const given = text("zstd", [
    { name: "a", path: "/a", optional: true },
    { name: "b", path: "/b", archive: { tar: { compressionLevel: 9 } } },
    { name: "c", path: "/c", archive: { none: {} } },
    { name: "d", path: "/d", archive: { zip: {} } },
  ]);
  const archive = { tar: { compressionLevel: 0 } };
  assertEquals(
    templateForMain(given, parseTemplateJson(given)),
    text("zstd", [
      { name: "a", path: "/a", optional: true, archive },
      { name: "b", path: "/b", archive },
      { name: "c", path: "/c", archive: { none: {} } },
      { name: "d", path: "/d", archive: { zip: {} } },
    ]),
  );
});

Deno.test("templateForMain: returns the text unchanged without zstd", () => {
  for (const value of [undefined, "gzip", "other"]) {
    const given = ` ${text(value, [{ name: "a", path: "/a" }])}`;
    assertStrictEquals(templateForMain(given, parseTemplateJson(given)), given);
  }
});
