import { assertEquals } from "@std/assert";
import { parsePageAddress } from "./place.ts";
import { widgetQuery } from "./widget_query.ts";

const read = (search: string) => widgetQuery(parsePageAddress(`widgets/workflow-graphs/data?${search}`).query);

Deno.test("widgetQuery: selects the newest run by name or label, and opens links in the top frame", () => {
  assertEquals(read("name=etl-1&label=team%3Da").runs, [["Exact", "etl-1"], ["limit", "1"]]);
  assertEquals(read("label=team%3Da"), {
    runs: [["label", "team=a"], ["limit", "1"]],
    target: "_top",
    hasOptions: false,
    zoom: undefined,
  });
  assertEquals(read("").runs, undefined);
});

Deno.test("widgetQuery: reads target, tools and node size, and ignores sizes that show nothing", () => {
  const { target, hasOptions, zoom } = read("target=_blank&showOptions=true&nodeSize=23");
  assertEquals([target, hasOptions, zoom], ["_blank", true, 0.5]);
  for (const size of ["", "0", "-3", "1e9", "NaN", "big"]) assertEquals(read(`nodeSize=${size}`).zoom, undefined, size);
});
