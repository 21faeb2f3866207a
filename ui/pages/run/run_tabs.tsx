/** The tabs of a run's page and their content. */
import type { RefObject } from "preact";
import { type RunTab, TABS } from "../../model/run/run_view.ts";
import { useTabInView } from "../../components/use_tab_in_view.ts";
import { lazy } from "../lazy.tsx";
import { GraphTab } from "./graph_tab.tsx";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/run_page.ts";

const LogsTab = lazy(async () => (await import("./logs_tab.tsx")).LogsTab);
const RowsTab = lazy(async () => (await import("./rows_tab.tsx")).RowsTab);
const EventsTab = lazy(async () => (await import("./events_tab.tsx")).EventsTab);
const ManifestTab = lazy(async () => (await import("./manifest_tab.tsx")).ManifestTab);
const ArtifactsTab = lazy(async () => (await import("./artifacts_tab.tsx")).ArtifactsTab);
const CompareTab = lazy(async () => (await import("./compare_tab.tsx")).CompareTab);

const TITLES: Readonly<Record<RunTab, string>> = {
  graph: words.graphTab,
  timeline: words.timelineTab,
  tree: words.treeTab,
  logs: words.logsTab,
  events: words.eventsTab,
  manifest: words.manifestTab,
  artifacts: words.artifactsTab,
  compare: words.compareTab,
};

export function RunTabs({ scene: { view, change } }: { scene: RunScene }) {
  const row = useTabInView<HTMLDivElement>(view.tab);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = TABS[(TABS.indexOf(view.tab) + step + TABS.length) % TABS.length]!;
    change({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div ref={row} role="tablist" class="tabs" aria-label={words.viewsLabel} onKeyDown={onKeyDown}>
      {TABS.map((tab, i) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={tab === view.tab}
          aria-controls="tab-body"
          aria-keyshortcuts={String(i + 1)}
          tabIndex={tab === view.tab ? 0 : -1}
          onClick={() => change({ tab })}
        >
          {TITLES[tab]}
        </button>
      ))}
    </div>
  );
}

/** Loads the content of a tab in advance. */
export function loadTab(tab: RunTab): void {
  if (tab === "logs") LogsTab.load();
  if (tab === "timeline" || tab === "tree") RowsTab.load();
}

/** Reports whether a tab shows nodes, which can be searched, and replayed at a moment. */
export function isNodeTab(tab: RunTab): boolean {
  return tab === "graph" || tab === "timeline" || tab === "tree";
}

/** The content of the selected tab. */
export function TabBody({ scene, focus, findInLog }: {
  readonly scene: RunScene;
  /** The key of the part that the graph selects if no node is selected. */
  readonly focus: string | undefined;
  readonly findInLog: RefObject<HTMLInputElement | null>;
}) {
  switch (scene.view.tab) {
    case "graph":
      return <GraphTab scene={scene} focus={focus} />;
    case "timeline":
      return <RowsTab scene={scene} overTime />;
    case "tree":
      return <RowsTab scene={scene} overTime={false} />;
    case "logs":
      return <LogsTab scene={scene} find={findInLog} />;
    case "events":
      return <EventsTab scene={scene} />;
    case "manifest":
      return <ManifestTab scene={scene} />;
    case "artifacts":
      return <ArtifactsTab scene={scene} />;
    case "compare":
      return <CompareTab scene={scene} />;
  }
}
