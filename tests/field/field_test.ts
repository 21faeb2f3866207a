import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Run, simulate, type SimulateOptions, SimulationError, type TemplateCall } from "../../simulate/mod.ts";
import { keyOf } from "@tiphys/model/artifact/location";
import { formulateResubmit, formulateRetry } from "@tiphys/engine/workflow_actions";
import { parseYaml } from "@tiphys/model/yaml";
import type { Workflow } from "@tiphys/model/api";
import type { CallReport } from "./call_report.ts";
import type { Answers, ExpectedResult, FieldReport, SecondRun } from "./field_report.ts";
import { stockTemplatesFor } from "./stock_templates.ts";
import { CALLS } from "./reports/calls.ts";
import { DAGS } from "./reports/dags.ts";
import { EXECUTOR } from "./reports/executor.ts";
import { EXPANSION } from "./reports/expansion.ts";
import { EXPRESSIONS } from "./reports/expressions.ts";
import { FAILURES } from "./reports/failures.ts";
import { HOOKS } from "./reports/hooks.ts";
import { LIMITS } from "./reports/limits.ts";
import { LOCKS } from "./reports/locks.ts";
import { LOOPS } from "./reports/loops.ts";
import { NAMES } from "./reports/names.ts";
import { OPTIONAL_ARTIFACTS } from "./reports/optional_artifacts.ts";
import { PASSES } from "./reports/passes.ts";
import { PODS } from "./reports/pods.ts";
import { REFUSALS } from "./reports/refusals.ts";
import { RESUBMITS } from "./reports/resubmits.ts";
import { RETRIES } from "./reports/retries.ts";
import { SERVER } from "./reports/server.ts";
import { SHUTDOWN } from "./reports/shutdown.ts";
import { SKIPPED } from "./reports/skipped.ts";
import { STORAGE } from "./reports/storage.ts";
import { TEMPLATES } from "./reports/templates.ts";

const REPORTS: Readonly<Record<string, readonly FieldReport[]>> = {
  dags: DAGS,
  expansion: EXPANSION,
  expressions: EXPRESSIONS,
  failures: FAILURES,
  hooks: HOOKS,
  locks: LOCKS,
  loops: LOOPS,
  names: NAMES,
  "optional artifacts": OPTIONAL_ARTIFACTS,
  pods: PODS,
  refusals: REFUSALS,
  resubmits: RESUBMITS,
  retries: RETRIES,
  shutdown: SHUTDOWN,
  skipped: SKIPPED,
  templates: TEMPLATES,
};

const CALL_REPORTS: Readonly<Record<string, readonly CallReport[]>> = {
  calls: CALLS,
  executor: EXECUTOR,
  limits: LIMITS,
  passes: PASSES,
  server: SERVER,
  storage: STORAGE,
};

for (const [kind, reports] of Object.entries(REPORTS)) {
  for (const report of reports) Deno.test(titleOf(kind, report), () => check(report));
}

for (
  const [kind, reports] of Object.entries(CALL_REPORTS)
) {
  for (const report of reports) {
    Deno.test(titleOf(kind, report), async () => assertEquals(await report.call(), report.returns));
  }
}

function titleOf(kind: string, { behavior, issues }: Pick<FieldReport, "behavior" | "issues">): string {
  const numbers = issues.map((issue) => `#${issue}`).join(" ");
  return `field reports, ${kind}: ${behavior}${numbers && ` (${numbers})`}`;
}

async function check(report: FieldReport): Promise<void> {
  const { expected, objects, parameters, shutdown, defaults, secondRun } = report;
  const { document, answers } = documentOf(report);
  const options: SimulateOptions = {
    objects,
    parameters,
    shutdown,
    workflowDefaults: defaults === undefined ? undefined : parseYaml(defaults)[0]!.value as Partial<Workflow>,
  };
  const run = () => simulate(document, { ...options, templates: functionsOf({ ...answers, ...report.answers }) });
  if (expected.refused !== undefined) {
    const { message } = await assertRejects(run, SimulationError);
    return assertStringIncludes(message, expected.refused);
  }
  const first = await run();
  compare(first, expected);
  if (!secondRun) return;
  const templates = functionsOf({ ...answers, ...secondRun.answers });
  compare(await simulate(workflowAgain(first.workflow, secondRun), { objects, templates }), secondRun.expected);
}

function functionsOf(answers: Answers): SimulateOptions["templates"] {
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, typeof answer === "function" ? answer : () => answer]),
  );
}

function documentOf({ workflow, spec = "" }: FieldReport): { readonly document: string; readonly answers: Answers } {
  if (/^kind:/m.test(workflow)) return { document: workflow, answers: {} };
  const { templates, answers } = stockTemplatesFor(workflow);
  const document = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  ${spec.trim().replaceAll("\n", "\n  ")}
  templates:${workflow}${templates}`;
  return { document, answers };
}

/** The workflow as the commands `retry` and `resubmit` make it a day later. */
function workflowAgain(workflow: Workflow, { by, parameters = {}, ...options }: SecondRun): Workflow {
  const values = new Map(Object.entries(parameters));
  const now = new Date("2026-01-02T00:00:00Z");
  return by === "retry"
    ? formulateRetry(workflow, { ...options, parameters: values }, now).workflow
    : formulateResubmit(workflow, { memoized: { suffix: "again" }, parameters: values }, now);
}

/** The parts of a call that a report may expect. */
const SHOWN: Readonly<Record<string, (call: TemplateCall) => unknown>> = {
  inputs: ({ inputs }) => inputs.parameters,
  artifacts: ({ spec }) =>
    Object.fromEntries(artifactsOf(spec).map((artifact) => [artifact.name, artifact.raw?.data ?? keyOf(artifact)])),
  optional: ({ spec }) => artifactsOf(spec).filter(({ optional }) => optional).map(({ name }) => name),
  runs: textOf,
};

function textOf({ spec: { container, script } }: TemplateCall): string {
  return script?.source ?? [...container?.command ?? [], ...container?.args ?? []].join(" ");
}

function artifactsOf({ inputs }: TemplateCall["spec"]) {
  return inputs?.artifacts ?? [];
}

function compare(run: Run, expected: ExpectedResult): void {
  compareNodes(run, expected);
  const { phase, message, workflow, calls = {}, includes = {}, pods = {} } = expected;
  if (phase !== undefined) assertEquals(run.phase, phase, run.message);
  if (message !== undefined) assertStringIncludes(run.message, message);
  if (workflow !== undefined) assertEquals(fieldsOf(run.workflow, workflow), workflow);
  for (const [template, count] of Object.entries(calls)) assertEquals(run.calls(template).length, count, template);
  for (const [template, expected] of Object.entries(includes)) {
    const texts = run.calls(template).map(textOf);
    assertEquals(texts.length, expected.length);
    for (const [index, parts] of expected.entries()) {
      for (const part of parts) assertStringIncludes(texts[index]!, part);
    }
  }
  for (const [template, expected] of Object.entries(pods)) {
    const made = run.calls(template).map(({ pod }) => pod);
    assertEquals(made.length, expected.length);
    assertEquals(made.map((pod, index) => fieldsOf(pod, expected[index])), [...expected]);
  }
  for (const [part, show] of Object.entries(SHOWN)) {
    for (const [template, values] of Object.entries(expected[part as keyof ExpectedResult] ?? {})) {
      assertEquals(run.calls(template).map(show), values);
    }
  }
}

function compareNodes(run: Run, { nodes = {}, noNodes = [], seconds = {} }: ExpectedResult): void {
  for (const [name, expected] of Object.entries(nodes)) {
    const node = run.node(name);
    const [phase, message] = expected.split(/: (.*)/s);
    assertEquals(`${name} ${node.phase}`, `${name} ${phase}`, node.message);
    if (message !== undefined) assertStringIncludes(node.message, message);
  }
  const names = run.nodes.map(({ displayName }) => displayName);
  assertEquals(noNodes.filter((name) => names.includes(name)), []);
  for (const [name, expected] of Object.entries(seconds)) assertEquals(run.node(name).durationSeconds, expected, name);
}

/** The fields of a value that a part has too. */
function fieldsOf(value: unknown, part: unknown): unknown {
  if (typeof part !== "object" || part === null || typeof value !== "object" || value === null) return value;
  const fields = Object.entries(part).map(([name, field]) => [name, fieldsOf(Object(value)[name], field)]);
  return Array.isArray(part) ? fields.map(([, field]) => field) : Object.fromEntries(fields);
}
