import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Run, simulate, SimulationError, type TemplateCall } from "../../simulate/mod.ts";
import { keyOf } from "../../lib/artifact/location.ts";
import type { Expected, FieldReport } from "./field_report.ts";
import { EXPANSION } from "./reports/expansion.ts";
import { FAILURES } from "./reports/failures.ts";
import { HOOKS } from "./reports/hooks.ts";
import { LOOPS } from "./reports/loops.ts";
import { NAMES } from "./reports/names.ts";
import { OPTIONAL_VALUES } from "./reports/optional_values.ts";

const REPORTS: Readonly<Record<string, readonly FieldReport[]>> = {
  expansion: EXPANSION,
  failures: FAILURES,
  hooks: HOOKS,
  loops: LOOPS,
  names: NAMES,
  "optional values": OPTIONAL_VALUES,
};

for (const [kind, reports] of Object.entries(REPORTS)) {
  for (const report of reports) {
    const numbers = report.issues.map((issue) => `#${issue}`).join(" ");
    Deno.test(`field reports, ${kind}: ${report.behavior}${numbers ? ` (${numbers})` : ""}`, () => check(report));
  }
}

async function check(report: FieldReport): Promise<void> {
  const { expected, answers = {}, objects, parameters } = report;
  const templates = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, typeof answer === "function" ? answer : () => answer]),
  );
  const run = () => simulate(documentOf(report), { templates, objects, parameters });
  if (expected.refused !== undefined) {
    const { message } = await assertRejects(run, SimulationError);
    return assertStringIncludes(message, expected.refused);
  }
  compare(await run(), expected);
}

function documentOf({ workflow, spec = "" }: FieldReport): string {
  if (/^kind:/m.test(workflow)) return workflow;
  return `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  ${spec.trim().replaceAll("\n", "\n  ")}
  templates:
${workflow}`;
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

function compare(run: Run, { phase, message, nodes = {}, noNodes = [], includes = {}, ...calls }: Expected): void {
  for (const [name, expected] of Object.entries(nodes)) {
    const node = run.node(name);
    const [phase, message] = expected.split(/: (.*)/s);
    assertEquals(`${name} ${node.phase}`, `${name} ${phase}`, node.message);
    if (message !== undefined) assertStringIncludes(node.message, message);
  }
  if (phase !== undefined) assertEquals(run.phase, phase, run.message);
  if (message !== undefined) assertStringIncludes(run.message, message);
  const names = run.nodes.map(({ displayName }) => displayName);
  assertEquals(noNodes.filter((name) => names.includes(name)), []);
  for (const [template, expected] of Object.entries(includes)) {
    const texts = run.calls(template).map(textOf);
    assertEquals(texts.length, expected.length);
    for (const [at, parts] of expected.entries()) for (const part of parts) assertStringIncludes(texts[at]!, part);
  }
  for (const [part, show] of Object.entries(SHOWN)) {
    for (const [template, expected] of Object.entries(calls[part as keyof typeof calls] ?? {})) {
      assertEquals(run.calls(template).map(show), expected);
    }
  }
}
