import { assertEquals } from "@std/assert";
import schema from "../../../manifests/schema/workflows.json" with { type: "json" };
import { completionAt, fieldAt } from "./complete.ts";
import { KUBERNETES, type SchemaFile } from "./schema.ts";

const FILE: SchemaFile = schema;

/** The names that are suggested at `|`. */
function suggestionsAt(marked: string): string[] {
  return at(marked)?.choices.map(({ name }) => name) ?? [];
}

function at(marked: string) {
  const offset = marked.indexOf("|");
  return completionAt(FILE, marked.replace("|", ""), offset);
}

/** The text after the first suggestion was inserted. */
function completed(marked: string): string {
  const found = at(marked);
  const text = marked.replace("|", "");
  return found ? text.slice(0, found.from) + found.choices[0]!.text + text.slice(found.to) : text;
}

function help(marked: string) {
  return fieldAt(FILE, marked.replace("|", ""), marked.indexOf("|"));
}

const DAG = `kind: Workflow
spec:
  entrypoint: main
  arguments:
    parameters:
    - name: day
  templates:
  - name: main
    dag:
      tasks:
      - name: extract
        template: work
      - name: load
        template: work
        dependencies:
        - §
  - name: work
    inputs:
      parameters:
        - name: region
    outputs:
      parameters:
        - {name: x}
        - name: rows
    container:
      image: busybox
`;

Deno.test("completionAt: suggests the fields of an object, without existing ones", () => {
  assertEquals(suggestionsAt("kind: Workflow\nspec:\n  entryp|"), ["entrypoint"]);
  assertEquals(suggestionsAt("kind: Workflow\nspec:\n  entrypoint: a\n  entryp|\n"), []);
  assertEquals(suggestionsAt("kind: Workflow\nspec:\n  entryp|\n  entrypoint: a\n"), []);
  assertEquals(suggestionsAt("spec:\n  templates:\n    - name: a\n      retryStr|"), ["retryStrategy"]);
  assertEquals(suggestionsAt("spec:\n  templates:\n  - name: a\n    retryStr|"), ["retryStrategy"]);
});

Deno.test("completionAt: required fields come first", () => {
  assertEquals(suggestionsAt("spec:\n  arguments:\n    parameters:\n    - |")[0], "name");
  assertEquals(suggestionsAt("|").slice(0, 2).toSorted(), ["apiVersion", "kind"]);
});

Deno.test("completionAt: starts a new line for nested content", () => {
  assertEquals(completed("spec:\n  templ|"), "spec:\n  templates:\n    - ");
  assertEquals(completed("spec:\n  templates:\n  - steps|"), "spec:\n  templates:\n  - steps:\n      - - ");
  assertEquals(completed("spec:\n  entryp|"), "spec:\n  entrypoint: ");
  assertEquals(completed("spec:\n  entryp|oint: main"), "spec:\n  entryp" + "oint: main");
  assertEquals(completed("spec:\n  entr|y: main"), "spec:\n  entrypoint: main");
});

Deno.test("completionAt: suggests the allowed values of a field", () => {
  assertEquals(suggestionsAt("kind: Cron|"), ["CronWorkflow"]);
  assertEquals(suggestionsAt("spec:\n  suspend: |"), ["true", "false"]);
  assertEquals(suggestionsAt("kind: CronWorkflow\nspec:\n  concurrencyPolicy: |").toSorted(), [
    "Allow",
    "Forbid",
    "Replace",
  ]);
});

Deno.test("completionAt: suggests templates and tasks of the manifest", () => {
  assertEquals(suggestionsAt(DAG.replace("entrypoint: main", "entrypoint: |")), ["main", "work"]);
  assertEquals(suggestionsAt(DAG.replace("template: work", "template: w|")), ["work"]);
  assertEquals(suggestionsAt(DAG.replace("§", "|")), ["extract"]);
  assertEquals(
    suggestionsAt("spec:\n  templates:\n  - name: a\n    steps:\n    - - templateRef:\n          template: |"),
    [],
  );
});

Deno.test("completionAt: suggests the variables of a template within a tag", () => {
  const inWork = DAG.replace("image: busybox", 'image: "{{inputs.|"');
  assertEquals(suggestionsAt(inWork), ["inputs.parameters.region"]);
  assertEquals(completed(inWork).includes('"{{inputs.parameters.region}}"'), true);
  assertEquals(suggestionsAt(DAG.replace("template: work", 'when: "{{workflow.parameters.|}}"')), [
    "workflow.parameters.day",
  ]);
  assertEquals(suggestionsAt(DAG.replace("§", "{{tasks.load.|")), [
    "tasks.load.outputs.result",
    "tasks.load.status",
    "tasks.load.outputs.parameters.rows",
  ]);
});

Deno.test("completionAt: suggests variables in a script, but no fields", () => {
  const script =
    "spec:\n  templates:\n  - name: a\n    inputs:\n      parameters:\n      - name: n\n    script:\n      source: |\n";
  const marked = (line: string) => {
    const text = script + line.replace("¦", "");
    return completionAt(FILE, text, script.length + line.indexOf("¦"))?.choices.map(({ name }) => name) ?? [];
  };
  assertEquals(marked("        else:\n        ima¦"), []);
  assertEquals(marked("        else:\n          print({{inp¦"), ["inputs.parameters.n"]);
});

Deno.test("completionAt: suggests nothing in comments, at unknown fields, and in unknown kinds", () => {
  assertEquals(suggestionsAt("spec:\n  # entry|"), []);
  assertEquals(suggestionsAt("nothing:\n  here:\n    |"), []);
  assertEquals(suggestionsAt("kind: Pod\nspec:\n  |"), []);
});

Deno.test("completionAt: reads the document at the caret only", () => {
  const two = "kind: CronWorkflow\nspec:\n  schedules: [a]\n---\nkind: Workflow\nspec:\n  sched|";
  assertEquals(suggestionsAt(two), ["schedulerName"]);
});

Deno.test("fieldAt: returns the path, the type, and whether the field is required", () => {
  assertEquals(help("spec:\n  templates:\n  - container:\n      im|age: busybox"), {
    path: "spec.templates[].container.image",
    type: "text",
    isRequired: false,
    docs: "Container",
  });
  assertEquals(help("spec:\n  arguments:\n    parameters:\n    - na|me: a")?.docs, "Parameter");
  assertEquals(help("kind: CronWorkflow\nsp|ec: {}")?.docs, "CronWorkflow");
  assertEquals(help("spec:\n  arguments:\n    parameters:\n    - na|me: a")?.isRequired, true);
  assertEquals(help("spec:\n  temp|lates:\n  - name: a")?.type, "list of objects");
  assertEquals(help("kind: CronWorkflow\nspec:\n  concurrencyPolicy|: Allow")?.type.startsWith("one of "), true);
  assertEquals(help("spec:\n  nothing|: a"), undefined);
});

Deno.test("fieldAt: every type of the user's objects, except those of Kubernetes, has a section in the documentation", async () => {
  const text = await Deno.readTextFile(new URL("../../../docs/reference/fields.md", import.meta.url));
  const sections = new Set([...text.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!));
  const written = ["Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow", "WorkflowEventBinding"];
  const named = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      const name = key === "$ref" ? String(value).split("/").at(-1)! : undefined;
      if (name === undefined) visit(value);
      else if (!named.has(name)) {
        named.add(name);
        visit(FILE.definitions[name]);
      }
    }
  };
  for (const kind of written) visit(FILE.definitions[kind]);
  const undocumented = [...named, ...written].filter((name) => !sections.has(name));
  assertEquals(undocumented.sort(), [...KUBERNETES].sort());
});
