/** The events, the manifest and the comparison of a run in all their states. */
import type { Workflow } from "@tiphys/model/api";
import { states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import { ComparedView } from "../../components/run/compared_view.tsx";
import { failedRun, runningRun, succeededRun } from "../../testing/objects.ts";
import { hangs, refusal, stream } from "../../testing/server.ts";
import { CompareTab } from "./compare_tab.tsx";
import { EventsTab } from "./events_tab.tsx";
import { ManifestTab } from "./manifest_tab.tsx";
import { each, LONG, stateOf } from "../../testing/run_states.tsx";

const event = (type: string, message: string) => ({
  type,
  reason: "Reason",
  message,
  count: 2,
  lastTimestamp: "2026-03-04T11:01:00Z",
  involvedObject: { kind: "Workflow", name: "hello" },
});

const EVENTS = "GET v1/stream/events/argo";

states(EventsTab, {
  "no events": stateOf(runningRun, "tab=events"),
  "events of both types, warnings marked": stateOf(runningRun, "tab=events", async (page) => {
    await page.until(() => page.text.includes("was evicted"));
    assertEquals(document.querySelectorAll("tr.warning").length, 1);
  }, {
    [EVENTS]: stream(event("Normal", "Pulled"), event("Warning", `The pod ${LONG} was evicted`)),
  }),
  "events of one node": stateOf(failedRun, "tab=events&sidePanel=events:id-load", undefined, { [EVENTS]: stream() }),
  forbidden: stateOf(runningRun, "tab=events", (page) => assert(page.has("alert")), { [EVENTS]: refusal(403) }),
  "the server has no events": stateOf(runningRun, "tab=events", undefined, { [EVENTS]: refusal(501) }),
});

states(ManifestTab, each("tab=manifest"));

const LIST = "GET v1/workflows/argo";

const before = (run: Workflow) => ({ ...run, metadata: { ...run.metadata, name: "before", uid: "uid-before" } });

states([CompareTab], {
  "no other run": stateOf(failedRun, "tab=compare", undefined, { [LIST]: { metadata: {}, items: [failedRun] } }),
  forbidden: stateOf(failedRun, "tab=compare", (page) => assert(page.has("alert")), { [LIST]: refusal(403) }),
  loading: stateOf(failedRun, "tab=compare", undefined, { [LIST]: hangs }),
});

states([CompareTab, ComparedView], {
  "with an earlier run": stateOf(
    failedRun,
    "tab=compare&with=before:uid-before",
    (page) => page.until(() => page.has("table")),
    {
      [LIST]: { metadata: {}, items: [failedRun, before(succeededRun)] },
      "GET v1/workflows/argo/before": before(succeededRun),
    },
  ),
});
