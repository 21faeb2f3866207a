import { assertEquals } from "@std/assert";
import type { DAGTask, Template } from "@tiphys/model/api";
import { openParts } from "./fold.ts";
import { Layout } from "./layout.ts";
import { partsOf } from "./parts.ts";
import { PictureNavigation, type Step } from "./picture_navigation.ts";

const tasks: DAGTask[] = [
  { name: "a", template: "work" },
  { name: "box", template: "inner", depends: "a" },
  { name: "beside", template: "work", depends: "a" },
  { name: "end", template: "work", depends: "box && beside" },
];
const templates: Template[] = [
  { name: "main", dag: { tasks } },
  { name: "inner", steps: [[{ name: "in", template: "work" }], [{ name: "out", template: "work" }]] },
  { name: "work", container: { image: "alpine" } },
];

Deno.test("PictureNavigation: arrow keys move along edges, into a group and out of it, and to adjacent parts", () => {
  const whole = partsOf({ metadata: { name: "w" }, spec: { entrypoint: "main", templates } });
  const walk = new PictureNavigation(new Layout().layOut(whole, openParts(whole)));
  const go = (from: string, step: Step) => {
    const start = [...walk.firstPart() ? ["w.a", "w.box", "w.box[0].in", "w.box[1].out", "w.beside", "w.end"] : []]
      .find((key) => key.endsWith(from));
    return walk.destinationOf(walk.partAt(start)!, step)?.part.label;
  };
  assertEquals(walk.firstPart()?.part.label, "a");
  assertEquals([go("box", "right"), go(".in", "right"), go(".out", "right")], ["in", "out", "end"]);
  assertEquals([go(".in", "left"), go("box", "left"), go("end", "right")], ["box", "a", undefined]);
  const [upper, lower] = [walk.partAt("w.box")!, walk.partAt("w.beside")!].sort((p, q) => p.y - q.y);
  assertEquals(
    [walk.destinationOf(upper!, "down"), walk.destinationOf(lower!, "up"), walk.destinationOf(upper!, "up")],
    [
      lower,
      upper,
      undefined,
    ],
  );
});
