/** Lint's problems with expressions, with the exact line and column in each style of YAML. */
import { assertEquals } from "@std/assert";
import { validateWorkflow } from "../mod.ts";
import { parseWorkflow } from "@tiphys/model/api";
import { formatProblem, lintFile } from "../lint.ts";
import { parseYaml } from "@tiphys/model/yaml";

/** An argument of a step, on line 14 from column 34; `work` accepts it. */
function argument(value: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: w-}
spec:
  entrypoint: main
  arguments: {parameters: [{name: app, value: a}, {name: my-app, value: b}]}
  templates:
  - name: main
    inputs: {parameters: [{name: count, value: "1"}, {name: on-call, value: x}]}
    steps:
    - - {name: my-step, template: work, arguments: {parameters: [{name: p, value: x}]}}
    - - name: last
        template: work
        arguments: {parameters: [{name: p, value: ${value}}]}
  - name: work
    inputs: {parameters: [{name: p}]}
    container: {image: i, args: [x]}
`;
}

/**
 * Returns lint's problems as text: the source text at the position, up to the next quote, brace, comma or space, and
 * the message.
 */
function problemsOf(text: string): string[] {
  const lines = text.split("\n");
  return lintFile(text, "w.yaml").map(({ line, column, severity, message }) => {
    const source = /^[^"}\s,]*/.exec(lines[line - 1]?.slice(column - 1) ?? "")?.[0];
    return `${severity === "warning" ? "maybe " : ""}${source}: ${message}`;
  });
}

function problemsOfExpression(expression: string): string[] {
  return problemsOf(argument(`"{{=${expression}}}"`));
}

Deno.test("lint: a valid expression has no problem", () => {
  for (
    const expression of [
      "inputs.parameters.count + workflow.parameters.app",
      "asInt(inputs.parameters.count) + 1",
      "inputs.parameters['on-call']",
      "workflow.parameters['my-app'] == 'b' ? 1 : 2",
      "steps['my-step'].outputs.result",
      "let n = asInt(inputs.parameters.count); n * 2",
      "map(fromJSON(steps['my-step'].outputs.result), {#.name})",
      "sprig.upper(workflow.name)",
      "workflow.creationTimestamp.s",
      "toJson(workflow.parameters)",
      "asInt(inputs.parameters.count) - 1",
    ]
  ) assertEquals(problemsOfExpression(expression), [], expression);
});

Deno.test("lint: an unknown name is an error at its position, with the nearest known name", () => {
  assertEquals(problemsOfExpression("inputs.parameters.cuont"), [
    'cuont: unknown name inputs.parameters.cuont; did you mean "inputs.parameters.count"?',
  ]);
  assertEquals(problemsOfExpression("1 + nowhere"), ["nowhere: unknown name nowhere"]);
  assertEquals(problemsOfExpression("uper('a')"), ["uper('a'): unknown name uper; did you mean \"upper\"?"]);
  assertEquals(problemsOfExpression("sprig.uper('a')"), [
    "uper('a'): unknown name sprig.uper; did you mean \"sprig.upper\"?",
  ]);
  assertEquals(problemsOfExpression("item.name"), [
    "item.name: unknown name item; only a step or task with a loop has one",
  ]);
});

Deno.test("lint: reports each unknown name of an expression", () => {
  assertEquals(problemsOfExpression("foo + bar").length, 2);
});

Deno.test("lint: an unknown name whose absence the expression handles is a warning", () => {
  const message = 'unknown name inputs.parameters.cuont; did you mean "inputs.parameters.count"?';
  assertEquals(problemsOfExpression("inputs.parameters.cuont ?? 'none'"), [`maybe cuont: ${message}`]);
  assertEquals(problemsOfExpression("inputs.parameters.cuont == nil"), [`maybe cuont: ${message}`]);
});

Deno.test("lint: a hyphen that splits a name is an error with the correct spelling", () => {
  const why = "since a hyphen is a minus sign";
  assertEquals(problemsOfExpression("inputs.parameters.on-call"), [
    `inputs.parameters.on-call: inputs.parameters.on-call subtracts, ${why}; write inputs.parameters["on-call"]`,
  ]);
  assertEquals(problemsOfExpression("'x' + steps.my-step.outputs.result"), [
    `steps.my-step.outputs.result: steps.my-step.outputs.result subtracts, ${why}; write steps["my-step"].outputs.result`,
  ]);
  assertEquals(problemsOfExpression("workflow.parameters.my-app ?? 'd'"), [
    `workflow.parameters.my-app: workflow.parameters.my-app subtracts, ${why}; write workflow.parameters["my-app"]`,
  ]);
});

Deno.test("lint: incompatible types are an error, and a comparison that is always false is a warning", () => {
  const hint = "texts and numbers are never converted by themselves: use int(), float() or string()";
  assertEquals(problemsOfExpression("inputs.parameters.count + 1"), [
    `+: invalid operation: + (mismatched types string and int); ${hint}`,
  ]);
  assertEquals(problemsOfExpression("'1' == 1"), [
    `==: invalid operation: == (mismatched types string and int); ${hint}`,
  ]);
  assertEquals(problemsOfExpression("inputs.parameters.count == 1"), [
    `maybe ==: invalid operation: == (mismatched types string and int); ${hint}; the result is always the same`,
  ]);
  assertEquals(problemsOfExpression("inputs.parameters.count ? 1 : 2"), [
    "count: non-bool expression (type string) used as condition",
  ]);
  assertEquals(problemsOfExpression("steps['my-step'].id.x"), ["x: type string has no field x"]);
});

Deno.test("lint: a syntax error of an expression names the expected token", () => {
  assertEquals(problemsOfExpression("1 +"), ["+: unexpected token EOF; expected a value"]);
});

Deno.test("lint: a space before the = makes an expression a name, which is a warning", () => {
  assertEquals(problemsOf(argument('"{{ =workflow.name}}"')), [
    "maybe : {{ =workflow.name}} is a name and not an expression, because = must follow the braces directly; " +
    "write {{=workflow.name}}",
  ]);
});

const SCRIPT = (source: string) =>
  `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: w-}
spec:
  entrypoint: main
  templates:
  - name: main
    script:
      image: i
      source: ${source}
`;

Deno.test("lint: positions are correct in plain, quoted and block scalars", () => {
  const places: Record<string, string> = {
    "echo {{=x}}": "10:23",
    "'it''s {{=x}}'": "10:25",
    '"tab\\t and \\u00e9 {{=x}}"': "10:36",
    "|\n        echo\n          {{=1 + x}}": "12:18",
    ">-\n        echo\n        folded {{=x}}": "12:19",
    "echo\n        on the {{=x}}": "11:19",
  };
  for (const [source, place] of Object.entries(places)) {
    const [problem] = lintFile(SCRIPT(source), "w.yaml").map(formatProblem);
    assertEquals(problem, `w.yaml:${place}: spec.templates[0].script.source: unknown name x`, source);
  }
});

function fields(template: string): string[] {
  return problemsOf(`apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: w-}
spec:
  entrypoint: main
  templates:
  - ${template}
  - {name: work, container: {image: i}, outputs: {artifacts: [{name: a, path: /a}]}}
`);
}

Deno.test("lint: a retry expression is a boolean and can only use the previous attempt", () => {
  const withRetry = (expression: string) =>
    fields(`{name: main, container: {image: i}, retryStrategy: {expression: "${expression}"}}`);
  assertEquals(withRetry("lastRetry.exitCode != '2' && asInt(retries) < 3"), []);
  assertEquals(withRetry("lastRetry.exitCode < 2").length, 1);
  assertEquals(withRetry("lastRetry.exitCode"), [
    "lastRetry.exitCode: expected an expression that gives bool, got string",
  ]);
  assertEquals(withRetry("workflow.name == 'a'"), ["name: unknown name workflow.name"]);
});

Deno.test("lint: a `when` that is invalid for all values of its tags is an error at that position", () => {
  const withWhen = (when: string) => fields(`{name: main, steps: [[{name: a, template: work, when: "${when}"}]]}`);
  assertEquals(withWhen("{{workflow.name}} == x && true"), []);
  assertEquals(withWhen("{{=workflow.name == 'x'}}"), []);
  assertEquals(withWhen("{{workflow.name}} @ x"), ["@: Invalid token: '@'; expected an operator"]);
  assertEquals(withWhen("yes"), [
    "yes: Expected boolean evaluation for 'yes'. Got yes; expected a comparison, or true or false without quotes",
  ]);
});

Deno.test("lint: an invalid `depends` is an error at that position", () => {
  const withDepends = (depends: string) =>
    fields(
      `{name: main, dag: {tasks: [{name: a-1, template: work}, {name: b, template: work, depends: "${depends}"}]}}`,
    );
  assertEquals(withDepends("a-1.Succeeded || !a-1"), []);
  assertEquals(withDepends("a-1 &&"), ["&: unexpected token EOF; expected a value"]);
  assertEquals(withDepends("a-1 a-1")[0], 'a-1: unexpected token Identifier("a_1"); expected an operator or the end');
});

Deno.test("lint: hooks are booleans, labels are strings, and outputs refer to previous steps", () => {
  assertEquals(
    fields(
      "{name: main, steps: [[{name: a, template: work, hooks: {h: {template: work, expression: steps.a.status}}}]]}",
    ),
    ["steps.a.status: expected an expression that gives bool, got string"],
  );
  const output = (expression: string) =>
    fields(
      `{name: main, steps: [[{name: a, template: work}]], ` +
        `outputs: {parameters: [{name: o, valueFrom: {expression: "${expression}"}}]}}`,
    );
  assertEquals(output("steps.a.status"), []);
  assertEquals(output("steps.b.status"), [
    "b.status: unknown name steps.b",
  ]);
});

Deno.test("lint: conditions of a cron workflow can only use the cron workflow", () => {
  const cron = (when: string, stop: string) =>
    problemsOf(`apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: c}
spec:
  schedules: ["* * * * *"]
  when: "${when}"
  stopStrategy: {expression: "${stop}"}
  workflowSpec: {entrypoint: a, templates: [{name: a, suspend: {}}]}
`);
  assertEquals(cron("{{=cronworkflow.failed < 3}}", "cronworkflow.failed >= 3"), []);
  assertEquals(cron("{{=workflow.name == 'a'}}", "asInt('3') == 3"), [
    "workflow.name: unknown name workflow",
    "asInt('3'): unknown name asInt",
  ]);
});

Deno.test("validateWorkflow: does not reject a mistake that only fails at run time", () => {
  const [document] = parseYaml(argument('"{{=nowhere + 1}}"'));
  const parsed = parseWorkflow(document?.value, "strict");
  assertEquals(parsed.ok && validateWorkflow(parsed.value), []);
});
