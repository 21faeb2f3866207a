import { assertEquals } from "@std/assert";
import type { Query } from "../place.ts";
import { changedQuery, readRunView, TABS } from "./run_view.ts";

const read = (query: Query, isNarrow = false) => readRunView(query, isNarrow);

Deno.test("readRunView: without a query it shows the graph, or the tree on narrow screens", () => {
  assertEquals([read([]).tab, read([], true).tab], ["graph", "tree"]);
});

Deno.test("readRunView: bookmarks of Argo's page show the same", () => {
  assertEquals(read([["tab", "workflow"]]).tab, "graph");
  const log = read([["tab", "workflow"], ["nodeId", "n"], ["sidePanel", "logs:n:wait"], [
    "nodePanelView",
    "containers",
  ]]);
  assertEquals([log.tab, log.nodeId, log.log, log.panel], [
    "logs",
    "n",
    { nodeId: "n", container: "wait", isChosen: true },
    "containers",
  ]);
  assertEquals([read([["sidePanel", "yaml:n"]]).tab, read([["sidePanel", "events:n"]]).tab], ["manifest", "events"]);
  assertEquals(read([["sidePanel", "retry"]]).dialog, "retry");
});

Deno.test("readRunView: the log and events of a node are shown, whatever tab the address names", () => {
  for (const tab of TABS) {
    const log = read(changedQuery([["tab", tab]], { log: { nodeId: "n", container: "main" } }));
    assertEquals([log.tab, log.log.nodeId], ["logs", "n"]);
    const events = read(changedQuery([["tab", tab], ["nodeId", "m"]], { eventsOf: "n" }));
    assertEquals([events.tab, events.eventsOf, events.nodeId], ["events", "n", "m"]);
  }
});

Deno.test("changedQuery: a dialog keeps the tab and its choices, also in a bookmark of Argo's page", () => {
  for (
    const query of [
      [["sidePanel", "logs:n:wait"]],
      [["sidePanel", "events:n"]],
      [["sidePanel", "yaml:n"]],
      [["tab", "logs"], ["sidePanel", "logs:n"], ["line", "7"]],
    ] as const
  ) {
    const before = read(query);
    const open = changedQuery(query, { dialog: "retry" });
    assertEquals(read(open), { ...before, dialog: "retry" });
    assertEquals(read(changedQuery(open, { dialog: undefined })), before);
  }
  assertEquals(read(changedQuery([["sidePanel", "retry"]], { dialog: undefined })).dialog, undefined);
});

Deno.test("changedQuery: a node that Argo's page names in its side panel can be closed", () => {
  for (const side of ["yaml", "events"]) {
    const query: Query = [["sidePanel", `${side}:n`]];
    assertEquals(read(query).nodeId, "n");
    const left = read(changedQuery(query, { nodeId: undefined }));
    assertEquals([left.nodeId, left.tab], [undefined, read(query).tab]);
  }
});

Deno.test("changedQuery: a written view is read back", () => {
  const fold = new Map([["w[0].a", true], ["w.b(1:x)", false]]);
  const query = changedQuery([["uid", "u"]], { tab: "timeline", nodeId: "n", onlyFailed: true, fold, zoom: "1..2" });
  const view = read(query);
  assertEquals([view.tab, view.nodeId, view.onlyFailed, view.fold, view.zoom], ["timeline", "n", true, fold, "1..2"]);
  assertEquals(query[0], ["uid", "u"]);
});

Deno.test("readRunView: the address has the measure of colors; invalid ones mean phases", () => {
  const query = changedQuery([], { colour: "host" });
  assertEquals([query, read(query).colour], [[["colour", "host"]], "host"]);
  assertEquals(read([["colour", "mood"]]).colour, undefined);
  assertEquals(changedQuery(query, { colour: undefined }), []);
});

Deno.test("readRunView: the address has the columns of a log, and whether lines are folded", () => {
  const query = changedQuery([], { fields: ["level", "http.status"], areAlikeFolded: true });
  assertEquals(query, [["fields", "level,http.status"], ["alike", "folded"]]);
  assertEquals([read(query).fields, read(query).areAlikeFolded], [["level", "http.status"], true]);
  assertEquals(changedQuery(query, { fields: [], areAlikeFolded: false }), []);
});

Deno.test("changedQuery: choices of the log are kept until another tab is selected", () => {
  const query = changedQuery(changedQuery([], { tab: "logs" }), { log: { nodeId: "n", container: "wait" } });
  assertEquals(read(query).log, { nodeId: "n", container: "wait", isChosen: true });
  assertEquals(read(changedQuery(query, { tab: "graph" })).log, {
    nodeId: undefined,
    container: "main",
    isChosen: false,
  });
  const all = { nodeId: undefined, container: "main" };
  assertEquals(read(changedQuery(query, { log: all })).log, { ...all, isChosen: true });
});

Deno.test("readRunView: reads the compared run by name and UID, or by UID only", () => {
  const query = changedQuery([], { with: { name: "etl-1", uid: "u" } });
  assertEquals([query, read(query).with], [[["with", "etl-1:u"]], { name: "etl-1", uid: "u" }]);
  assertEquals(read([["with", "u"]]).with, { name: undefined, uid: "u" });
  assertEquals(read(changedQuery(query, { with: undefined })).with, undefined);
});

Deno.test("changedQuery: filters of the graph are written by name and read back", () => {
  const shape = {
    phases: ["Failed", "Planned"],
    types: ["Pod"],
    templates: ["etl/load"],
    text: "",
    isGrouped: true,
    withArtifacts: true,
  };
  const query = changedQuery([["uid", "u"]], { shape });
  assertEquals(
    new URLSearchParams(query.map(([name, value]) => [name, value])).toString().replaceAll("%2C", ",").replaceAll(
      "%2F",
      "/",
    ),
    "uid=u&phase=Failed,Planned&type=Pod&template=etl/load&group=template&artifacts=shown",
  );
  assertEquals(read(query).shape, shape);
  const none = { phases: [], types: [], templates: [], text: "", isGrouped: false, withArtifacts: false };
  assertEquals(changedQuery(query, { shape: none }), [["uid", "u"]]);
});

Deno.test("changedQuery: the search text and its filter are separate in the address", () => {
  const looked = changedQuery([], { find: "load" });
  assertEquals([looked, read(looked).find, read(looked).shape.text], [[["find", "load"]], "load", ""]);
  const only = changedQuery(looked, { shape: { ...read(looked).shape, text: "load" } });
  assertEquals([only, read(only).shape.text], [[["find", "load"], ["only", "found"]], "load"]);
  const typed = changedQuery(only, { find: "load(7" });
  assertEquals(read(typed).shape.text, "load(7");
  const both = changedQuery(typed, { onlyFailed: true });
  assertEquals([read(both).onlyFailed, read(both).shape.text], [true, "load(7"]);
  assertEquals(changedQuery(both, { onlyFailed: false, find: "" }), []);
  assertEquals(changedQuery(only, { shape: { ...read(only).shape, text: "" } }), [["find", "load"]]);
});

Deno.test("readRunView: the summary of Argo's page shows the details above the tree, until they are closed", () => {
  const query: Query = [["tab", "summary"]];
  assertEquals([readRunView(query, false).tab, readRunView(query, false).show], ["tree", "details"]);
  assertEquals(changedQuery(query, { show: undefined }), [["tab", "tree"]]);
});
