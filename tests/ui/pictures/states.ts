/** The pages and states of the pictures: a URL, and actions before the picture is taken. */
import type { Page } from "playwright-core";
import { chooseIn, type JourneyPage } from "../browser.ts";
import type { Feed } from "../feed/feed.ts";
import type { Size } from "./installations.ts";

/** A state of a page. */
export interface State {
  readonly name: string;
  readonly sizes: readonly Size[];
  readonly address: string;
  readonly act?: (opened: JourneyPage, feed: Feed) => Promise<void>;
  readonly media?: Parameters<Page["emulateMedia"]>[0];
  /** Whether the picture shows the full page beyond the viewport. */
  readonly isWhole?: boolean;
}

const ALL: readonly Size[] = ["empty", "small", "huge"];
const SMALL: readonly Size[] = ["small"];
const HUGE: readonly Size[] = ["huge"];
const FILLED: readonly Size[] = ["small", "huge"];

const state = (name: string, sizes: readonly Size[], address: string, more: Partial<State> = {}): State => ({
  name,
  sizes,
  address,
  ...more,
});

const click = (selector: string): Pick<State, "act"> => ({
  act: async ({ page, settled }) => {
    await page.locator(selector).first().click();
    await settled();
  },
});

/** Clicks buttons by name, such as a button and one in the dialog that it opens. */
const press = (...names: readonly (string | RegExp)[]): Pick<State, "act"> => ({
  act: async ({ page, settled }) => {
    for (const name of names) {
      await page.getByRole("button", { name }).first().click();
      await settled();
    }
  },
});

/** Clicks an entry in a menu on the page of a run. */
const choose = (menu: "More" | "View", name: string): Pick<State, "act"> => ({
  act: async ({ page, settled }) => {
    await chooseIn(page, menu, name);
    await settled();
  },
});

const select = (...more: readonly (string | RegExp)[]): Pick<State, "act"> => ({
  act: async ({ page, settled }) => {
    await page.getByRole("checkbox", { name: "Select etl-7wq", exact: true }).check();
    await page.getByRole("checkbox", { name: "Select release-12", exact: true }).check();
    await page.getByRole("toolbar", { name: "Actions on the selected runs" }).waitFor();
    await settled();
    for (const name of more) await page.getByRole("button", { name }).first().click();
    await settled();
  },
});

/** Replaces the response of the API by an error. */
const refused = (status: number, message: string): Pick<State, "act"> => ({
  act: async ({ page, expectStatus, settled }, feed) => {
    expectStatus(status);
    const usual = feed.fault;
    feed.fault = (request, headers) =>
      /\/workflows\/|workflow-events/.test(request.path)
        ? Response.json({ code: status === 403 ? 7 : status === 401 ? 16 : 14, message }, { status })
        : usual?.(request, headers);
    try {
      await page.reload();
      await settled();
    } finally {
      feed.fault = usual;
    }
  },
});

const RUN = "workflows/data/etl-7wq";
const VALIDATE = ".part:has-text('validate')";

export const STATES: readonly State[] = [
  state("runs", ALL, "workflows"),
  state("runs-namespace", FILLED, "workflows/data"),
  state("runs-filtered", SMALL, "workflows/data?phase=Failed&phase=Error&label=team%3Ddata&Contains=etl"),
  state("runs-none-meant", SMALL, "workflows/data?phase=Failed&Contains=nothing"),
  state("runs-columns-menu", SMALL, "workflows/data", click(".columns > summary")),
  state("runs-views-menu", SMALL, "workflows/data", click(".views > summary")),
  state("runs-selected", SMALL, "workflows/data", select()),
  state("runs-stop", SMALL, "workflows/data", select("Stop…")),
  state("runs-delete", SMALL, "workflows/data", select("Delete…")),
  state("runs-retry", SMALL, "workflows/data", select("Retry…")),
  state("runs-drawer", SMALL, "workflows/data", {
    act: async ({ page, settled }) => {
      await page.locator("tr[data-run='etl-7wq'] .tick:last-child button").click();
      await settled();
    },
  }),
  state("runs-new", SMALL, "workflows/data?sidePanel=submit-new-workflow"),
  state("runs-all", FILLED, "workflows/data?limit=0"),
  state("runs-windowed", HUGE, "workflows/data?limit=500", {
    act: async ({ page }) => {
      await page.mouse.move(300, 500);
      await page.mouse.wheel(0, 4000);
      await page.locator("tr[data-run]").nth(5).waitFor();
    },
  }),
  state("runs-401", SMALL, "workflows/data", refused(401, "token not valid for running mode")),
  state(
    "runs-403",
    SMALL,
    "workflows/data",
    refused(
      403,
      'workflows.argoproj.io is forbidden: User "ada" cannot list resource "workflows" in API group "argoproj.io" in the namespace "data"',
    ),
  ),
  state("runs-503", SMALL, "workflows/data", refused(503, "the server is going away")),
  state("runs-offline", SMALL, "workflows/data", {
    act: async ({ page, expectStatus }, feed) => {
      const usual = feed.fault;
      expectStatus(503);
      feed.fault = () => Response.json({ code: 14, message: "the server is going away" }, { status: 503 });
      try {
        feed.cutStreams();
        await page.locator(".stale").waitFor();
      } finally {
        feed.fault = usual;
      }
    },
  }),
  state("runs-print", SMALL, "workflows/data", { media: { media: "print" } }),
  state("runs-forced", SMALL, "workflows/data", { media: { forcedColors: "active" } }),
  state("runs-rtl", SMALL, "workflows/data", {
    act: async ({ page }) => void await page.evaluate("document.documentElement.dir = 'rtl'"),
  }),
  state("run-rtl", SMALL, `${RUN}?tab=tree`, {
    act: async ({ page }) => void await page.evaluate("document.documentElement.dir = 'rtl'"),
  }),
  state("runs-zoomed", SMALL, "workflows/data", {
    act: async ({ page }) => {
      const { width, height } = page.viewportSize()!;
      await page.setViewportSize({ width: width / 2, height: height / 2 });
    },
  }),
  state("run-graph", SMALL, `${RUN}?tab=graph`),
  state("run-node", SMALL, `${RUN}?tab=graph`, click(VALIDATE)),
  state("run-node-why", SMALL, `${RUN}?tab=graph&nodePanelView=why`, click(VALIDATE)),
  state(
    "run-node-io",
    SMALL,
    "workflows/data/etl-6ck?tab=tree&nodePanelView=inputs-outputs",
    click(".node-row:has-text('extract')"),
  ),
  state("run-node-containers", SMALL, `${RUN}?tab=graph&nodePanelView=containers`, click(VALIDATE)),
  state("run-critical", SMALL, `${RUN}?show=critical`),
  state("run-cost", SMALL, `${RUN}?show=cost`),
  state("run-colour", SMALL, `${RUN}?colour=duration`),
  state("run-details", SMALL, `${RUN}?show=details`),
  state("run-share", SMALL, `${RUN}?sidePanel=share`),
  state("run-menu", SMALL, `${RUN}?tab=graph`, click(".graph-menu > summary")),
  state("run-more", SMALL, `${RUN}?tab=graph`, click(".menu.more > summary")),
  state("run-replay", SMALL, `${RUN}?tab=graph`, choose("View", "Replay")),
  state("run-retry", SMALL, `${RUN}?sidePanel=retry`),
  state("run-resubmit", SMALL, `${RUN}?sidePanel=resubmit`),
  state("run-stop", SMALL, "workflows/data/etl-7x2", press(/^Stop/)),
  state("run-delete", SMALL, RUN, choose("More", "Delete")),
  state("run-succeeded", SMALL, "workflows/data/export-5"),
  state("run-why", SMALL, "workflows/data/etl-7x2", press("Why")),
  state("run-suspended", SMALL, "workflows/data/release-12?nodeId=gate"),
  state("run-timeline", SMALL, `${RUN}?tab=timeline`),
  state("run-tree", SMALL, `${RUN}?tab=tree`),
  state("run-logs", SMALL, `${RUN}?tab=logs`),
  state("run-logs-fields", SMALL, `${RUN}?tab=logs&fields=level,http.status,msg&alike=folded`),
  state("run-logs-wrap", SMALL, `${RUN}?tab=logs&wrap=on&zone=Asia/Tokyo`),
  state("run-events", SMALL, `${RUN}?tab=events`),
  state("run-manifest", SMALL, `${RUN}?tab=manifest`),
  state("run-artifacts", SMALL, "workflows/data/export-5?tab=artifacts"),
  state("run-artifact", SMALL, "workflows/data/export-5?tab=artifacts", click("td.name a")),
  state("run-compare", SMALL, "workflows/data/etl-6ek?tab=compare"),
  state("run-pending", SMALL, "workflows/data/nightly-1774742400"),
  state("run-forced", SMALL, `${RUN}?tab=graph`, { media: { forcedColors: "active" } }),
  state("run-print", SMALL, `${RUN}?tab=tree`, { media: { media: "print" } }),
  state("run-404", SMALL, "workflows/data/no-such-run"),
  state("run-answer", SMALL, RUN),
  state("run-oom", SMALL, "workflows/data/train-oom"),
  state("run-secret", SMALL, "workflows/data/import-secret"),
  state("run-fanout", SMALL, "workflows/data/fanout-1000"),
  state("run-fanout-stack", SMALL, "workflows/data/fanout-1000?stack=fanout-1000.load"),
  state("run-wide", SMALL, "workflows/data/wide-120"),
  state("run-held", SMALL, "workflows/data/held-2"),
  state("run-resume", SMALL, "workflows/data/release-12?dialog=resume"),
  state("run-archived", SMALL, "workflows/data/old-etl"),
  state("run-large", HUGE, "workflows/data/large-1?tab=graph"),
  state("run-large-tree", HUGE, "workflows/data/large-1?tab=tree"),
  state("templates", ALL, "workflow-templates"),
  state("templates-cluster", ["empty", "small"], "cluster-workflow-templates"),
  state("template", SMALL, "workflow-templates/data/etl"),
  state("template-steps", SMALL, "workflow-templates/data/etl?tab=steps"),
  state("template-runs", SMALL, "workflow-templates/data/etl?tab=runs"),
  state("template-manifest", SMALL, "workflow-templates/data/etl?tab=manifest"),
  state("template-graph", SMALL, "workflow-templates/data/etl?tab=graph"),
  state("template-spec", SMALL, "workflow-templates/data/etl?tab=spec"),
  state("template-metadata", SMALL, "workflow-templates/data/etl?tab=metadata"),
  state("template-share", SMALL, "workflow-templates/data/etl?sidePanel=share"),
  state("template-submit", SMALL, "workflow-templates/data/etl?sidePanel=submit"),
  state(
    "template-huge",
    HUGE,
    "workflow-templates/data/customer-data-platform-ingestion-of-clickstream-events",
  ),
  state(
    "template-huge-submit",
    HUGE,
    "workflow-templates/data/customer-data-platform-ingestion-of-clickstream-events?sidePanel=submit",
  ),
  state("crons", ALL, "cron-workflows"),
  state("cron", SMALL, "cron-workflows/data/nightly"),
  state("cron-steps", SMALL, "cron-workflows/data/nightly?tab=steps"),
  state("cron-graph", SMALL, "cron-workflows/data/nightly?tab=graph"),
  state("cron-form", SMALL, "cron-workflows/data/nightly?tab=cron"),
  state("cron-workflow", SMALL, "cron-workflows/data/nightly?tab=workflow"),
  state("cron-manifest", SMALL, "cron-workflows/data/nightly?tab=manifest"),
  state("event-flow", ALL, "event-flow/data"),
  state("event-flow-node", SMALL, "event-flow/data", click(".flow-node:has-text('ci')")),
  state("event-sources", ALL, "event-sources/data"),
  state("event-source-new", SMALL, "event-sources/data?sidePanel=true"),
  state("event-source", SMALL, "event-sources/data", click("td.name a")),
  state("sensors", SMALL, "sensors/data"),
  state("bindings", ["empty", "small"], "workflow-event-bindings/data"),
  state("binding", SMALL, "workflow-event-bindings/data/on-push"),
  state("reports", ALL, "reports/data"),
  state("you", SMALL, "userinfo", { isWhole: true }),
  state("help", SMALL, "help", { isWhole: true }),
  state("api", SMALL, "apidocs"),
  state("api-route", SMALL, "apidocs?route=WorkflowService_RetryWorkflow&find=retry"),
  state("login", SMALL, "login"),
  state("unknown", SMALL, "no/such/page/at/all"),
  state("palette", SMALL, "workflows/data", {
    act: async ({ page, settled }) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("re");
      await settled();
    },
  }),
  state("keys", SMALL, "workflows/data", {
    act: async ({ page, settled }) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await settled();
    },
  }),
  state("widget-graph", SMALL, "widgets/workflow-graphs/data?name=etl-7wq"),
  state("widget-badge", SMALL, "widgets/workflow-status-badges/data?name=etl-7wq"),
];
