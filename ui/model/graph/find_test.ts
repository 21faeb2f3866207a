import { assertEquals } from "@std/assert";
import { runToEnd } from "../run_to_end.ts";
import { findParts, keyAmong } from "./find.ts";
import { makePart } from "./make_part.ts";
import { OUTERMOST_KEY } from "./parts.ts";

function leaf(name: string, facts: { message?: string; value?: string; template?: string } = {}) {
  const { message, value, template } = facts;
  return makePart({
    key: `run.${name}`,
    label: name,
    kind: "leaf",
    template,
    family: "done",
    node: {
      id: `run-${name.length}`,
      name: `run.${name}`,
      type: "Pod",
      ...(message === undefined ? {} : { message }),
      ...(value === undefined ? {} : { outputs: { parameters: [{ name: "out", value }] } }),
    },
  });
}

Deno.test("findParts: finds by name, template, message, ID and value, ignoring case, in the order of the graph", () => {
  const members = [
    leaf("Needle"),
    leaf("b", { message: "a NEEDLE" }),
    leaf("c", { value: "needles" }),
    leaf("d", { template: "needle" }),
    leaf("e"),
  ];
  const whole = makePart({ key: OUTERMOST_KEY, label: "needle", kind: "box", members });
  const found = (text: string) => [...runToEnd(findParts(whole, text))];
  assertEquals(found(" needle "), ["run.Needle", "run.b", "run.c", "run.d"]);
  assertEquals(found("run-6"), ["run.Needle"]);
  assertEquals([found(" "), found("nowhere")], [[], []]);
});

Deno.test("findParts: pauses in a large graph", () => {
  const members = Array.from({ length: 5_000 }, (_, index) => leaf(`t${index}`));
  const whole = makePart({ key: OUTERMOST_KEY, label: "", kind: "box", members });
  let rests = 0;
  const work = findParts(whole, "t499");
  while (!work.next().done) rests++;
  assertEquals(rests, 5);
  assertEquals(runToEnd(findParts(whole, "t499")).size, 11);
});

Deno.test("keyAmong: wraps around at both ends, and starts at the first or the last", () => {
  const keys = ["a", "b", "c"];
  assertEquals([keyAmong(keys, "a", 1), keyAmong(keys, "c", 1), keyAmong(keys, "a", -1)], ["b", "a", "c"]);
  assertEquals([keyAmong(keys, undefined, 1), keyAmong(keys, "other", -1)], ["a", "c"]);
  assertEquals([keyAmong([], undefined, 1), keyAmong([], "a", -1)], [undefined, undefined]);
});
