import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatFieldError, parseWorkflowTemplate } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { main, problems, testAccepted, testRejected, workflow } from "./testing/workflows.ts";
import { validateCronWorkflow, validateWorkflow, validateWorkflowTemplate } from "./workflow.ts";

testRejected([
  [
    "an unknown entrypoint",
    "entrypoint: mian\ntemplates: [{name: main, container: {image: i}}]",
    `spec.entrypoint: template name 'mian' undefined; did you mean "main"?`,
  ],
  ["a workflow without entrypoint", "templates: [{name: main, suspend: {}}]", "spec: spec.entrypoint is required"],
  [
    "an input of the entry template whose source gives no value",
    "entrypoint: main\ntemplates: [{name: main, container: {image: i}, inputs: {parameters: [{name: x, valueFrom: {path: /x}}]}}]",
    "spec: templates.main inputs.parameters.x was not supplied",
  ],
  [
    "an unknown exit handler",
    "entrypoint: main\nonExit: bye\ntemplates: [{name: main, container: {image: i}}]",
    "spec.onExit: template name 'bye' undefined",
  ],
  [
    "a tag within a tag that names nothing",
    `entrypoint: a
templates:
- name: a
  inputs: {parameters: [{name: which, value: p}]}
  container: {image: i, args: ["{{inputs.parameters.{{inputs.parameters.which}}}}"]}`,
    "spec.templates[0].container.args[0]: templates.a: failed to resolve {{inputs.parameters.p}}",
  ],
  [
    "a global output of a template that no step or task calls",
    `entrypoint: a
onExit: b
templates:
- {name: a, container: {image: i}, outputs: {parameters: [{name: o, globalName: g, valueFrom: {path: /o}}]}}
- {name: b, container: {image: i, args: ["{{workflow.outputs.parameters.g}}"]}}`,
    "spec.templates[1].container.args[0]: templates.b: failed to resolve {{workflow.outputs.parameters.g}}",
  ],
  [
    "a manifest with a tag that is left and not quoted",
    "entrypoint: a\ntemplates: [{name: a, resource: {action: create, manifest: 'a: {{foo}}'}}]",
    "spec.templates[0].resource.manifest: templates.a.resource.manifest must be a valid yaml: " +
    "Flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
  [
    "a label of all pods that a template cannot fill in",
    'podMetadata: {labels: {l: "{{inputs.parameters.x}}"}}\nentrypoint: a\ntemplates: [{name: a, container: {image: i}}]',
    "spec.podMetadata.labels.l: templates.a: failed to resolve {{inputs.parameters.x}}",
  ],
  [
    "a tag in the source of the workflow's own argument, where its entry template takes it",
    "arguments: {parameters: [{name: x, valueFrom: {configMapKeyRef: {name: '{{steps.a.ip}}', key: k}}}]}\n" +
    "entrypoint: a\ntemplates: [{name: a, inputs: {parameters: [{name: x}]}, container: {image: i}}]",
    "spec.templates[0].inputs.parameters[0].valueFrom.configMapKeyRef.name: templates.a: " +
    "failed to resolve {{steps.a.ip}}",
  ],
  [
    "two templates of one name",
    "entrypoint: a\ntemplates: [{name: a, suspend: {}}, {name: a, suspend: {}}]",
    "spec.templates[1].name: spec.templates[1].name 'a' is not unique",
  ],
  [
    "a template of two types",
    "entrypoint: a\ntemplates: [{name: a, suspend: {}, container: {image: i}}]",
    "spec.templates[0]: templates.a multiple template types specified. choose one of: container, containerSet, " +
    "steps, script, resource, dag, suspend, template, template ref",
  ],
  [
    "an undeclared input, at the argument that refers to it",
    'entrypoint: a\ntemplates: [{name: a, container: {image: i, args: [x, "{{inputs.parameters.y}}"]}}]',
    "spec.templates[0].container.args[1]: templates.a: failed to resolve {{inputs.parameters.y}}",
  ],
  [
    "a tag that is not closed",
    'entrypoint: a\ntemplates: [{name: a, container: {image: i, args: ["{{workflow.name"]}}]',
    "spec.templates[0].container.args[0]: templates.a: failed to resolve {{workflow.name; the tag is not closed",
  ],
  [
    "an output of a container that comes from no path",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, outputs: {parameters: [{name: o, valueFrom: {expression: '1'}}]}}]",
    "spec.templates[0].outputs.parameters[0].valueFrom: templates.a.outputs.parameters.o.path must be specified for " +
    "Container templates",
  ],
  [
    "a sidecar with a name of the engine's own (IL-08)",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, sidecars: [{name: ok, image: i}, {name: wait, image: i}]}]",
    'spec.templates[0].sidecars[1].name: templates.a.sidecars: "wait" is a reserved Argo container name',
  ],
  [
    "a sidecar called like that of an artifact plugin (IL-08)",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, sidecars: [{name: artifact-plugin-x, image: i}]}]",
    'spec.templates[0].sidecars[0].name: templates.a.sidecars: "artifact-plugin-x" is a reserved Argo container name',
  ],
  [
    "a member of a container set with a name of the engine's own (IL-08)",
    "entrypoint: a\ntemplates: [{name: a, containerSet: {containers: [{name: supervisor, image: i}]}}]",
    "spec.templates[0].containerSet.containers[0].name: templates.a.containerSet.containers: " +
    '"supervisor" is a reserved Argo container name',
  ],
  [
    "a sidecar called like the init container of the legacy layout",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, sidecars: [{name: init, image: i}]}]",
    'spec.templates[0].sidecars[0].name: templates.a.sidecars: "init" is a reserved Argo container name',
  ],
  [
    "a resource amount that is not a quantity",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i, resources: {requests: {memory: lots}, limits: {cpu: 1, memory: 1.5Gi}}}}]",
    "spec.templates[0].container.resources.requests.memory: templates.a.container.resources.requests.memory: " +
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    "a resource amount with two suffixes",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i, resources: {requests: {cpu: 1kM}, limits: {cpu: 1e3, memory: 1E}}}}]",
    "spec.templates[0].container.resources.requests.cpu: templates.a.container.resources.requests.cpu: " +
    "unable to parse quantity's suffix",
  ],
  [
    "a sidecar called like the container of the template",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, sidecars: [{name: main, image: i}]}]",
    'spec.templates[0].sidecars[0].name: templates.a.sidecars: "main" is a reserved Argo container name',
  ],
  [
    "a cycle in a container set",
    "entrypoint: a\ntemplates: [{name: a, containerSet: {containers: [{name: one, dependencies: [two]}, {name: two, dependencies: [one]}]}}]",
    "spec.templates[0].containerSet.containers: templates.a.containerSet.containers dependency cycle detected: one->two->one",
  ],
  [
    "a manifest that is not YAML",
    "entrypoint: a\ntemplates: [{name: a, resource: {action: create, manifest: 'a: [1'}}]",
    "spec.templates[0].resource.manifest: templates.a.resource.manifest must be a valid yaml: Flow sequence in block " +
    "collection must be sufficiently indented and end with a ]",
  ],
  [
    "a workflow argument without a value",
    "entrypoint: a\narguments: {parameters: [{name: p}]}\ntemplates: [{name: a, suspend: {}}]",
    "spec.arguments.parameters[0]: spec.arguments.p.value or spec.arguments.p.valueFrom is required",
  ],
]);

testAccepted([
  [
    "a manifest with a key twice, as `argo cron backfill` writes it",
    'entrypoint: a\ntemplates: [{name: a, resource: {action: create, manifest: "a: 1\\na: 2\\n"}}]',
  ],
  [
    "an init container called like that of the legacy layout, which a pod of the other layout may have",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, initContainers: [{name: init, image: i}]}]",
  ],
  [
    "tags that other tools may mean, and expressions",
    'entrypoint: a\ntemplates: [{name: a, container: {image: i, args: ["{{mustache.x}} {{=nope.y}} {{retries}}"]}}]',
  ],
  [
    "a tag within a tag",
    `entrypoint: a
arguments: {parameters: [{name: p, value: q}]}
templates:
- name: a
  inputs: {parameters: [{name: which, value: p}]}
  container: {image: i, args: ["{{workflow.parameters.{{inputs.parameters.which}}}}"]}`,
  ],
  [
    "failures in the exit handler",
    "entrypoint: a\nonExit: b\ntemplates: [{name: a, suspend: {}}, {name: b, container: {image: i, args: ['{{workflow.failures}}']}}]",
  ],
  [
    "an image that comes from the template defaults",
    "entrypoint: a\ntemplateDefaults: {container: {image: i}}\ntemplates: [{name: a, container: {command: [x]}}]",
  ],
]);

Deno.test("validateWorkflow: a value outside of enum is reported with the choices and the most similar one", () => {
  const field =
    "spec.arguments.parameters[0].value: spec.arguments.p.value should be present in spec.arguments.p.enum list: ";
  const found = (value: string, choices: readonly string[]) =>
    problems(
      `arguments: {parameters: [{name: p, value: ${value}, enum: ${JSON.stringify(choices)}}]}\n${
        main("steps: [[{name: a, template: work}]]")
      }`,
    );
  assertEquals(found("smal", ["small", "large"]), [
    `${field}expected one of "small", "large", got "smal"; did you mean "small"?`,
  ]);
  const many = Array.from({ length: 22 }, (_, index) => `c${index}`);
  const named = many.slice(0, 20).map((choice) => JSON.stringify(choice)).join(", ");
  assertEquals(found("other", many), [`${field}expected one of ${named} and 2 more, got "other"`]);
});

Deno.test("validateWorkflowTemplate: values and the entrypoint are optional", () => {
  const { spec } = workflow(`arguments: {parameters: [{name: p}]}
templates: [{name: a, container: {image: i, args: ["{{workflow.parameters.p}} {{workflow.parameters.later}}"]}}]`);
  assertEquals(validateWorkflowTemplate({ metadata: { name: "t" }, spec }), []);
});

Deno.test("validate: names have maximum lengths, shorter for a cron workflow", () => {
  const { spec } = workflow("entrypoint: a\ntemplates: [{name: a, suspend: {}}]");
  const name = "x".repeat(53);
  assertEquals(validateWorkflow({ metadata: { name }, spec }), []);
  const [error] = validateCronWorkflow({ metadata: { name }, spec: { workflowSpec: spec, schedules: ["* * * * *"] } });
  assertEquals(error?.path, "metadata.name");
  assertStringIncludes(error?.message ?? "", "must not be more than 52 characters long (currently 53)");
});

Deno.test("validateCronWorkflow: rejects an unknown time zone", () => {
  const { spec } = workflow("entrypoint: a\ntemplates: [{name: a, suspend: {}}]");
  const cron = {
    metadata: { name: "c" },
    spec: { workflowSpec: spec, schedules: ["* * * * *"], timezone: "Mars/Olympus" },
  };
  assertEquals(validateCronWorkflow(cron).map(formatFieldError), [
    'spec.timezone: invalid timezone "Mars/Olympus": unknown time zone Mars/Olympus',
  ]);
});

Deno.test("validateWorkflow: an amount of a resource may have surrounding white space, or a tag", () => {
  const limits = '{cpu: " 1", memory: "1Gi ", a: "{{workflow.parameters.a}}", b: 1e3}';
  const spec = `entrypoint: a\narguments: {parameters: [{name: a, value: "1"}]}\n` +
    `templates: [{name: a, container: {image: i, resources: {limits: ${limits}}}}]`;
  assertEquals(validateWorkflow(workflow(spec)), []);
});

Deno.test("validateCronWorkflow: rejects an invalid schedule", () => {
  const { spec } = workflow("entrypoint: a\ntemplates: [{name: a, suspend: {}}]");
  const cron = { metadata: { name: "c" }, spec: { workflowSpec: spec, schedules: ["@daily", "61 * * * *"] } };
  const [error, ...others] = validateCronWorkflow(cron);
  assertEquals([error?.path, others], ["spec.schedules[1]", []]);
  assertStringIncludes(error?.message ?? "", "cron schedule 61 * * * * is malformed: ");
});

Deno.test("validateCronWorkflow: rejects too many schedules", () => {
  const { spec } = workflow("entrypoint: a\ntemplates: [{name: a, suspend: {}}]");
  const schedules = Array.from({ length: 101 }, () => "@daily");
  const [error, ...others] = validateCronWorkflow({ metadata: { name: "c" }, spec: { workflowSpec: spec, schedules } });
  assertEquals([error?.path, error?.message, others], [
    "spec.schedules",
    "the cron workflow has 101 schedules; the maximum is 100",
    [],
  ]);
});

Deno.test("validateWorkflowTemplate: accepts a parsed document", () => {
  const parsed = parseWorkflowTemplate({ metadata: { name: "t" }, spec: {} });
  assert(parsed.ok);
  assertEquals(validateWorkflowTemplate(parsed.value), []);
});

Deno.test("manifests: manifests of one workflow are checked up to a total size, and invalid ones are rejected", () => {
  const problems = (count: number) => {
    const manifest = `a: 1${" ".repeat(LIMITS.checkedManifestCharacters / 4)}\nb: [`;
    const templates = Array.from({ length: count }, (_, index) => ({
      name: `t${index}`,
      resource: { action: "create" as const, manifest },
    }));
    return validateWorkflow({ metadata: { name: "w" }, spec: { entrypoint: "t0", templates } }).length;
  };
  assertEquals([problems(1), problems(3), problems(10)], [1, 3, 3]);
});
