import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { withEdits } from "@tiphys/model/yaml";
import { manifestText, readManifest } from "./manifest.ts";
import { mergeManifests } from "./manifest_merge.ts";

const work = (image: string) => ({ name: "work", container: { image } });

function template(
  version: string,
  spec: Readonly<Record<string, unknown>>,
  labels: Readonly<Record<string, string>> = {},
) {
  return {
    kind: "WorkflowTemplate",
    metadata: { name: "etl", resourceVersion: version, uid: "u", generation: Number(version), labels },
    spec,
  };
}

const objectOf = (text: string) => {
  const read = readManifest(text);
  return "object" in read ? read.object : undefined;
};

Deno.test("mergeManifests: applies the stored changes to the user's text, with its comments and the stored version", () => {
  const began = template("1", { entrypoint: "main", templates: [work("a:1"), { name: "old", suspend: {} }] });
  const mine = manifestText(began).replace("entrypoint: main", "entrypoint: work # mine");
  const theirs = template("2", { entrypoint: "main", templates: [work("a:2"), { name: "new", suspend: {} }] }, {
    team: "b",
  });
  const merge = mergeManifests(began, mine, theirs);
  assertEquals(merge?.accepted, [
    "metadata.labels.team",
    "spec.templates[work].container.image",
    "spec.templates[old]",
    "spec.templates[new]",
  ]);
  assertEquals(merge?.conflicts, []);
  assertEquals(merge?.text.includes("entrypoint: work # mine"), true);
  assertEquals(objectOf(merge!.text), {
    kind: "WorkflowTemplate",
    metadata: { name: "etl", resourceVersion: "2", labels: { team: "b" } },
    spec: { entrypoint: "work", templates: [work("a:2"), { name: "new", suspend: {} }] },
  });
});

Deno.test("mergeManifests: a change on both sides is a conflict, and mine is kept until theirs is taken", () => {
  const began = template("1", { templates: [work("a:1")], parallelism: 1 });
  const mine = manifestText(template("1", { templates: [work("mine")] }));
  const merge = mergeManifests(began, mine, template("2", { templates: [work("theirs")], parallelism: 2 }));
  assertEquals(merge?.accepted, []);
  assertEquals(merge?.conflicts.map(({ place, mine, theirs }) => [place, mine, theirs]), [
    ["spec.parallelism", undefined, "2"],
    ["spec.templates[work].container.image", "mine", "theirs"],
  ]);
  assertEquals(objectOf(merge!.text), objectOf(mine.replace('resourceVersion: "1"', 'resourceVersion: "2"')));
  const taken = withEdits(merge!.text, merge!.conflicts.map(({ takeTheirs }) => takeTheirs));
  assertEquals(fieldsAt(taken!), { templates: [work("theirs")], parallelism: 2 });
});

const fieldsAt = (text: string) => (objectOf(text) as { spec: unknown }).spec;

Deno.test("mergeManifests: the same change on both sides is not a conflict, and lists without names are merged as a whole", () => {
  const began = template("1", { args: ["a", "b"], image: "x" });
  const mine = manifestText(template("1", { args: ["a", "c"], image: "y" }));
  const merge = mergeManifests(began, mine, template("2", { args: ["d", "b"], image: "y" }));
  assertEquals([merge?.accepted, merge?.conflicts.map(({ place }) => place)], [[], ["spec.args"]]);
});

Deno.test("mergeManifests: a field named like a method of every object is an ordinary field", () => {
  const began = template("1", { constructor: 1, toString: 2 });
  const mine = manifestText(template("1", {}));
  const merge = mergeManifests(began, mine, template("2", { constructor: 1, toString: 3 }));
  assertEquals(merge?.conflicts.map(({ place, mine }) => [place, mine]), [["spec.toString", undefined]]);
});

Deno.test("mergeManifests: a text without a version stays without one, and an invalid text is not merged", () => {
  const began = template("1", { a: 1 });
  const mine = manifestText(began).replace(/ *resourceVersion: "1"\n/, "");
  const merge = mergeManifests(began, mine, template("2", { a: 2 }));
  assertEquals(merge?.text.includes("resourceVersion"), false);
  assertEquals(fieldsAt(merge!.text), { a: 2 });
  for (const text of ["a: [", "[]", "1"]) assertEquals(mergeManifests(began, text, template("2", {})), undefined, text);
});

Deno.test("mergeManifests: one side without changes yields the other side", () => {
  const value = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 }));
  const named = fc.uniqueArray(fc.record({ name: fc.constantFrom("a", "b", "c"), x: value }), {
    selector: ({ name }) => name,
  });
  const spec = fc.dictionary(
    fc.constantFrom("one", "two", "three"),
    fc.oneof(value, named, fc.dictionary(fc.constantFrom("in", "out"), value)),
  );
  fc.assert(fc.property(spec, spec, (before, after) => {
    const [began, theirs] = [template("1", before), template("1", after)];
    const taken = mergeManifests(began, manifestText(began), theirs);
    assertEquals(taken?.conflicts, []);
    assertEquals(byOrder(objectOf(taken!.text)), byOrder(objectOf(manifestText(theirs))));
    assertEquals(mergeManifests(began, manifestText(theirs), began)?.text, manifestText(theirs));
  }));
});

/** Sorts lists by name: new items are at the end of a list. */
function byOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(byOrder);
    return items.every((item) => typeof (item as { name?: unknown })?.name === "string")
      ? items.toSorted((a, b) => (a as { name: string }).name < (b as { name: string }).name ? -1 : 1)
      : items;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, byOrder(child)]));
}
