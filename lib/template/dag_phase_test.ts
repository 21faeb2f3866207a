import { assertEquals } from "@std/assert";
import { type DagNode, dagPhase } from "./dag_phase.ts";

interface Picture {
  /** `name: [phase, ...children]`; the DAG itself is `dag`. */
  readonly nodes: Record<string, readonly [phase: string, ...children: string[]]>;
  readonly targets: readonly string[];
  readonly types?: Record<string, string>;
  readonly failFast?: boolean;
  readonly shutDown?: boolean;
  readonly continuesOn?: string;
}

function ask(picture: Picture) {
  const nodes = new Map<string, DagNode>(
    Object.entries(picture.nodes).map(([id, [phase, ...children]]) => {
      return [id, { id, name: id, phase, children, type: picture.types?.[id] }];
    }),
  );
  return dagPhase({
    boundaryId: "dag",
    targets: picture.targets.map((id) => ({ id, continuesOn: (phase) => phase === picture.continuesOn })),
    failFast: picture.failFast ?? true,
    shutDown: picture.shutDown ?? false,
    node: (id) => nodes.get(id),
    isFulfilled: ({ phase }) => phase !== "Running" && phase !== "Pending",
  });
}

Deno.test("a DAG has succeeded when all its targets have", () => {
  const nodes = { dag: ["Running", "A"], A: ["Succeeded", "B"], B: ["Succeeded"] } as const;
  assertEquals(ask({ nodes, targets: ["B"] }).phase, "Succeeded");
});

Deno.test("a DAG runs while anything in it runs or is still to come", () => {
  assertEquals(ask({ nodes: { dag: ["Running", "A"], A: ["Running"] }, targets: ["A"] }).phase, "Running");
  assertEquals(ask({ nodes: { dag: ["Running", "A"], A: ["Succeeded"] }, targets: ["A", "B"] }).phase, "Running");
  assertEquals(ask({ nodes: { dag: ["Running", "A"] }, targets: ["A"] }).phase, "Running");
});

Deno.test("an omitted target takes the phase of what came before it", () => {
  const nodes = { dag: ["Running", "A"], A: ["Error", "B"], B: ["Omitted"] } as const;
  assertEquals(ask({ nodes, targets: ["B"] }).phase, "Error");
});

Deno.test("an omitted target takes the failure when it is reached both ways", () => {
  const nodes = { dag: ["Running", "A", "B"], A: ["Failed", "C"], B: ["Succeeded", "C"], C: ["Omitted"] } as const;
  assertEquals(ask({ nodes, targets: ["C"] }).phase, "Failed");
});

Deno.test("a target that succeeded after a failure is a success", () => {
  const nodes = { dag: ["Running", "A"], A: ["Failed", "B"], B: ["Succeeded"] } as const;
  assertEquals(ask({ nodes, targets: ["B"] }).phase, "Succeeded");
});

Deno.test("a failed target fails the DAG at once, or when all targets are there without failFast", () => {
  const nodes = { dag: ["Running", "A"], A: ["Failed"] } as const;
  assertEquals(ask({ nodes, targets: ["A", "B"] }).phase, "Failed");
  assertEquals(ask({ nodes, targets: ["A", "B"], failFast: false }).phase, "Running");
});

Deno.test("a target that may fail does not fail the DAG", () => {
  const nodes = { dag: ["Running", "A"], A: ["Failed"] } as const;
  assertEquals(ask({ nodes, targets: ["A"], continuesOn: "Failed" }).phase, "Succeeded");
  assertEquals(ask({ nodes, targets: ["A"], continuesOn: "Error" }).phase, "Failed");
});

Deno.test("a shutdown fails the DAG whatever its nodes say", () => {
  assertEquals(
    ask({ nodes: { dag: ["Running", "A"], A: ["Succeeded"] }, targets: ["A"], shutDown: true }).phase,
    "Failed",
  );
});

Deno.test("a loop whose children are all over is over, even if nobody marked it", () => {
  const nodes = { dag: ["Running", "A"], A: ["Running", "a0", "a1"], a0: ["Failed"], a1: ["Succeeded"] } as const;
  const { phase, groups } = ask({ nodes, targets: ["A"], types: { A: "TaskGroup" } });
  assertEquals(phase, "Failed");
  assertEquals([...groups], [["A", "Failed"]]);
});

Deno.test("the way goes on below the attempts of a retried task", () => {
  const nodes = { dag: ["Running", "A"], A: ["Succeeded", "A(0)"], "A(0)": ["Succeeded", "B"], B: ["Failed"] } as const;
  assertEquals(ask({ nodes, targets: ["B"], types: { A: "Retry" } }).phase, "Failed");
});

Deno.test("a retried task that is over speaks for its attempts, whatever they say", () => {
  const attempts = { "A(0)": ["Running"], "A(1)": ["Error", "B"], B: ["Omitted"] } as const;
  const nodes = { dag: ["Running", "A"], A: ["Succeeded", "A(0)", "A(1)"], ...attempts } as const;
  assertEquals(ask({ nodes, targets: ["B"], types: { A: "Retry" } }).phase, "Succeeded");
});

Deno.test("the way goes on below a retried task that was never tried, as a cache answered it", () => {
  const nodes = { dag: ["Running", "A"], A: ["Succeeded", "B"], B: ["Failed"] } as const;
  assertEquals(ask({ nodes, targets: ["B"], types: { A: "Retry" } }).phase, "Failed");
});

Deno.test("the way goes on to what hangs on a retried node beside its attempts, as behind an exit handler", () => {
  const nodes = { dag: ["Running", "A"], A: ["Succeeded", "A(0)", "B"], "A(0)": ["Succeeded"], B: ["Failed"] } as const;
  assertEquals(ask({ nodes, targets: ["B"], types: { A: "Retry" } }).phase, "Failed");
});

Deno.test("a loop is at work as long as the exit handler of a call is", () => {
  const nodes = (handler: string) =>
    new Map<string, DagNode>([
      ["dag", { id: "dag", phase: "Running", children: ["A"] }],
      ["A", { id: "A", type: "TaskGroup", phase: "Running", children: ["A0"] }],
      ["A0", { id: "A0", phase: "Succeeded", children: ["onExit"] }],
      ["onExit", { id: "onExit", phase: handler, nodeFlag: { hooked: true } }],
    ]);
  const judge = (handler: string) =>
    dagPhase({
      boundaryId: "dag",
      targets: [{ id: "A" }],
      failFast: true,
      shutDown: false,
      node: (id) => nodes(handler).get(id),
      isFulfilled: ({ phase }) => phase !== "Running",
    });
  assertEquals(judge("Running"), { phase: "Running", groups: new Map(), blocker: "A" });
  assertEquals(judge("Succeeded"), { phase: "Succeeded", groups: new Map([["A", "Succeeded" as const]]) });
});
