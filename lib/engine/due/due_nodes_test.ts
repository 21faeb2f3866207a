import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { NodeTable } from "../nodes/node_table.ts";
import { ChangeLog } from "../nodes/change_log.ts";
import { DueNodes } from "./due_nodes.ts";
import { type Dependency, Evaluation } from "./evaluation.ts";

const IDS = ["a", "b", "c", "d"];

/**
 * The due nodes of a workflow with four nodes, pass by pass, and the nodes for which a check was evaluated in each
 * pass.
 */
class World {
  readonly due = new DueNodes();
  readonly changes = new ChangeLog();
  readonly outside = new ChangeLog();
  nodes = table();
  settings: readonly unknown[] = ["settings"];

  begin(replaced: ReadonlySet<string> | "unknown" = new Set()): void {
    this.nodes = table();
    this.due.beginPass({
      changes: this.changes,
      outside: this.outside,
      replaced: replaced === "unknown" ? undefined : replaced,
      settings: this.settings,
    });
  }

  /** Evaluates the check. `open` lists the nodes with remaining work. */
  evaluate(answers: Readonly<Record<string, "open" | Dependency>> = {}, name = "check"): string {
    const asked: string[] = [];
    this.due.evaluateDue(name, IDS, this.nodes, (id) => {
      asked.push(id);
      const look = new Evaluation(id, undefined);
      const answer = answers[id];
      if (answer === "open") look.isPartial = true;
      else if (answer) look.dependOn(answer);
      return look;
    });
    return asked.join(" ");
  }

  select(isTrue: readonly string[]): string {
    const asked: string[] = [];
    const found = this.due.select("selection", IDS, this.nodes, (id) => {
      asked.push(id);
      return isTrue.includes(id);
    });
    return `${asked.join(" ")}: ${[...found].sort().join(" ")}`;
  }
}

function table(): NodeTable {
  const node = (id: string): NodeStatus => ({ id, name: id, type: "Pod", phase: "Running" });
  return NodeTable.reuseOrCreate("w", Object.fromEntries(IDS.map((id) => [id, node(id)])), undefined);
}

Deno.test("due nodes: a check is evaluated for all nodes first, then for changed and open ones, in order", () => {
  const world = new World();
  world.begin("unknown");
  assertEquals(world.evaluate({ d: "open" }), "a b c d");
  world.begin();
  assertEquals(world.evaluate({ d: "open" }), "d");
  world.changes.add("c");
  world.begin(new Set(["b"]));
  world.nodes.update("a", { phase: "Failed" });
  assertEquals(world.evaluate(), "a b c d");
  world.begin();
  assertEquals(world.evaluate(), "");
});

Deno.test("due nodes: a check that a pass skipped is evaluated for all nodes in the next pass", () => {
  const world = new World();
  world.begin("unknown");
  world.evaluate();
  world.changes.add("b");
  world.begin();
  world.evaluate({}, "another");
  world.begin();
  assertEquals([world.evaluate(), world.evaluate({}, "another")], ["a b c d", ""]);
});

Deno.test("due nodes: an outside fact wakes the nodes that currently depend on it", () => {
  const world = new World();
  world.begin("unknown");
  world.evaluate({ a: "lock/x", b: "lock/y", c: "lock/x" });
  world.outside.add("lock/x");
  world.begin();
  assertEquals(world.evaluate({ a: "lock/x", c: "lock/z" }), "a c");
  world.outside.add("lock/x");
  world.begin();
  assertEquals(world.evaluate(), "a");
  for (const key of ["lock/x", "lock/y", "lock/z"]) world.outside.add(key);
  world.begin();
  assertEquals(world.evaluate(), "b c");
});

Deno.test("due nodes: all nodes are due if a setting changed, or the previous pass is unknown", () => {
  const world = new World();
  const looked = (settings: readonly unknown[], replaced: ReadonlySet<string> | "unknown") => {
    world.settings = settings;
    world.begin(replaced);
    return [world.evaluate(), world.due.changedIds?.size];
  };
  assertEquals(looked(["settings"], "unknown"), ["a b c d", undefined]);
  assertEquals(looked(["settings"], new Set(["b"])), ["b", 1]);
  assertEquals(looked(["others"], new Set()), ["a b c d", undefined]);
  assertEquals(looked(["others", "more"], new Set()), ["a b c d", undefined]);
  assertEquals(looked(["others", "more"], "unknown"), ["a b c d", undefined]);
});

Deno.test("due nodes: a selection evaluates only changed nodes, and caches the others", () => {
  const world = new World();
  world.begin("unknown");
  assertEquals(world.select(["a", "b"]), "a b c d: a b");
  world.begin(new Set(["b", "c"]));
  assertEquals(world.select(["c"]), "b c: a c");
  world.begin();
  world.begin();
  assertEquals(world.select(["d"]), "a b c d: d");
});
