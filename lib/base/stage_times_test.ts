import { assert, assertEquals } from "@std/assert";
import { formatStageTimes, parseStageTimes, STAGES } from "./stage_times.ts";

const NOW = 1_790_000_000_000;

Deno.test("stage times: parsing the formatted text returns all stages in whole milliseconds", () => {
  const times = STAGES.map((name, index) => ({ name, began: NOW, ended: NOW + index, hasFailed: index % 2 === 0 }));
  assertEquals(parseStageTimes(formatStageTimes(times)), times);
  const [first] = parseStageTimes(
    formatStageTimes([{ name: "save_logs", began: NOW + 0.7, ended: NOW + 1.2, hasFailed: false }]),
  );
  assertEquals([first?.began, first?.ended], [NOW, NOW + 1]);
});

Deno.test("stage times: unknown and repeated stages of a forged annotation are ignored", () => {
  assertEquals(parseStageTimes(undefined), []);
  assertEquals(parseStageTimes(""), []);
  const text = "drop_table 1 2; load_artifacts 1 2; load_artifacts 3 4; save_logs x 2; save_artifacts 1 2 secret; " +
    "__proto__ 1 2; save_logs 1 9999999999999999; wait_workload 5 6 failed";
  assertEquals(parseStageTimes(text), [
    { name: "load_artifacts", began: 1, ended: 2, hasFailed: false },
    { name: "wait_workload", began: 5, ended: 6, hasFailed: true },
  ]);
});

Deno.test("stage times: an annotation that exceeds the maximum length is ignored", () => {
  const longest = STAGES.map((name) => ({ name, began: 10 ** 15 - 1, ended: 10 ** 15 - 1, hasFailed: true }));
  assertEquals(parseStageTimes(formatStageTimes(longest)).length, STAGES.length);
  const filled = `load_artifacts 1 2; ${"x".repeat(10_000)}`;
  assert(filled.startsWith("load_artifacts 1 2; "));
  assertEquals(parseStageTimes(filled), []);
});
