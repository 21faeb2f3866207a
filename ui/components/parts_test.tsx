/** States of small components: icons, names, links, fields, menus, bars and dialogs. */
import { states } from "../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import { createRef } from "preact";
import { Refusal } from "../api/refusal.ts";
import { lookOfPhase } from "../model/phase.ts";
import * as afterList from "../model/text/en/after_list.ts";
import * as shared from "../model/text/en/shared.ts";
import { failedRun, runningRun, succeededRun } from "../testing/objects.ts";
import { BulkBar } from "./bulk_bar.tsx";
import { ChoiceBoxes } from "./choice_boxes.tsx";
import { ChoiceSelect } from "./choice_select.tsx";
import { ColumnMenu } from "./column_menu.tsx";
import { CreatedObject } from "./created_object.tsx";
import { CronState } from "./cron_state.tsx";
import { Dialog } from "./dialog.tsx";
import { FileChoice } from "./file_choice.tsx";
import { FilterBar } from "./filter_bar.tsx";
import { PhaseGlyph } from "./glyph.tsx";
import { KeyTable } from "./key_table.tsx";
import { MissingRightLines } from "./missing_right_lines.tsx";
import { LinkList } from "./link_list.tsx";
import { LongName } from "./long_name.tsx";
import { Description, DescriptionLine, FoldedDescription, Title } from "./markdown.tsx";
import { Menu } from "./menu.tsx";
import { MergePanel } from "./merge_panel.tsx";
import { NavGlyph } from "./nav_glyph.tsx";
import { ParameterField } from "./parameter_field.tsx";
import { RefusalCard } from "./refusal_card.tsx";
import { LiveRegion } from "./live_region.tsx";
import { SubmitLink } from "./submit_link.tsx";
import { RowSpacer, SortedHead } from "./table_parts.tsx";
import { Tabs } from "./tabs.tsx";
import { TitledName } from "./titled_name.tsx";
import { UndoBar } from "./undo_bar.tsx";
import { ViewMenu } from "./view_menu.tsx";

const LONG = "a-name-that-is-as-long-as-names-in-kubernetes-may-be-253-".repeat(4);
const LINES = "a: 1\nb: 2\n";
const nothing = () => {};

/** A function that records its calls. */
function recorder<T>() {
  const calls: T[] = [];
  return Object.assign((value: T) => void calls.push(value), { calls });
}

states(
  PhaseGlyph,
  Object.fromEntries(["Pending", "Running", "Succeeded", "Failed", "Error", "Skipped", "Omitted"].map((phase) => [
    phase,
    { view: <PhaseGlyph look={lookOfPhase(phase)} withWord />, check: ({ text }) => assert(text.includes(phase)) },
  ])),
);

states(NavGlyph, {
  "next to its text": {
    view: (
      <a href="/runs">
        <NavGlyph name="runs" /> runs
      </a>
    ),
  },
});

states(CronState, {
  active: { view: <CronState isSuspended={false} isStopped={false} /> },
  suspended: { view: <CronState isSuspended isStopped={false} /> },
  stopped: { view: <CronState isSuspended={false} isStopped /> },
});

states(LongName, {
  short: { view: <LongName text="etl" />, check: ({ text }) => assertEquals(text, "etl") },
  long: { view: <LongName text={LONG} />, check: ({ text }) => assert(text.includes("kubernetes")) },
});

states(TitledName, {
  "a name": {
    view: <TitledName metadata={{ name: "etl" }} href="/etl" />,
    check: (page) => void page.one("link", "etl"),
  },
  "a title in markdown": {
    view: (
      <TitledName
        metadata={{ name: "etl", annotations: { "workflows.argoproj.io/title": "**Load** `all`" } }}
        href="/etl"
      />
    ),
    check: (page) => void page.one("link", /Load all/),
  },
});

const DESCRIBED = {
  name: "etl",
  annotations: {
    "workflows.argoproj.io/title": "Load",
    "workflows.argoproj.io/description": "# Daily\n\n- one\n- [two](https://two.test)\n\n> `three`",
  },
};
states([Description], {
  "with a description": { view: <Description metadata={DESCRIBED} />, check: (page) => void page.one("link", "two") },
  "without a description": { view: <Description metadata={{ name: "etl" }} /> },
});
states([Title, FoldedDescription, DescriptionLine], {
  "with a description": {
    view: (
      <>
        <Title metadata={DESCRIBED} />
        <FoldedDescription metadata={DESCRIBED} />
        <DescriptionLine metadata={DESCRIBED} />
      </>
    ),
  },
});

states(LinkList, {
  empty: { view: <LinkList links={[]} />, check: (page) => assert(!page.has("link")) },
  "several links": {
    view: (
      <LinkList
        links={[{ name: "Grafana", href: "https://grafana.test", target: undefined }, {
          name: LONG,
          href: "https://long.test",
          target: "_blank",
        }]}
      />
    ),
    check: (page) => assertEquals(page.all("link").length, 2),
  },
});

states(MissingRightLines, {
  "no rights are missing": {
    view: <MissingRightLines texts={{ Stop: undefined }} />,
    check: ({ text }) => assertEquals(text, ""),
  },
  "rights are missing": {
    view: <MissingRightLines texts={{ Stop: "you may not patch workflows", Retry: undefined }} />,
    check: ({ text }) => assert(text.includes("patch workflows")),
  },
});

states(KeyTable, {
  keys: { view: <KeyTable keys={[["g r", "Go to runs"], [" ", "Choose"]]} />, check: (page) => void page.one("table") },
});

states(LiveRegion, {
  "initially": { view: <LiveRegion text="running" />, check: (page) => void page.one("status") },
});

states(SubmitLink, {
  allowed: {
    view: <SubmitLink word="Submit" href="/submit" lack={undefined} />,
    check: (page) => void page.one("link", "Submit"),
  },
  forbidden: {
    view: <SubmitLink word="Submit" href="/submit" lack="you may not create workflows" />,
    check: (page) => assert(!page.has("link", "Submit") || page.text.includes("may not")),
  },
});

const inTable = (head: preact.ComponentChild) => (
  <table>
    <thead>
      <tr>{head}</tr>
    </thead>
  </table>
);
states(SortedHead, {
  unsorted: { view: inTable(<SortedHead kind="name" word="Name" direction={undefined} href="/" />) },
  ascending: {
    view: inTable(<SortedHead kind="name" word="Name" direction="ascending" href="/" />),
    check: (page) => assertEquals(page.one("columnheader").getAttribute("aria-sort"), "ascending"),
  },
});

states(RowSpacer, {
  "rows that are not shown": {
    view: (
      <table>
        <tbody>
          <RowSpacer pixels={400} />
        </tbody>
      </table>
    ),
  },
});

states(Tabs, {
  "one tab is current": {
    view: (
      <Tabs<"spec" | "runs">
        label="Parts"
        words={{ spec: "Spec", runs: "Runs" }}
        current="runs"
        hrefOf={(tab) => `/${tab}`}
      />
    ),
    check: (page) => assertEquals(page.one("link", "Runs").getAttribute("aria-current"), "page"),
  },
});

const choice = recorder<string>();
states(ChoiceSelect, {
  "a value that is a choice": {
    view: (
      <label>
        go<ChoiceSelect choices={["yes", "no"]} value="no" onInput={nothing} />
      </label>
    ),
    check: (page) => assertEquals(page.all("option").length, 2),
  },
  "another value": {
    view: (
      <label>
        go<ChoiceSelect choices={["yes", "no"]} value="maybe" onInput={nothing} />
      </label>
    ),
    check: (page) => assertEquals(page.all("option").length, 3),
  },
});
states(ChoiceBoxes, {
  "a choice is added to the list": {
    view: (
      <ChoiceBoxes
        name="regions"
        choices={["eu", "us"]}
        defaultText="[]"
        value='["eu"]'
        describedBy="about"
        onValue={choice}
      >
        <p id="about">Where to run</p>
      </ChoiceBoxes>
    ),
    async check(page) {
      await page.click(page.one("checkbox", "us"));
      assertEquals(choice.calls, ['["eu","us"]']);
    },
  },
});

const field = { name: "region", description: "Where it runs", usual: "eu", choices: undefined };
const typed = recorder<string>();
states(ParameterField, {
  "one line": {
    view: <ParameterField field={field} value="eu" onValue={typed} />,
    async check(page) {
      await page.type(page.field("region"), "us");
      assertEquals(typed.calls, ["us"]);
    },
  },
  "several lines": {
    view: <ParameterField field={field} value={LINES} onValue={nothing} />,
    check: (page) => assertEquals(page.field("region").tagName, "TEXTAREA"),
  },
  "a choice": {
    view: <ParameterField field={{ ...field, choices: ["eu", "us"] }} value="eu" onValue={nothing} />,
    check: (page) => assertEquals(page.field("region").tagName, "SELECT"),
  },
  "several choices": {
    view: (
      <ParameterField field={{ ...field, usual: '["eu"]', choices: ["eu", "us"] }} value='["eu"]' onValue={nothing} />
    ),
    check: (page) => assertEquals(page.all("checkbox").length, 2),
  },
  "a value is missing": {
    view: <ParameterField field={{ ...field, usual: undefined }} value="" isMissing onValue={nothing} />,
    check: (page) => assertEquals(page.field("region").getAttribute("aria-invalid"), "true"),
  },
});

states(FileChoice, {
  "no file yet": { view: <FileChoice label="Upload" accept=".yaml" onFile={nothing} /> },
});

const deleted = recorder<string>();
const dialogClosed = recorder<undefined>();
states(Dialog, {
  "has the focus, and closes with Escape": {
    view: (
      <Dialog title="Delete?" onClose={() => dialogClosed(undefined)}>
        <p>Really?</p>
      </Dialog>
    ),
    async check(page) {
      assertEquals(document.activeElement, page.one("heading", "Delete?"));
      const canceled = document.createEvent("Event");
      canceled.initEvent("cancel", true);
      page.one("heading", "Delete?").dispatchEvent(canceled);
      assertEquals(dialogClosed.calls.length, 0);
      await page.press("Escape");
      assertEquals(dialogClosed.calls.length, 1);
      assert(page.one("dialog", "Delete?").hasAttribute("open"), "keys reach the page before the dialog is removed");
    },
  },
  "wide": {
    view: (
      <Dialog title="Editor" isWide onClose={() => deleted("")}>
        <p>Text</p>
      </Dialog>
    ),
    check: (page) => void page.one("dialog", "Editor"),
  },
});

const undone = recorder<undefined>();
states(UndoBar, {
  "Undo is called": {
    view: <UndoBar text="Deleted" onUndo={() => undone(undefined)} />,
    async check(page) {
      await page.click(page.one("button", shared.undoButton));
      assertEquals(undone.calls.length, 1);
    },
  },
});

states(CreatedObject, {
  "a manifest": { view: <CreatedObject text={LINES} onClose={nothing} /> },
});

states(MergePanel, {
  "changes were merged": {
    view: <MergePanel merge={{ accepted: ["spec.entrypoint"], conflicts: [] }} action="Save" onTakeTheirs={nothing} />,
  },
});

states([Menu], {
  "menu of actions: Escape and a choice close it": {
    view: (
      <Menu button="More" closesOnClick>
        <button type="button">Stop</button>
      </Menu>
    ),
    async check(page) {
      const menu = page.one("group") as HTMLDetailsElement;
      for (const close of [() => page.press("Escape", menu), () => page.click(page.one("button", "Stop"))]) {
        menu.open = true;
        await close();
        assert(!menu.open);
      }
    },
  },
  "menu of choices: stays open": {
    view: (
      <Menu button="Columns">
        <button type="button">Name</button>
      </Menu>
    ),
    async check(page) {
      const menu = page.one("group") as HTMLDetailsElement;
      menu.open = true;
      await page.click(page.one("button", "Name"));
      assert(menu.open);
    },
  },
});
states(ColumnMenu, {
  usual: { view: <ColumnMenu columns={[]} isUsual onColumn={nothing} onUsual={nothing} /> },
});

const filter = { input: createRef<HTMLInputElement>(), onFilter: nothing };
states(FilterBar, {
  empty: { view: <FilterBar {...filter} phases={[]} chips={[]} orders={[]} /> },
  "filters of all kinds": {
    view: (
      <FilterBar
        {...filter}
        phases={[{ phase: "Failed", isOn: true, href: "/" }, { phase: "Running", isOn: false, href: "/" }]}
        chips={[{ text: "team=a", href: "/" }, { text: LONG, full: LONG, href: "/" }]}
        orders={[{ text: "Newest first", isOn: true, choose: nothing }]}
      />
    ),
    check: (page) => assert(page.has("link", /team=a/)),
  },
});

states(ViewMenu, {
  empty: { view: <ViewMenu views={[]} onSave={nothing} onRemove={nothing} /> },
  "some views": {
    view: <ViewMenu views={[{ name: "mine", href: "/", isOn: true }]} onSave={nothing} onRemove={nothing} />,
  },
});

const acted = recorder<string>();
const bar = { doing: "", everyone: undefined, onEveryone: nothing, onAct: acted, onClear: nothing };
states(BulkBar, {
  "runs of several phases": {
    view: <BulkBar {...bar} selected={[failedRun, runningRun, succeededRun]} isBusy={false} lackOf={() => undefined} />,
    async check(page) {
      await page.click(page.one("button", (name) => name.startsWith(afterList.retryAction)));
      assertEquals(acted.calls, ["retry"]);
      await page.click(page.one("button", afterList.clearButton));
    },
  },
  busy: {
    view: <BulkBar {...bar} selected={[failedRun]} isBusy doing="1 of 2" lackOf={() => undefined} />,
    check: (page) => assert((page.one("button", afterList.deleteButton) as HTMLButtonElement).disabled),
  },
  forbidden: {
    view: <BulkBar {...bar} selected={[failedRun]} isBusy={false} lackOf={() => "you may not delete workflows"} />,
    check: (page) => assert((page.one("button", afterList.deleteButton) as HTMLButtonElement).disabled),
  },
});

const again = recorder<undefined>();
const card = { login: "token", loginHref: "/login", onAgain: () => again(undefined) } as const;
states(
  RefusalCard,
  Object.fromEntries(
    [0, 400, 401, 403, 404, 409, 429, 500, 501].map((status) => [
      `status ${status}`,
      {
        view: <RefusalCard {...card} refusal={new Refusal("list workflows", status, "these are the words")} isPage />,
        check: ({ text }) => assert(text.includes("these are the words")),
      },
    ]),
  ),
);
states(RefusalCard, {
  "a retry repeats the request": {
    view: <RefusalCard {...card} refusal={new Refusal("list workflows", 0, "")} />,
    async check(page) {
      await page.click(page.one("button", shared.tryAgainButton));
      assertEquals(again.calls.length, 1);
    },
  },
});
