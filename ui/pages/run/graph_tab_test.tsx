/** The graph and the rows of a run in all their states. */
import { states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { FoundCount } from "../../components/run/found_count.tsx";
import { PartsMenu, ShapeChips } from "../../components/run/graph_menu.tsx";
import { GraphNode } from "../../components/run/graph_node.tsx";
import { GraphView } from "../../components/run/graph_view.tsx";
import { Minimap } from "../../components/run/minimap.tsx";
import { NodeRows } from "../../components/run/node_rows.tsx";
import { makePart } from "../../model/graph/make_part.ts";
import { failedRun, sampleNode, sampleRun } from "../../testing/objects.ts";
import { GraphExports } from "./graph_exports.tsx";
import { GraphTab } from "./graph_tab.tsx";
import { RowsTab } from "./rows_tab.tsx";
import { StackList } from "./stack_list.tsx";
import { RunButtons } from "./run_actions.tsx";
import { RunHead, SentenceWithReasons } from "./run_head.tsx";
import { RunTabs, TabBody } from "./run_tabs.tsx";
import * as rowsTab from "../../model/text/en/rows_tab.ts";
import { each, many, stateOf } from "../../testing/run_states.tsx";

states([RunHead, SentenceWithReasons, RunButtons, RunTabs, TabBody, GraphTab], each("tab=graph"));

const drawnAt = (size: number, label: string) => {
  const part = makePart({ key: label, label, kind: "leaf", node: sampleNode(label, "Succeeded"), family: "done" });
  const placed = { part, x: 0, y: 0, width: 128, height: 46, isOpen: false, holder: undefined };
  const props = { placed, id: "part", now: 0, isSelected: false, isCursor: false, isMarked: false, size };
  return {
    view: (
      <svg>
        <GraphNode {...props} />
      </svg>
    ),
    withoutAxe: true,
  };
};

states([GraphNode], {
  "at 100 %: its name, its phase and its duration": {
    ...drawnAt(13, "load"),
    check: () => {
      assertEquals(document.querySelector(".sub")?.textContent, "2m 30s");
      assertEquals(document.querySelectorAll(".glyph").length, 1);
    },
  },
  "far away: its name alone, in larger letters": {
    ...drawnAt(26, "load"),
    check: () => {
      assertEquals(document.querySelectorAll(".sub, .glyph").length, 0);
      assertEquals(document.querySelector<SVGElement>(".label")?.style.fontSize, "26px");
    },
  },
  "far away: a longer name is smaller before it is cut": {
    ...drawnAt(22, "load-all-eu"),
    check: () => assertEquals(document.querySelector(".label")?.textContent, "load-all-eu"),
  },
});

states([GraphView, GraphNode, PartsMenu, GraphExports], {
  "a small graph with its zoom": stateOf(failedRun, "tab=graph", (page) => {
    assert(/^\d+ %$/.test(document.querySelector(".zoom")?.textContent ?? ""), page.text);
  }),
});

const fanOut = (count: number) => {
  const items = Array.from(
    { length: count },
    (_, i) => sampleNode(`load(${i}:x)`, i === 70 ? "Failed" : "Succeeded", { displayName: `load(${i}:x)` }),
  );
  const group = sampleNode("load", "Failed", { type: "TaskGroup", children: items.map(({ id }) => id) });
  const run = sampleRun({ phase: "Failed", nodes: [group, ...items] });
  const tasks = [{ name: "load", template: "work", withSequence: { count: `${count}` } }];
  const templates = [{ name: "main", dag: { tasks } }, { name: "work", container: { image: "alpine" } }];
  return { ...run, spec: { ...run.spec, templates } } as Workflow;
};

states([GraphTab, StackList, NodeRows], {
  "the items of a long loop open as a list, which filters": stateOf(fanOut(120), "tab=graph", async (page) => {
    await page.click(document.querySelector("[data-fold]")!);
    await page.settled();
    assert(page.address.includes("stack="), page.address);
    const list = page.within("region", rowsTab.listLabel("load"));
    assertEquals(page.one("treegrid").getAttribute("aria-rowcount"), "120");
    await page.type(list.field(rowsTab.filterField), "load(7");
    assertEquals(page.one("treegrid").getAttribute("aria-rowcount"), "11");
    await page.click(list.one("button", /^Failed/));
    assertEquals(list.all("row").map((row) => row.id), ["row-id-load(70:x)"]);
    await page.click(list.one("row"));
    assert(page.address.includes("nodeId=id-load"), page.address);
    assert(document.querySelectorAll(".part").length < 5, "the loop stays folded in the graph");
  }),
});

states([StackList], {
  "no item matches": stateOf(fanOut(120), "tab=graph&stack=hello.load", async (page) => {
    await page.type(page.field(rowsTab.filterField), "nothing");
    assert(page.text.includes(rowsTab.noneMatches));
  }),
  "it is closed, or unfolded in the graph": stateOf(fanOut(120), "tab=graph&stack=hello.load", async (page) => {
    await page.click(page.one("button", rowsTab.unfoldButton));
    assert(page.address.includes("fold=") && !page.address.includes("stack="), page.address);
    assert(document.querySelectorAll(".part").length > 100);
  }),
});

states([ShapeChips], {
  "a filter is removed by its chip": stateOf(failedRun, "phase=Failed", async (page) => {
    const before = page.address;
    await page.click(page.all("link").find((link) => link.className.includes("chip"))!);
    assert(page.address !== before);
  }),
});

states([RowsTab, NodeRows], {
  ...Object.fromEntries(Object.entries(each("tab=timeline")).filter(([name]) => name !== "not started")),
  ...Object.fromEntries(
    Object.entries(each("tab=tree")).filter(([name]) => name !== "not started").map((
      [name, state],
    ) => [`tree, ${name}`, state]),
  ),
});

states([RowsTab, NodeRows], {
  "timeline: the items of a loop are one row until it is opened": stateOf(fanOut(120), "tab=timeline", async (page) => {
    const shown = () => page.one("treegrid").getAttribute("aria-rowcount");
    assertEquals(shown(), "2");
    assert(page.text.includes(rowsTab.fanOut(120, 1)));
    await page.press("ArrowDown", page.one("treegrid"));
    await page.press("ArrowDown", page.one("treegrid"));
    await page.press("ArrowRight", page.one("treegrid"));
    assertEquals(shown(), "122");
    await page.click(page.all("row")[1]!);
    assertEquals(shown(), "2");
  }),
  "timeline: the loop of a selected item is open": stateOf(fanOut(30), "tab=timeline&nodeId=id-load(7:x)", (page) => {
    assertEquals(page.one("treegrid").getAttribute("aria-rowcount"), "32");
  }),
});

states(FoundCount, {
  "nodes are found": stateOf(failedRun, "find=load", (page) => assert(page.has("status"))),
  "nothing is found": stateOf(failedRun, "find=nowhere"),
});

states(Minimap, { "many nodes": stateOf(many, "tab=graph") });
