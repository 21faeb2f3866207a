import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { NodeTable } from "../nodes/node_table.ts";
import { ChangeLog } from "./change_log.ts";
import { DueNodes } from "./due_nodes.ts";
import { type Dependency, Look } from "./look.ts";

const IDS = ["a", "b", "c", "d"];

/** Due nodes of a workflow of four, pass by pass, and whom a question was asked about in each. */
class World {
  readonly due = new DueNodes();
  readonly changes = new ChangeLog();
  readonly outside = new ChangeLog();
  nodes = table();
  settings: readonly unknown[] = ["settings"];

  begin(replaced: ReadonlySet<string> | "unknown" = new Set()): void {
    this.nodes = table();
    this.due.begin({
      changes: this.changes,
      outside: this.outside,
      replaced: replaced === "unknown" ? undefined : replaced,
      settings: this.settings,
    });
  }

  /** Asks the question; the answer `open` of a node is one with which something is left to do. */
  ask(answers: Readonly<Record<string, "open" | Dependency>> = {}, name = "question"): string {
    const asked: string[] = [];
    this.due.ask(name, IDS, this.nodes, (id) => {
      asked.push(id);
      const look = new Look(id, undefined);
      const answer = answers[id];
      if (answer === "open") look.isPart = true;
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
  return NodeTable.of("w", Object.fromEntries(IDS.map((id) => [id, node(id)])), undefined);
}

Deno.test("a question is asked about all nodes first, then about those that changed or have something left, in their order", () => {
  const world = new World();
  world.begin("unknown");
  assertEquals(world.ask({ d: "open" }), "a b c d");
  world.begin();
  assertEquals(world.ask({ d: "open" }), "d");
  world.changes.note("c");
  world.begin(new Set(["b"]));
  world.nodes.update("a", { phase: "Failed" });
  assertEquals(world.ask(), "a b c d");
  world.begin();
  assertEquals(world.ask(), "");
});

Deno.test("a question that was left out in one pass is asked about all nodes in the next: it missed news", () => {
  const world = new World();
  world.begin("unknown");
  world.ask();
  world.changes.note("b");
  world.begin();
  world.ask({}, "another");
  world.begin();
  assertEquals([world.ask(), world.ask({}, "another")], ["a b c d", ""]);
});

Deno.test("a fact outside of the nodes wakes those that depend on it, until they depend on another", () => {
  const world = new World();
  world.begin("unknown");
  world.ask({ a: "lock/x", b: "lock/y", c: "lock/x" });
  world.outside.note("lock/x");
  world.begin();
  assertEquals(world.ask({ a: "lock/x", c: "lock/z" }), "a c");
  world.outside.note("lock/x");
  world.begin();
  assertEquals(world.ask(), "a");
  for (const key of ["lock/x", "lock/y", "lock/z"]) world.outside.note(key);
  world.begin();
  assertEquals(world.ask(), "b c");
});

Deno.test("all nodes are looked at when a setting is another one, and when nothing is known of the pass before", () => {
  const world = new World();
  const looked = (settings: readonly unknown[], replaced: ReadonlySet<string> | "unknown") => {
    world.settings = settings;
    world.begin(replaced);
    return [world.ask(), world.due.news?.size];
  };
  assertEquals(looked(["settings"], "unknown"), ["a b c d", undefined]);
  assertEquals(looked(["settings"], new Set(["b"])), ["b", 1]);
  assertEquals(looked(["others"], new Set()), ["a b c d", undefined]);
  assertEquals(looked(["others", "more"], new Set()), ["a b c d", undefined]);
  assertEquals(looked(["others", "more"], "unknown"), ["a b c d", undefined]);
});

Deno.test("a selection looks at nodes that changed only, and keeps what it knows of the others", () => {
  const world = new World();
  world.begin("unknown");
  assertEquals(world.select(["a", "b"]), "a b c d: a b");
  world.begin(new Set(["b", "c"]));
  assertEquals(world.select(["c"]), "b c: a c");
  world.begin();
  world.begin();
  assertEquals(world.select(["d"]), "a b c d: d");
});
