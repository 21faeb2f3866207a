import { assertEquals } from "@std/assert";
import { Report } from "./report.ts";

Deno.test("Report: only the first errors have hints about misspelled names", () => {
  const report = new Report();
  assertEquals(report.hint("mian", ["main"]), '; did you mean "main"?');
  for (let index = 0; index < 1_000; index++) report.add(["spec"], `error ${index}`);
  assertEquals(report.hint("mian", ["main"]), "");
});
