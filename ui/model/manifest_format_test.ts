import { assert, assertEquals } from "@std/assert";
import { formatOf, otherFormat } from "./manifest_format.ts";
import { readManifest } from "./manifest.ts";

const TEXT = `# ours
kind: Workflow
metadata:
  name: a # the name
spec:
  entrypoint: main
  templates:
  # the worker
  - name: main
    container:
      image: busybox
`;

function convertFormat(...args: Parameters<typeof otherFormat>) {
  const found = otherFormat(...args);
  assert("text" in found, JSON.stringify(found));
  return found;
}

Deno.test("otherFormat: converts YAML to equivalent JSON without comments", () => {
  const json = convertFormat(TEXT, undefined);
  assertEquals([formatOf(TEXT), formatOf(json.text), json.losesComments], ["YAML", "JSON", true]);
  assertEquals(readManifest(json.text), readManifest(TEXT));
  assertEquals(convertFormat("kind: Workflow\n", undefined).losesComments, false);
});

Deno.test("otherFormat: the conversion back restores the former text with changes and all comments", () => {
  const json = convertFormat(TEXT, undefined);
  assertEquals(convertFormat(json.text, json.former).text, TEXT);
  const changed = convertFormat(json.text.replace("busybox", "alpine"), json.former);
  assertEquals([changed.text, changed.losesComments], [TEXT.replace("busybox", "alpine"), false]);
});

Deno.test("otherFormat: reports comments that are lost", () => {
  const json = convertFormat(TEXT, undefined);
  const status = json.text.replace('"kind"', '"status": {"phase": "Running"},\n  "kind"');
  const back = convertFormat(status, json.former);
  assertEquals([back.losesComments, readManifest(back.text)], [true, readManifest(status)]);
  assertEquals(convertFormat('{"kind": "Workflow"}', undefined), {
    text: "kind: Workflow\n",
    former: undefined,
    losesComments: false,
  });
});

Deno.test("otherFormat: a text that is not one manifest stays unchanged and has a problem", () => {
  for (const text of ["", "a: [", "a: 1\n---\nb: 2\n", "{"]) {
    const found = otherFormat(text, undefined);
    assert("problem" in found && found.problem !== "", text);
  }
});
