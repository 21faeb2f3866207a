/** Addresses of widgets. */
import { assertEquals } from "@std/assert";
import { readPlace } from "./place.ts";
import { widgetQuery } from "./widget_query.ts";

const read = (search: string) => widgetQuery(readPlace(`widgets/workflow-graphs/data?${search}`).query);

Deno.test("a widget is about the newest run of a name, or of a label, and opens above all frames", () => {
  assertEquals(read("name=etl-1&label=team%3Da").runs, [["Exact", "etl-1"], ["limit", "1"]]);
  assertEquals(read("label=team%3Da"), {
    runs: [["label", "team=a"], ["limit", "1"]],
    target: "_top",
    hasOptions: false,
    zoom: undefined,
  });
  assertEquals(read("").runs, undefined);
});

Deno.test("a widget takes a target, its tools and a size of nodes, and no size that shows nothing", () => {
  const { target, hasOptions, zoom } = read("target=_blank&showOptions=true&nodeSize=23");
  assertEquals([target, hasOptions, zoom], ["_blank", true, 0.5]);
  for (const size of ["", "0", "-3", "1e9", "NaN", "big"]) assertEquals(read(`nodeSize=${size}`).zoom, undefined, size);
});
