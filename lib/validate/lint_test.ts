import { assertEquals } from "@std/assert";
import { formatProblem, lintFile, lintFiles } from "./lint.ts";

const HEAD = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {generateName: w-}\n";

function lines(text: string): string[] {
  return lintFile(text, "wf.yaml").map(formatProblem);
}

Deno.test("A good file has no problems", () => {
  assertEquals(lines(`${HEAD}spec: {entrypoint: a, templates: [{name: a, container: {image: i}}]}\n`), []);
});

Deno.test("Each problem comes with its line and column, in the order of the text", () => {
  const text = `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: a
        tmplate: work
        template: wrok
  - name: work
    container: {image: i}
`;
  assertEquals(lines(text), [
    'wf.yaml:10:9: spec.templates[0].steps[0][0].tmplate: unknown field "tmplate"; did you mean "template"?',
    "wf.yaml:11:9: spec.templates[0].steps[0][0].template: templates.main.steps[0].a template name 'wrok' undefined; " +
    'did you mean "work"?',
  ]);
});

Deno.test("A handler that is not there is told, although the workflow may be submitted", () => {
  const text = `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: a
        template: work
        onExit: wrok
        hooks: {exit: {template: nope}}
  - name: work
    container: {image: i}
`;
  const step = "spec.templates[0].steps[0][0]";
  assertEquals(lines(text), [
    `wf.yaml:11:17: ${step}.onExit: templates.main.steps[0].a template name 'wrok' undefined; did you mean "work"?`,
    `wf.yaml:12:34: ${step}.hooks.exit.template: templates.main.steps[0].a.exit template name 'nope' undefined`,
  ]);
});

Deno.test("A wrong type is found before anything is said about the meaning", () => {
  assertEquals(lines(`${HEAD}spec:\n  entrypoint: [a]\n`), [
    "wf.yaml:5:3: spec.entrypoint: expected string, got a list",
  ]);
});

Deno.test("JSON is checked as YAML is", () => {
  const text =
    '{"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow",\n "metadata": {"name": "w"},\n "spec": {"x": 1}}';
  assertEquals(lines(text), [
    "wf.yaml:3:2: spec: spec.entrypoint is required",
    'wf.yaml:3:11: spec.x: unknown field "x"',
  ]);
});

Deno.test("Text that is no YAML is a problem where it breaks", () => {
  const [problem] = lintFile("a: 1\na: 2\n", "x.yaml");
  assertEquals([problem.line, problem.column, problem.path], [2, 1, ""]);
});

Deno.test("Documents of other groups are passed over, a misspelled kind of ours is not", () => {
  const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
  assertEquals(lines(`${other}---\napiVersion: argoproj.io/v1alpha1\nkind: Workfow\n`), [
    'wf.yaml:6:1: kind: unknown kind "Workfow"; did you mean "Workflow"?',
  ]);
});

Deno.test("A document without a kind, or of no version of ours, is a problem", () => {
  assertEquals(lines("apiVersion: argoproj.io/v1alpha1\n"), ["wf.yaml:1:1: kind: kind is required"]);
  assertEquals(lines("apiVersion: argoproj.io/v1\nkind: Workflow\n"), [
    "wf.yaml:1:1: apiVersion: expected argoproj.io/v1alpha1, got argoproj.io/v1",
  ]);
});

Deno.test("A workflow without any name cannot be created", () => {
  const text = "apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: {}\nspec: {}\n";
  assertEquals(lines(text), ["wf.yaml:3:1: metadata: name or generateName is required"]);
});

const CALLER = `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{name: a, templateRef: {name: shared, template: work}}]]
`;
const SHARED = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: shared}
spec: {templates: [{name: work, container: {image: i}}]}
`;

Deno.test("References are looked for in all files given", () => {
  assertEquals(lintFiles([{ name: "a", text: CALLER }, { name: "b", text: SHARED }]), []);
});

Deno.test("A reference to a document that is not given is a problem, unless it may be missing", () => {
  assertEquals(lines(CALLER), [
    "wf.yaml:8:24: spec.templates[0].steps[0][0].templateRef: templates.main.steps[0].a template reference " +
    "shared.work not found",
  ]);
  assertEquals(lintFile(CALLER, "wf.yaml", { allowMissingReferences: true }), []);
});
