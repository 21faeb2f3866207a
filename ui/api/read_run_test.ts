import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { validateRun } from "./read_run.ts";

function read(run: object): Workflow {
  const reading = validateRun({ metadata: { name: "etl" }, ...run } as unknown as Workflow);
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}
const NODE = { id: "a", name: "etl", type: "Pod", phase: "Failed", children: ["b"] };

Deno.test("readRun: keeps a valid node as the same object, and drops unset times", () => {
  const run = read({
    spec: {},
    status: { phase: "Running", finishedAt: null, nodes: { a: NODE, b: { ...NODE, startedAt: null } } },
  });
  assert(run.status?.nodes?.a === NODE as unknown);
  assertEquals(run.status?.nodes?.b as unknown, NODE);
  assertEquals(Object.keys(run.status ?? {}), ["phase", "nodes"]);
});

Deno.test("readRun: an invalid node has the error as message, and others are kept", () => {
  const { status } = read({
    status: {
      nodes: {
        a: null,
        b: { ...NODE, children: [null] },
        c: NODE,
        d: { id: "d" },
        e: { ...NODE, resourcesDuration: 7 },
        f: { ...NODE, resourcesDuration: [7] },
      },
    },
  });
  assertEquals(Object.values(status?.nodes ?? {}).map(({ id, phase, message }) => [id, phase, message]), [
    ["a", "Error", "this node cannot be read: expected object, got null"],
    ["b", "Error", "this node cannot be read: children[0]: expected string, got null"],
    ["a", "Failed", undefined],
    ["d", "Error", "this node cannot be read: name is required"],
    ["e", "Error", "this node cannot be read: resourcesDuration: expected object, got a number"],
    ["f", "Error", "this node cannot be read: resourcesDuration: expected object, got a list"],
  ]);
});

Deno.test("readRun: drops fields of the wrong type from the run and its metadata", () => {
  const run = read({
    metadata: { name: "etl", labels: { team: 7 }, uid: "u" },
    spec: { entrypoint: "main", templates: "many", arguments: { parameters: [{ value: "x" }] } },
    status: { phase: 3, message: "it works", nodes: [NODE] },
  });
  assertEquals(run as unknown, {
    metadata: { name: "etl", uid: "u" },
    spec: { entrypoint: "main" },
    status: { message: "it works" },
  });
});
