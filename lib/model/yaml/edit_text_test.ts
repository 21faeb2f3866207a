import { assertEquals } from "@std/assert";
import { type Edit, withEdits } from "./edit_text.ts";
import { parseYaml } from "./parse.ts";

const TEXT = `# ours
spec:
  entrypoint: main # the way in
  templates:
  # the worker
  - name: work
    container:
      image: alpine:3 # pinned
  - name: clean
    suspend: {}
`;

const work: Edit["path"] = ["spec", "templates", { name: "work" }];

Deno.test("withEdits: setting a value preserves comments and order", () => {
  assertEquals(
    withEdits(TEXT, [{ path: [...work, "container", "image"], value: "alpine:4" }]),
    TEXT.replace("alpine:3", "alpine:4"),
  );
});

Deno.test("withEdits: adds missing fields and items and removes undefined ones", () => {
  const edited = withEdits(TEXT, [
    { path: ["spec", "onExit"], value: "clean" },
    { path: ["spec", "templates", { name: "new" }], value: { name: "new", container: { image: "a" } } },
    { path: ["spec", "templates", { name: "clean" }], value: undefined },
    { path: ["spec", "entrypoint"], value: undefined },
    { path: ["spec", "nothing"], value: undefined },
    { path: ["spec", "templates", { name: "nothing" }], value: undefined },
  ]);
  assertEquals(edited?.includes("# the worker"), true);
  assertEquals(parseYaml(edited!)[0]?.value, {
    spec: {
      templates: [
        { name: "work", container: { image: "alpine:3" } },
        { name: "new", container: { image: "a" } },
      ],
      onExit: "clean",
    },
  });
});

Deno.test("withEdits: quotes text that is ambiguous in YAML", () => {
  const edited = withEdits(TEXT, [{ path: ["spec", "entrypoint"], value: "1" }, {
    path: ["spec", "at"],
    value: "yes",
  }]);
  const spec = (parseYaml(edited!)[0]?.value as { spec: Record<string, unknown> }).spec;
  assertEquals([spec.entrypoint, spec.at], ["1", "yes"]);
});

Deno.test("withEdits: returns the text unchanged without edits, and undefined for an impossible edit", () => {
  assertEquals(withEdits("a: [", []), "a: [");
  const edit = (path: Edit["path"]): readonly Edit[] => [{ path, value: 1 }];
  for (
    const [text, path] of [
      ["a: [", ["a"]],
      ["a: 1\n---\nb: 2\n", ["a"]],
      ["", ["a"]],
      ["a: 1", ["a", "b"]],
      ["a: {b: 1}", ["a", { name: "b" }]],
      ["a: [{name: b}]", ["a", "b"]],
      ["a: &x {b: 1}\nc: *x", ["a", "b"]],
      ["a: &x {b: 1}\nc: *x", ["c", "b"]],
      ["a: &x 1\nc: *x", ["a"]],
      ["a: [{name: b, c: 1}]", ["a", { name: "none" }, "c"]],
    ] as const
  ) {
    assertEquals(withEdits(text, edit(path as unknown as Edit["path"])), undefined, text);
  }
});
