import { assertEquals } from "@std/assert";
import { runListStoredByArgo, timeSettingsStoredByArgo } from "./argo_storage.ts";

const kept = (values: Readonly<Record<string, string>>) => runListStoredByArgo((name) => values[name] ?? null);

Deno.test("runListStoredByArgo: returns the list with the namespace, phases, labels and limit of Argo's page", () => {
  const options = { phases: ["Failed", "Error"], labels: ["team=a"], paginationLimit: 100 };
  assertEquals(kept({ current_namespace: "data", "ListOptions/options": JSON.stringify(options) }), {
    page: { kind: "runs", namespace: "data" },
    query: [["phase", "Failed"], ["phase", "Error"], ["label", "team=a"], ["limit", "100"]],
  });
});

Deno.test("runListStoredByArgo: reads older names, and ignores values in another format", () => {
  assertEquals(kept({ "ListOptions/options": '{"selectedPhases":["Failed"]}' })?.query, [["phase", "Failed"]]);
  for (const text of ["", "{", "7", "null", '{"phases":7,"labels":{}}']) {
    assertEquals(kept({ "ListOptions/options": text }), undefined);
  }
  assertEquals(kept({ current_namespace: "../x" }), { page: { kind: "runs", namespace: "" }, query: [] });
});

Deno.test("timeSettingsStoredByArgo: returns the zone of the logs, and whether the list showed ISO times", () => {
  const times = (values: Readonly<Record<string, string>>) => timeSettingsStoredByArgo((name) => values[name] ?? null);
  assertEquals(times({}), { zone: "", isIso: false });
  assertEquals(times({ DEFAULT_TZ: '"Asia/Tokyo"', "Timestamp/displayISOFormat-workflowsRowStarted": "true" }), {
    zone: "Asia/Tokyo",
    isIso: true,
  });
  assertEquals(times({ DEFAULT_TZ: '"Mars/Base"', "Timestamp/displayISOFormat-workflowsRowStarted": "false" }), {
    zone: "",
    isIso: false,
  });
  for (const text of ['"', "7", "{", '"a\\"b"']) assertEquals(times({ DEFAULT_TZ: text }).zone, "");
});
