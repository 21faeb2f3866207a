import { assertEquals } from "@std/assert";
import { parsePageAddress } from "./place.ts";
import { readViews, viewAddress, viewsText, withView } from "./saved_views.ts";

Deno.test("viewAddress: keeps filters and order, without position and open panels", () => {
  const place = parsePageAddress(
    "workflows/data?phase=Failed&label=a%3Db&sort=-duration&offset=50&peek=u&sidePanel=submit-new-workflow",
  );
  assertEquals(viewAddress(place), "workflows/data?phase=Failed&label=a%3Db&sort=-duration");
});

Deno.test("readViews: restores views, the last one of each name", () => {
  const failed = parsePageAddress("workflows/data?phase=Failed");
  const views = withView(
    withView(withView([], "mine", failed), "2024", parsePageAddress("workflows")),
    " mine ",
    parsePageAddress("workflows/ml"),
  );
  assertEquals(views, [{ name: "2024", address: "workflows" }, { name: "mine", address: "workflows/ml" }]);
  assertEquals(readViews(viewsText(views)), views);
  assertEquals(withView(views, "  ", failed), views);
});

Deno.test("readViews: drops values that are not views of runs", () => {
  const views = [
    { name: "good", address: "workflows?phase=Failed" },
    { name: "elsewhere", address: "login" },
    { name: "foreign", address: "https://example.org/" },
    { name: 3, address: "workflows" },
    { name: "x".repeat(61), address: "workflows" },
    null,
  ];
  assertEquals(readViews(JSON.stringify({ views })), [{ name: "good", address: "workflows?phase=Failed" }]);
  for (const text of [null, "", "{", "[]", '{"views":3}']) assertEquals(readViews(text), []);
});

Deno.test("withView: keeps the fifty newest views", () => {
  let views = readViews(null);
  for (let i = 0; i < 60; i++) views = withView(views, `v${i}`, parsePageAddress("workflows"));
  assertEquals([views.length, views[0]?.name], [50, "v10"]);
});
