/** The frame around every page: navigation, palette, and the page of the address. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Action, useActions } from "./actions.ts";
import { useApp } from "./app.ts";
import { type Page, parsePageAddress } from "./model/place.ts";
import { plainLinks } from "./model/links.ts";
import { DocsLink } from "./components/docs_link.tsx";
import { LinkList } from "./components/link_list.tsx";
import { NavGlyph, type NavGlyphName } from "./components/nav_glyph.tsx";
import { Boundary, Faults } from "./pages/faults.tsx";
import { lazy, lazyDialog } from "./pages/lazy.tsx";
import { NewVersion } from "./pages/new_version.tsx";
import { Palette, preparePalette } from "./pages/palette.tsx";
import { RunsPage } from "./pages/runs_page.tsx";
import { savedViews } from "./settings.ts";
import * as words from "./model/text/en/frame.ts";

const RunPage = lazy(async () => (await import("./pages/run/run_page.tsx")).RunPage);
const TemplatesPage = lazy(async () => (await import("./pages/templates_page.tsx")).TemplatesPage);
const TemplatePage = lazy(async () => (await import("./pages/template_page.tsx")).TemplatePage);
const CronsPage = lazy(async () => (await import("./pages/crons_page.tsx")).CronsPage);
const CronPage = lazy(async () => (await import("./pages/cron_page.tsx")).CronPage);
const ReportsPage = lazy(async () => (await import("./pages/reports_page.tsx")).ReportsPage);
const EventsPage = lazy(async () => (await import("./pages/events_page.tsx")).EventsPage);
const EventFlowPage = lazy(async () => (await import("./pages/event_flow_page.tsx")).EventFlowPage);
const WidgetPage = lazy(async () => (await import("./pages/widget_page.tsx")).WidgetPage);
const LoginPage = lazy(async () => (await import("./pages/login_page.tsx")).LoginPage);
const YouPage = lazy(async () => (await import("./pages/you_page.tsx")).YouPage);
const KeysDialog = lazyDialog(async () => (await import("./pages/keys_dialog.tsx")).KeysDialog);
const Greetings = lazy(async () => (await import("./pages/greetings.tsx")).Greetings, () => null);
const ApiPage = lazy(async () => (await import("./pages/api_page.tsx")).ApiPage);
const HelpPage = lazy(async () => (await import("./pages/help_page.tsx")).HelpPage);

/** Starts loading the code of a page before any request, because most users wait for it. */
export function loadPage({ kind }: Page): void {
  if (kind === "run") RunPage.load();
  else if (kind === "template" || kind === "cluster-template") TemplatePage.load();
  else if (kind === "cron") CronPage.load();
  else if (kind === "widget") WidgetPage.load();
}

/** The page with its frame; widgets have no frame, because they are embedded. */
export function Shell() {
  const place = useApp().place.value;
  const { page } = place;
  if (page.kind !== "widget") return <Framed page={page} />;
  return (
    <Boundary place={place}>
      <WidgetPage widget={page.widget} namespace={page.namespace} />
    </Boundary>
  );
}

function Framed({ page }: { page: FramedPage }) {
  const app = useApp();
  const isPaletteOpen = useSignal(false);
  const areKeysShown = useSignal(false);
  const go = (page: Page) => () => app.go({ page, query: [] });
  const namespace = "namespace" in page ? page.namespace : "";
  const actions: readonly Action[] = [
    { name: words.goToRuns, key: "g r", run: go({ kind: "runs", namespace }) },
    { name: words.goToTemplates, key: "g t", run: go({ kind: "templates", namespace }) },
    { name: words.goToSchedules, key: "g s", run: go({ kind: "crons", namespace }) },
    {
      name: words.goToEvents,
      key: "g e",
      run: go({ kind: "event-flow", namespace }),
    },
    { name: words.goToReports, key: "g i", run: go({ kind: "reports", namespace }) },
    { name: words.goToYou, key: "g y", run: go({ kind: "you" }) },
    { name: words.goToHelp, key: "g h", run: go({ kind: "help" }) },
    { name: words.goToApi, run: go({ kind: "api" }) },
    { name: words.allKeysAction, key: "?", run: () => areKeysShown.value = true },
    { name: words.copyLinkAction, key: "y", run: () => void navigator.clipboard?.writeText(location.href) },
  ];
  const views = savedViews.value;
  useActions(
    [
      ...actions,
      ...views.map(({ name, address }) => ({
        name: words.viewAction(name),
        run: () => app.go(parsePageAddress(address)),
      })),
    ],
    [namespace, views],
    { isFrame: true },
  );
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key === "Control" || event.key === "Meta") preparePalette();
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey) return;
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  useEffect(() => {
    document.title = words.documentTitle(titleOf(page));
  }, [page]);
  return (
    <>
      <a class="skip" href="#main">{words.skipLink}</a>
      <Nav page={page} onSearch={() => isPaletteOpen.value = true} />
      <main id="main" tabIndex={-1}>
        <NewVersion />
        <Faults />
        {page.kind === "runs" && app.info.value.greetings.length > 0 && <Greetings />}
        <Boundary place={app.place.value}>
          <PageOf page={page} />
        </Boundary>
      </main>
      {areKeysShown.value && <KeysDialog onClose={() => areKeysShown.value = false} />}
      {isPaletteOpen.value && <Palette onClose={() => isPaletteOpen.value = false} />}
    </>
  );
}

type FramedPage = Exclude<Page, { kind: "widget" }>;

function titleOf(page: FramedPage): string {
  switch (page.kind) {
    case "runs":
      return words.runs;
    case "templates":
    case "cluster-templates":
      return words.templates;
    case "crons":
      return words.schedules;
    case "reports":
      return words.reports;
    case "event-flow":
      return words.events;
    case "events":
      return page.name ?? words.events;
    case "login":
      return words.logIn;
    case "you":
      return words.you;
    case "help":
      return words.help;
    case "api":
      return words.api;
    case "unknown":
      return words.noSuchPage;
    case "run":
    case "template":
    case "cluster-template":
    case "cron":
      return page.name;
  }
}

interface NavItem {
  readonly word: string;
  readonly glyph: NavGlyphName;
  readonly page: Page;
  readonly kinds: readonly Page["kind"][];
}

function Nav({ page, onSearch }: { page: Page; onSearch: () => void }) {
  const app = useApp();
  const { links, navColor } = app.info.value;
  const namespace = "namespace" in page ? page.namespace : "";
  const items: readonly NavItem[] = [
    {
      word: words.runs,
      glyph: "runs",
      page: { kind: "runs", namespace },
      kinds: ["runs", "run"],
    },
    {
      word: words.templates,
      glyph: "templates",
      page: { kind: "templates", namespace },
      kinds: ["templates", "template", "cluster-templates", "cluster-template"],
    },
    {
      word: words.schedules,
      glyph: "schedules",
      page: { kind: "crons", namespace },
      kinds: ["crons", "cron"],
    },
    {
      word: words.events,
      glyph: "events",
      page: { kind: "event-flow", namespace },
      kinds: ["event-flow", "events"],
    },
    {
      word: words.reports,
      glyph: "reports",
      page: { kind: "reports", namespace },
      kinds: ["reports"],
    },
    { word: words.you, glyph: "you", page: { kind: "you" }, kinds: ["you", "login"] },
    { word: words.help, glyph: "help", page: { kind: "help" }, kinds: ["help", "api"] },
  ];
  return (
    <nav
      class="nav"
      aria-label={words.pagesLabel}
      style={navColor === "" ? undefined : { borderBlockStart: `4px solid ${navColor}` }}
    >
      <a class="brand" href={app.hrefOf({ page: { kind: "runs", namespace: "" }, query: [] })}>{words.brand}</a>
      <button type="button" class="search" onClick={onSearch} onPointerEnter={preparePalette}>
        <NavGlyph name="search" />
        <span>{words.searchButton}</span>
        <kbd>{/Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl "}K</kbd>
      </button>
      <ul>
        {items.map((item) => (
          <li key={item.word}>
            <a
              href={app.hrefOf({ page: item.page, query: [] })}
              aria-current={item.kinds.includes(page.kind) ? "page" : undefined}
            >
              <NavGlyph name={item.glyph} />
              <span>{item.word}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="nav-links">
        <DocsLink text={words.docsLink} />
        <LinkList links={plainLinks(links, "chat")} />
      </p>
    </nav>
  );
}

function PageOf({ page }: { page: FramedPage }) {
  switch (page.kind) {
    case "runs":
      return <RunsPage namespace={page.namespace} />;
    case "run":
      return <RunPage namespace={page.namespace} name={page.name} />;
    case "templates":
      return <TemplatesPage kind="WorkflowTemplate" namespace={page.namespace} />;
    case "cluster-templates":
      return <TemplatesPage kind="ClusterWorkflowTemplate" namespace="" />;
    case "template":
      return <TemplatePage kind="WorkflowTemplate" namespace={page.namespace} name={page.name} />;
    case "cluster-template":
      return <TemplatePage kind="ClusterWorkflowTemplate" namespace="" name={page.name} />;
    case "crons":
      return <CronsPage namespace={page.namespace} />;
    case "cron":
      return <CronPage namespace={page.namespace} name={page.name} />;
    case "reports":
      return <ReportsPage namespace={page.namespace} />;
    case "event-flow":
      return <EventFlowPage namespace={page.namespace} />;
    case "events":
      return <EventsPage list={page.list} namespace={page.namespace} name={page.name} />;
    case "login":
      return <LoginPage />;
    case "you":
      return <YouPage />;
    case "help":
      return <HelpPage />;
    case "api":
      return <ApiPage />;
    case "unknown":
      return <NotFound />;
  }
}

function NotFound() {
  const app = useApp();
  return (
    <section class="card">
      <h1>{words.notFoundHeading}</h1>
      <p>{words.mistypedAddress}</p>
      <a class="button" href={app.hrefOf({ page: { kind: "runs", namespace: "" }, query: [] })}>{words.showAllRuns}</a>
    </section>
  );
}
