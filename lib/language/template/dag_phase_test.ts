import { assertEquals } from "@std/assert";
import { type DagNode, dagPhase } from "./dag_phase.ts";

interface PhaseCase {
  /** `name: [phase, ...children]`; the DAG itself is `dag`. */
  readonly nodes: Record<string, readonly [phase: string, ...children: string[]]>;
  readonly targets: readonly string[];
  /** `name: dependencies`, in an order in which each task comes after its dependencies. */
  readonly tasks: Record<string, readonly string[]>;
  readonly types?: Record<string, string>;
  readonly boundaries?: Record<string, string>;
  readonly failFast?: boolean;
  readonly shutDown?: boolean;
  readonly continuesOn?: string;
}

function phaseOf(picture: PhaseCase) {
  const nodes = new Map<string, DagNode>(
    Object.entries(picture.nodes).map(([id, [phase, ...children]]) => {
      return [id, { id, name: id, phase, children, type: picture.types?.[id], boundaryID: picture.boundaries?.[id] }];
    }),
  );
  return dagPhase({
    boundaryId: "dag",
    targets: picture.targets.map((id) => ({ id, continuesOn: (phase) => phase === picture.continuesOn })),
    tasks: Object.entries(picture.tasks).map(([id, dependencies]) => ({ id, dependencies })),
    failFast: picture.failFast ?? true,
    isShuttingDown: picture.shutDown ?? false,
    node: (id) => nodes.get(id),
    isFulfilled: ({ phase }) => phase !== "Running" && phase !== "Pending",
  });
}

/** Two tasks; the second depends on the first. */
const CHAIN = { A: [], B: ["A"] };

Deno.test("dagPhase: a DAG succeeds when all its targets have succeeded", () => {
  const nodes = { dag: ["Running", "A"], A: ["Succeeded", "B"], B: ["Succeeded"] } as const;
  assertEquals(phaseOf({ nodes, targets: ["B"], tasks: CHAIN }).phase, "Succeeded");
});

Deno.test("dagPhase: a DAG runs while a task runs or has not started", () => {
  const graph = { A: [] };
  assertEquals(
    phaseOf({ nodes: { dag: ["Running", "A"], A: ["Running"] }, targets: ["A"], tasks: graph }).phase,
    "Running",
  );
  assertEquals(phaseOf({ nodes: { dag: ["Running"] }, targets: ["A"], tasks: graph }).phase, "Running");
  const nodes = { dag: ["Running", "A"], A: ["Succeeded"] } as const;
  assertEquals(phaseOf({ nodes, targets: ["A", "B"], tasks: { A: [], B: [] } }).phase, "Running");
});

Deno.test("dagPhase: an omitted target has the phase of the task it depends on, which is named as the cause", () => {
  const nodes = { dag: ["Running", "A"], A: ["Error", "B"], B: ["Omitted"] } as const;
  assertEquals(phaseOf({ nodes, targets: ["B"], tasks: CHAIN }), { phase: "Error", groups: new Map(), cause: "A" });
});

Deno.test("dagPhase: an omitted target has the phase of its failed dependency though it has a successful one", () => {
  const nodes = { dag: ["Running", "A", "B"], A: ["Failed", "C"], B: ["Succeeded", "C"], C: ["Omitted"] } as const;
  const tasks = { A: [], B: [], C: ["B", "A"] };
  assertEquals(phaseOf({ nodes, targets: ["C"], tasks }).phase, "Failed");
});

Deno.test("dagPhase: a task that ends in an error fails the DAG though every node inside it succeeded", () => {
  const nodes = {
    dag: ["Running", "A"],
    A: ["Error", "x"],
    x: ["Succeeded", "B"],
    B: ["Omitted"],
  } as const;
  const { phase, cause } = phaseOf({ nodes, targets: ["B"], tasks: CHAIN });
  assertEquals([phase, cause], ["Error", "A"]);
});

Deno.test("dagPhase: a failed node inside a task that succeeded fails no task that was skipped after it", () => {
  const nodes = {
    dag: ["Running", "A"],
    A: ["Succeeded", "x"],
    x: ["Failed", "B"],
    B: ["Skipped"],
  } as const;
  assertEquals(phaseOf({ nodes, targets: ["B"], tasks: CHAIN }).phase, "Succeeded");
});

Deno.test("dagPhase: a DAG runs while a node inside a failed task runs", () => {
  const nodes = { dag: ["Running", "A"], A: ["Failed", "x"], x: ["Running"] } as const;
  assertEquals(phaseOf({ nodes, targets: ["A"], tasks: { A: [] } }), {
    phase: "Running",
    groups: new Map(),
    blocker: "x",
  });
});

Deno.test("dagPhase: a child that has no node does not keep a DAG running whose tasks have ended", () => {
  const nodes = { dag: ["Running", "A"], A: ["Succeeded", "gone"] } as const;
  assertEquals(phaseOf({ nodes, targets: ["A"], tasks: { A: [] } }).phase, "Succeeded");
});

Deno.test("dagPhase: a node that follows the DAG does not keep it running", () => {
  const nodes = { steps: ["Running"], dag: ["Running", "A"], A: ["Skipped", "next"], next: ["Pending"] } as const;
  const boundaries = { dag: "steps", A: "dag", next: "steps" };
  assertEquals(phaseOf({ nodes, boundaries, targets: ["A"], tasks: { A: [] } }).phase, "Succeeded");
});

Deno.test("dagPhase: a target that succeeded after a failure is a success", () => {
  const nodes = { dag: ["Running", "A"], A: ["Failed", "B"], B: ["Succeeded"] } as const;
  assertEquals(phaseOf({ nodes, targets: ["B"], tasks: CHAIN }).phase, "Succeeded");
});

Deno.test("dagPhase: a failed target fails the DAG at once; with failFast false, only when all targets have nodes", () => {
  const nodes = { dag: ["Running", "A"], A: ["Failed"] } as const;
  const tasks = { A: [], B: [] };
  assertEquals(phaseOf({ nodes, targets: ["A", "B"], tasks }).phase, "Failed");
  assertEquals(phaseOf({ nodes, targets: ["A", "B"], tasks, failFast: false }).phase, "Running");
});

Deno.test("dagPhase: a target that may fail does not fail the DAG", () => {
  const nodes = { dag: ["Running", "A"], A: ["Failed"] } as const;
  const tasks = { A: [] };
  assertEquals(phaseOf({ nodes, targets: ["A"], tasks, continuesOn: "Failed" }).phase, "Succeeded");
  assertEquals(phaseOf({ nodes, targets: ["A"], tasks, continuesOn: "Error" }).phase, "Failed");
});

Deno.test("dagPhase: a shutdown fails the DAG regardless of the phases of its nodes", () => {
  assertEquals(
    phaseOf({ nodes: { dag: ["Running", "A"], A: ["Succeeded"] }, targets: ["A"], tasks: { A: [] }, shutDown: true })
      .phase,
    "Failed",
  );
});

Deno.test("dagPhase: a loop is completed when all its children are, even if it is not marked so", () => {
  const nodes = { dag: ["Running", "A"], A: ["Running", "a0", "a1"], a0: ["Failed"], a1: ["Succeeded"] } as const;
  const { phase, groups } = phaseOf({ nodes, targets: ["A"], tasks: { A: [] }, types: { A: "TaskGroup" } });
  assertEquals(phase, "Failed");
  assertEquals([...groups], [["A", "Failed"]]);
});

Deno.test("dagPhase: uses the phase of a completed Retry node, not the phases of its attempts", () => {
  const attempts = { "A(0)": ["Running"], "A(1)": ["Error", "B"], B: ["Omitted"] } as const;
  const nodes = { dag: ["Running", "A"], A: ["Succeeded", "A(0)", "A(1)"], ...attempts } as const;
  assertEquals(phaseOf({ nodes, targets: ["B"], tasks: CHAIN, types: { A: "Retry" } }).phase, "Succeeded");
});

Deno.test("dagPhase: a node below a retried task's attempt keeps the DAG running", () => {
  const nodes = { dag: ["Running", "A"], A: ["Failed", "A(0)"], "A(0)": ["Failed", "x"], x: ["Running"] } as const;
  assertEquals(phaseOf({ nodes, targets: ["A"], tasks: { A: [] }, types: { A: "Retry" } }).blocker, "x");
});

Deno.test("dagPhase: a loop runs until the exit handlers of its calls have ended", () => {
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
      tasks: [{ id: "A", dependencies: [] }],
      failFast: true,
      isShuttingDown: false,
      node: (id) => nodes(handler).get(id),
      isFulfilled: ({ phase }) => phase !== "Running",
    });
  assertEquals(judge("Running"), { phase: "Running", groups: new Map(), blocker: "A" });
  assertEquals(judge("Succeeded"), { phase: "Succeeded", groups: new Map([["A", "Succeeded" as const]]) });
});
