/** Checks the page of variables against the language: the values of a workflow, and what lint accepts in each place. */
import { assertEquals, assertMatch } from "@std/assert";
import { workflowGlobals } from "@tiphys/language/template";
import { formatProblem, lintFile } from "@tiphys/language/validate";
import { ANNOTATION } from "@tiphys/base/constants";
import { AT_END, OF_STEP, OF_TEMPLATE, OF_WORKFLOW } from "./variables.ts";

const namesOf = (rows: readonly (readonly [readonly string[], string])[]) => rows.flatMap(([names]) => names);

Deno.test("reference of variables: lists the variables that the language computes from a workflow, and no others", () => {
  const computed = [
    ...workflowGlobals({
      metadata: { name: "w", labels: { a: "1" }, annotations: { b: "2", [ANNOTATION.scheduledTime]: "now" } },
      spec: { priority: 1, arguments: { parameters: [{ name: "p", value: "v" }] } },
      status: { outputs: { parameters: [{ name: "o", value: "v" }] } },
    }).keys(),
  ];
  const listed = namesOf(OF_WORKFLOW).map((name) => ({
    name,
    pattern: new RegExp(`^${name.replaceAll(".", "\\.").replace("NAME", ".+").replace("LETTER", "[A-Za-z]")}$`),
  }));
  assertEquals(computed.filter((name) => !listed.some(({ pattern }) => pattern.test(name))), []);
  const missing = listed.filter(({ pattern }) => !computed.some((name) => pattern.test(name)));
  // Only controllers know the artifacts.
  assertEquals(missing.map(({ name }) => name), ["workflow.outputs.artifacts.NAME"]);
});

/** A workflow whose template `use` has a step with these variables. */
function workflowWith(names: readonly string[], kind: "steps" | "tasks"): string {
  const arg = (name: string) => `{name: v, value: '{{${name}}}'}`;
  const first = "{name: NAME, template: make}";
  const call = (name: string, index: number) =>
    `{name: c${index}, template: use, ${kind === "tasks" ? "depends: NAME, " : ""}arguments: {parameters: [${
      arg(name)
    }]}${name.startsWith("item") ? ", withItems: [{FIELD: 1}]" : ""}}`;
  const main = kind === "steps"
    ? `steps: [[${first}], [${names.map(call).join(", ")}]]`
    : `dag: {tasks: [${[first, ...names.map(call)].join(", ")}]}`;
  return `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: w-, labels: {NAME: a}, annotations: {NAME: a}}
spec:
  entrypoint: main
  onExit: end
  priority: 1
  arguments: {parameters: [{name: NAME, value: a}]}
  templates:
  - {name: main, ${main}}
  - {name: end, container: {image: i, args: [${namesOf(AT_END).map((name) => `'{{${name}}}'`).join(", ")}]}}
  - name: make
    daemon: true
    script: {image: i, source: x}
    outputs:
      parameters: [{name: NAME, valueFrom: {path: /p}, globalName: NAME}]
      artifacts: [{name: NAME, path: /a, globalName: NAME}]
  - name: use
    inputs: {parameters: [{name: v}]}
    container: {image: i}
`;
}

for (const kind of ["steps", "tasks"] as const) {
  const withKind = (names: readonly string[]) => names.map((name) => name.replace(/^steps/, kind));
  const problems = (names: readonly string[]) => lintFile(workflowWith(names, kind), "w.yaml").map(formatProblem);

  Deno.test(`reference of variables: lint accepts each variable of a workflow and of ${kind}, and no others`, () => {
    const artifacts = (name: string) => !name.includes("outputs.artifacts");
    const letter = (name: string) => name.replace("LETTER", "Y");
    assertEquals(problems(withKind([...namesOf(OF_WORKFLOW), ...namesOf(OF_STEP)].filter(artifacts).map(letter))), []);
    assertMatch(problems([`${kind}.NAME.nothing`]).join(), /nothing/);
  });
}

Deno.test("reference of variables: lint accepts each variable of a template, and no others", () => {
  const text = (names: readonly string[]) =>
    `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: w-}
spec:
  entrypoint: main
  arguments: {parameters: [{name: NAME, value: a}], artifacts: [{name: NAME, raw: {data: a}}]}
  templates:
  - name: main
    retryStrategy: {limit: 1, expression: "lastRetry.exitCode != '1' && ${
      namesOf(OF_TEMPLATE).filter((name) => name.startsWith("lastRetry")).map((name) => `${name} != ''`).join(" && ")
    }"}
    inputs: {parameters: [{name: NAME}], artifacts: [{name: NAME, path: /in}]}
    outputs: {parameters: [{name: NAME, valueFrom: {path: /p}}], artifacts: [{name: NAME, path: /out}]}
    container: {image: i, args: [${names.map((name) => `'{{${name}}}'`).join(", ")}]}
`;
  const names = namesOf(OF_TEMPLATE).filter((name) => !name.startsWith("lastRetry"));
  assertEquals(lintFile(text(names), "w.yaml").map(formatProblem), []);
  assertMatch(lintFile(text(["inputs.nothing"]), "w.yaml").map(formatProblem).join(), /nothing/);
});
