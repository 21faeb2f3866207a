import { assertEquals } from "@std/assert";
import { simulate, type TemplateFunction } from "@tiphys/tiphys";
import release from "./release.yaml" with { type: "text" };

/** The results of the templates in a successful run. */
const templates: Record<string, TemplateFunction> = {
  build: () => ({ parameters: { version: "1.2.3" }, durationSeconds: 120 }),
  approve: () => ({ parameters: { decision: "yes" }, durationSeconds: 3600 }),
};

Deno.test("release: is built, tested on every system, and published with its version", async () => {
  const run = await simulate(release, { templates });
  assertEquals(run.phase, "Succeeded");
  assertEquals(run.calls("test").map(({ inputs }) => inputs.parameters.system), ["linux", "windows"]);
  assertEquals(run.calls("publish")[0]?.spec.container?.command, ["publish", "1.2.3"]);
  assertEquals(run.durationSeconds, 120 + 3600);
});

Deno.test("build: uses the requested branch", async () => {
  const run = await simulate(release, { templates, parameters: { branch: "next" } });
  assertEquals(run.calls("build")[0]?.spec.container?.command, ["make", "BRANCH=next"]);
});

Deno.test("tests: are retried after five minutes, then after ten", async () => {
  const flaky: TemplateFunction = ({ attempt, inputs }) =>
    inputs.parameters.system === "windows" && attempt < 2 ? { exitCode: 1, message: "no display" } : {};
  const run = await simulate(release, { templates: { ...templates, test: flaky } });
  assertEquals(run.phase, "Succeeded");
  assertEquals(run.node("test(1:windows)(0)").message, "main: Error (exit code 1): no display");
  assertEquals(run.node("test(1:windows)").durationSeconds, 900);
});

Deno.test("approval: without it nothing is published, and the release still succeeds", async () => {
  const run = await simulate(release, {
    templates: { ...templates, approve: () => ({ parameters: { decision: "no" } }) },
  });
  assertEquals(run.phase, "Succeeded");
  assertEquals(run.node("publish").phase, "Skipped");
});

Deno.test("exit handler: reports a failed release", async () => {
  const run = await simulate(release, { templates: { ...templates, build: () => ({ exitCode: 2 }) } });
  assertEquals(run.phase, "Failed");
  assertEquals(run.calls("tell")[0]?.spec.container?.command, ["tell", "Failed"]);
});
