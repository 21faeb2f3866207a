import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatFieldError, parseWorkflow, parseWorkflowTemplate, type Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { parseYaml } from "@tiphys/model/yaml";
import type { TemplateLookup } from "./context.ts";
import { validateCronWorkflow, validateWorkflow, validateWorkflowTemplate } from "./workflow.ts";

/** Parses a spec from YAML; `echo` has a parameter `text`, `work` has no inputs. */
function workflow(spec: string): Workflow {
  const [document] = parseYaml(`metadata: {name: w}\nspec:\n${spec.replace(/^/gm, "  ")}`);
  assertEquals(document?.errors, []);
  const parsed = parseWorkflow(document?.value);
  if (!parsed.ok) throw new Error(parsed.errors.map(formatFieldError).join("\n"));
  return parsed.value;
}

function problems(spec: string, lookup?: TemplateLookup): string[] {
  return validateWorkflow(workflow(spec), lookup).map(formatFieldError);
}

/** A workflow whose entry template has this body. */
function main(body: string): string {
  return `entrypoint: main
templates:
- name: main
${body.replace(/^/gm, "  ")}
- name: work
  script: {image: i, source: x}
- name: echo
  inputs: {parameters: [{name: text}]}
  outputs: {parameters: [{name: said, valueFrom: {path: /tmp/said}}]}
  container: {image: i, args: ["{{inputs.parameters.text}}"]}
`;
}

const STEP = "spec.templates[0].steps[0][0]";
const TASK = "spec.templates[0].dag.tasks[1]";

const INPUT = "spec.templates[0].inputs.artifacts[0]";
const IN = "templates.a.inputs.artifacts.x";

/** A template whose input artifact has these fields. */
function input(fields: string): string {
  return `entrypoint: a\ntemplates: [{name: a, container: {image: i}, inputs: {artifacts: [{name: x, path: /x, ${fields}}]}}]`;
}

/** A template whose output artifact has these fields. */
function output(fields: string): string {
  return `entrypoint: a\ntemplates: [{name: a, container: {image: i}, outputs: {artifacts: [{name: x, path: /x, ${fields}}]}}]`;
}

const refused: [string, string, string][] = [
  [
    "a call of an unknown template, naming the one that is meant",
    main("steps: [[{name: a, template: wrok}]]"),
    `${STEP}.template: templates.main.steps[0].a template name 'wrok' undefined; did you mean "work"?`,
  ],
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
    "a template name that only a run can know",
    main('steps: [[{name: a, template: "{{workflow.name}}"}]]'),
    `${STEP}.template: templates.main.steps[0].a template name '{{workflow.name}}' undefined`,
  ],
  [
    "a template name from a parameter, with its resolved value",
    `arguments: {parameters: [{name: t, value: wrok}]}\n${
      main('steps: [[{name: a, template: "{{workflow.parameters.t}}"}]]')
    }`,
    `${STEP}.template: templates.main.steps[0].a template name 'wrok' undefined; did you mean "work"?`,
  ],
  [
    "an entrypoint with a tag, since nothing fills it in",
    `arguments: {parameters: [{name: t, value: main}]}\n${
      main("steps: [[{name: a, template: work}]]").replace(
        "entrypoint: main",
        'entrypoint: "{{workflow.parameters.t}}"',
      )
    }`,
    "spec.entrypoint: template name '{{workflow.parameters.t}}' undefined",
  ],
  [
    "a step name with a tag that has no value when its template starts",
    main('steps: [[{name: "a-{{workflow.scheduledTime}}", template: work}]]'),
    `${STEP}.name: templates.main.steps[0].name 'a-{{workflow.scheduledTime}}' is invalid: name must consist of ` +
    "alpha-numeric characters or '-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)",
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
    "a tag in a key",
    main('steps: [[{name: a, template: work, withItems: [{"{{inputs.parameters.x}}": 1}]}]]'),
    `${STEP}.withItems[0]["{{inputs.parameters.x}}"]: templates.main.steps failed to resolve {{inputs.parameters.x}}`,
  ],
  [
    "an inline template that refers to fields of the step's item",
    main('steps: [[{name: a, withItems: [{x: 1}], inline: {container: {image: i, args: ["{{item.x}}"]}}}]]'),
    `${STEP}.inline.container.args[0]: templates.main.steps[0].a templates.: failed to resolve {{item.x}}`,
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
    "an argument artifact with nothing but an expression",
    main('steps: [[{name: a, template: work, arguments: {artifacts: [{name: x, fromExpression: "1"}]}}]]'),
    `${STEP}.arguments.artifacts[0]: templates.main.steps[0].a.arguments.x.from, artifact location, or key is required`,
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
    "a plugin whose sidecar has no limits",
    `executorPlugins:
- metadata: {name: p}
  spec: {sidecar: {container: {name: c, image: i, ports: [{containerPort: 1}], resources: {requests: {cpu: 1}}}}}
${main("steps: [[{name: a, template: work}]]")}`,
    "spec.executorPlugins[0]: spec.executorPlugins: resources limits are mandatory",
  ],
  [
    "a selector of pods that no label could meet",
    `podGC: {labelSelector: {matchLabels: {a: "b c"}}}\n${main("steps: [[{name: a, template: work}]]")}`,
    'spec.podGC.labelSelector: podGC.labelSelector invalid: values[0][a]: Invalid value: "b c": a valid label must be an ' +
    "empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
    "character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  [
    "a selector of pods with an unknown operator",
    `podGC: {labelSelector: {matchExpressions: [{key: a, operator: Is}]}}\n${
      main("steps: [[{name: a, template: work}]]")
    }`,
    'spec.podGC.labelSelector: podGC.labelSelector invalid: "Is" is not a valid label selector operator',
  ],
  [
    "a selector of pods with more requirements than the limit",
    `podGC: {labelSelector: {matchExpressions: [${"{key: a, operator: Exists}, ".repeat(101)}]}}\n${
      main("steps: [[{name: a, template: work}]]")
    }`,
    "spec.podGC.labelSelector: podGC.labelSelector invalid: the selector has 101 requirements, more than the limit of 100",
  ],
  [
    "a hook without an expression",
    main("steps: [[{name: a, template: work, hooks: {running: {template: work}}}]]"),
    `${STEP}.hooks.running: templates.main.steps[0].a.running Expression required`,
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
    "a step without the argument that its template needs",
    main("steps: [[{name: a, template: echo}]]"),
    `${STEP}: templates.main.steps[0].a templates.echo inputs.parameters.text was not supplied`,
  ],
  [
    "two steps of one name",
    main("steps: [[{name: a, template: work}], [{name: a, template: work}]]"),
    "spec.templates[0].steps[1][0].name: templates.main.steps[1].name 'a' is not unique",
  ],
  [
    "a step name with a blank",
    main("steps: [[{name: a b, template: work}]]"),
    `${STEP}.name: templates.main.steps[0].name 'a b' is invalid: name must consist of alpha-numeric characters or ` +
    "'-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)",
  ],
  [
    "the output of a step that does not exist",
    main('steps: [[{name: a, template: echo, arguments: {parameters: [{name: text, value: "{{steps.b.id}}"}]}}]]'),
    `${STEP}.arguments.parameters[0].value: templates.main.steps failed to resolve {{steps.b.id}}`,
  ],
  [
    "an output parameter that the step's template does not declare, naming the one that it does",
    main(`steps:
- - {name: a, template: echo, arguments: {parameters: [{name: text, value: x}]}}
- - {name: b, template: echo, arguments: {parameters: [{name: text, value: "{{steps.a.outputs.parameters.sad}}"}]}}`),
    "spec.templates[0].steps[1][0].arguments.parameters[0].value: templates.main.steps failed to resolve " +
    '{{steps.a.outputs.parameters.sad}}; did you mean "steps.a.outputs.parameters.said"?',
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
    "a loop over two things at once",
    main('steps: [[{name: a, template: work, withItems: [1], withParam: "[1]"}]]'),
    `${STEP}: templates.main.steps[0].a only one of withItems, withParam, withSequence can be specified`,
  ],
  [
    "a field that no item of a loop has",
    main(
      'steps: [[{name: a, template: echo, withItems: [{x: 1}], arguments: {parameters: [{name: text, value: "{{item.y}}"}]}}]]',
    ),
    `${STEP}.arguments.parameters[0].value: templates.main.steps failed to resolve {{item.y}}`,
  ],
  [
    "a dependency on a task that does not exist",
    main("dag: {tasks: [{name: first, template: work}, {name: b, template: work, depends: fist.Succeeded}]}"),
    `${TASK}.depends: templates.main sorting failed: invalid dependency fist; did you mean "first"?`,
  ],
  [
    "a result that no task can have",
    main("dag: {tasks: [{name: a, template: work}, {name: b, template: work, depends: a.Succeded}]}"),
    `${TASK}.depends: templates.main.tasks.b task result 'Succeded' for task 'a' is invalid; did you mean "Succeeded"?`,
  ],
  [
    "a cycle, showing its way",
    main(
      "dag: {tasks: [{name: a, template: work, depends: b}, {name: b, template: work, depends: c}, {name: c, template: work, depends: a}]}",
    ),
    "spec.templates[0].dag.tasks[0].depends: templates.main sorting failed: graph with cycle: a->b->c->a",
  ],
  [
    "two tasks of one name",
    main("dag: {tasks: [{name: a, template: work}, {name: a, template: work}]}"),
    `${TASK}.name: templates.main sorting failed: duplicated nodeName a`,
  ],
  [
    "depends and dependencies in one DAG",
    main(
      "dag: {tasks: [{name: a, template: work}, {name: b, template: work, dependencies: [a]}, {name: c, template: work, depends: a}]}",
    ),
    `${TASK}.dependencies: templates.main cannot use both 'depends' and 'dependencies' in the same DAG template`,
  ],
  [
    "the output of a task that is not waited for",
    main(`dag:
  tasks:
  - {name: a, template: work}
  - {name: b, template: echo, arguments: {parameters: [{name: text, value: "{{tasks.a.outputs.result}}"}]}}`),
    `${TASK}.arguments.parameters[0].value: templates.main.tasks.b missing dependency 'a' for parameter 'text'`,
  ],
  [
    "a target that is not a task",
    main("dag: {target: a z, tasks: [{name: a, template: work}]}"),
    "spec.templates[0].dag.target: templates.main.targets: target 'z' is not defined",
  ],
  [
    "an output of a container that comes from no path",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, outputs: {parameters: [{name: o, valueFrom: {expression: '1'}}]}}]",
    "spec.templates[0].outputs.parameters[0].valueFrom: templates.a.outputs.parameters.o.path must be specified for " +
    "Container templates",
  ],
  [
    "an artifact path that leads out of its folder",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, outputs: {artifacts: [{name: o, path: /tmp/safe/../x}]}}]",
    "spec.templates[0].outputs.artifacts[0].path: error in templates.a.outputs.artifacts.o: Artifact 'o' attempted " +
    "to use a path containing '..'. Directory traversal is not permitted",
  ],
  [
    "a sidecar with a name of the engine's own (IL-08)",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, sidecars: [{name: ok, image: i}, {name: wait, image: i}]}]",
    'spec.templates[0].sidecars[1].name: templates.a.sidecars: "wait" is a reserved Argo container name',
  ],
  [
    "an artifact in two stores at once",
    input("s3: {key: k}, gcs: {key: k}"),
    `${INPUT}.gcs: ${IN}: at most one artifact location can be specified, got s3, gcs`,
  ],
  [
    "an argument in two stores at once",
    main("steps: [[{name: a, template: work, arguments: {artifacts: [{name: x, raw: {data: d}, oss: {key: k}}]}}]]"),
    `${STEP}.arguments.artifacts[0].oss: templates.main.steps[0].a.arguments.x: at most one artifact location can be ` +
    "specified, got raw, oss",
  ],
  [
    "one half of a pair of secrets",
    input("s3: {key: k, secretKeySecret: {name: s, key: k}}"),
    `${INPUT}.s3.secretKeySecret: ${IN}.s3 has secretKeySecret without accessKeySecret`,
  ],
  [
    "a user without a password",
    input('artifactory: {url: "https://h/a", usernameSecret: {name: s, key: k}}'),
    `${INPUT}.artifactory.usernameSecret: ${IN}.artifactory has usernameSecret without passwordSecret`,
  ],
  [
    "one half of a pair in the place of a template's archive",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, archiveLocation: {s3: {key: k, accessKeySecret: {name: s, key: k}}}}]",
    "spec.templates[0].archiveLocation.s3.accessKeySecret: templates.a.archiveLocation.s3 has accessKeySecret without " +
    "secretKeySecret",
  ],
  [
    "a git repository as the place of an output",
    output("git: {repo: r}"),
    "spec.templates[0].outputs.artifacts[0].git: templates.a.outputs.artifacts.x: git output artifacts unsupported",
  ],
  [
    "a text as the place of an output",
    output("raw: {data: d}"),
    "spec.templates[0].outputs.artifacts[0].raw: templates.a.outputs.artifacts.x: Raw output artifacts unsupported",
  ],
  [
    "one branch of git without its name",
    input("git: {repo: r, singleBranch: true}"),
    `${INPUT}.git.singleBranch: ${IN}.git: single branch mode without a branch specified`,
  ],
  [
    "two kinds of credentials for one file",
    input(
      'http: {url: "https://h", auth: {clientCert: {clientKeySecret: {key: k}}, oauth2: {tokenURLSecret: {key: k}}}}',
    ),
    `${INPUT}.http.auth: ${IN}.http.auth may have clientCert or oauth2, not both`,
  ],
  [
    "two keys of encryption",
    input(
      "s3: {key: k, encryptionOptions: {enableEncryption: true, kmsKeyId: i, serverSideCustomerKeySecret: {name: s, key: k}}}",
    ),
    `${INPUT}.s3.encryptionOptions.serverSideCustomerKeySecret: ${IN}.s3.encryptionOptions: ` +
    "serverSideCustomerKeySecret and kmsKeyId cannot be set together",
  ],
  [
    "a key of encryption that would travel in the open",
    input(
      "s3: {key: k, insecure: true, encryptionOptions: {enableEncryption: true, serverSideCustomerKeySecret: {name: s, key: k}}}",
    ),
    `${INPUT}.s3.encryptionOptions.serverSideCustomerKeySecret: ${IN}.s3.encryptionOptions: ` +
    "secure must be set if EncryptOpts.SSECPassword is set",
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
];

for (const [what, spec, problem] of refused) {
  Deno.test(`validateWorkflow: rejects ${what}`, () => assertEquals(problems(spec), [problem]));
}

const accepted: [string, string][] = [
  [
    "a manifest with a key twice, as `argo cron backfill` writes it",
    'entrypoint: a\ntemplates: [{name: a, resource: {action: create, manifest: "a: 1\\na: 2\\n"}}]',
  ],
  ["a template that calls itself", main("steps: [[{name: a, template: main}]]")],
  [
    "an init container called like that of the legacy layout, which a pod of the other layout may have",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, initContainers: [{name: init, image: i}]}]",
  ],
  [
    "tags that other tools may mean, and expressions",
    'entrypoint: a\ntemplates: [{name: a, container: {image: i, args: ["{{mustache.x}} {{=nope.y}} {{retries}}"]}}]',
  ],
  [
    "a tag in the value of an input that every caller replaces",
    main("steps: [[{name: a, template: noted, arguments: {parameters: [{name: x, value: y}]}}]]") +
    '- {name: noted, inputs: {parameters: [{name: x, value: "{{steps.a.ip}}"}]}, container: {image: i}}',
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
    "an inline template that uses its own inputs, and those around it",
    main(`inputs: {parameters: [{name: outer, value: v}]}
steps:
- - name: a
    withItems: [{x: 1}]
    arguments: {parameters: [{name: own, value: "{{item.x}}"}]}
    inline:
      inputs: {parameters: [{name: own}]}
      container: {image: i, args: ["{{inputs.parameters.own}} {{inputs.parameters.outer}} {{=item.x}}"]}`),
  ],
  [
    "a tag in the source of an input that every caller replaces",
    main("steps: [[{name: a, template: keyed, arguments: {parameters: [{name: x, value: z}]}}]]") +
    "- {name: keyed, container: {image: i}, inputs: {parameters: [" +
    '{name: x, valueFrom: {configMapKeyRef: {name: c, key: "{{inputs.parameters.z}}"}}}]}}',
  ],
  [
    "a tag in the place of an input artifact that every caller replaces",
    main("steps: [[{name: a, template: read, arguments: {artifacts: [{name: x, raw: {data: z}}]}}]]") +
    '- {name: read, inputs: {artifacts: [{name: x, path: /x, raw: {data: "{{steps.a.ip}}"}}]}, container: {image: i}}',
  ],
  [
    "a tag whose name begins or ends with a line break, which is left unresolved",
    main('steps: [[{name: a, template: echo, arguments: {parameters: [{name: text, value: "{{\\nsteps.x.ip}}"}]}}]]'),
  ],
  [
    "missing templates of hooks and exit handlers of steps, which lint reports",
    main("steps: [[{name: a, template: work, onExit: nope, hooks: {exit: {template: neither}}}]]"),
  ],
  [
    "the list of a loop's outputs in a later step",
    main(`steps:
- - {name: a, template: work, withItems: [1, 2]}
- - {name: b, template: work, withParam: "{{steps.a.outputs.result}}"}`),
  ],
  [
    "failures in the exit handler",
    "entrypoint: a\nonExit: b\ntemplates: [{name: a, suspend: {}}, {name: b, container: {image: i, args: ['{{workflow.failures}}']}}]",
  ],
  [
    "an image that comes from the template defaults",
    "entrypoint: a\ntemplateDefaults: {container: {image: i}}\ntemplates: [{name: a, container: {command: [x]}}]",
  ],
  [
    "a value that is a list of choices",
    `arguments: {parameters: [{name: p, value: '["b","a"]', enum: [a, b]}]}\n${
      main("steps: [[{name: a, template: work}]]")
    }`,
  ],
  [
    "a template whose name comes from the workflow's parameters",
    `arguments: {parameters: [{name: t, value: work}]}\n${
      main('steps: [[{name: a, template: "{{workflow.parameters.t}}"}]]')
    }`,
  ],
  [
    "empty credentials that Go clients write alongside the one in use",
    input('http: {url: "https://h", auth: {basicAuth: {usernameSecret: {key: u}}, clientCert: {}, oauth2: {}}}'),
  ],
];

Deno.test("validateWorkflow: a value outside of enum is reported with the choices and the most similar one", () => {
  const at =
    "spec.arguments.parameters[0].value: spec.arguments.p.value should be present in spec.arguments.p.enum list: ";
  const found = (value: string, choices: readonly string[]) =>
    problems(
      `arguments: {parameters: [{name: p, value: ${value}, enum: ${JSON.stringify(choices)}}]}\n${
        main("steps: [[{name: a, template: work}]]")
      }`,
    );
  assertEquals(found("smal", ["small", "large"]), [
    `${at}expected one of "small", "large", got "smal"; did you mean "small"?`,
  ]);
  const many = Array.from({ length: 22 }, (_, index) => `c${index}`);
  const named = many.slice(0, 20).map((choice) => JSON.stringify(choice)).join(", ");
  assertEquals(found("other", many), [`${at}expected one of ${named} and 2 more, got "other"`]);
});

Deno.test("validateWorkflow: errors that prevent ordering the tasks of a DAG come first", () => {
  const tasks = "{name: a_b, template: work}, {name: b, template: work, depends: zz, continueOn: {failed: true}}";
  assertEquals(problems(main(`dag: {tasks: [${tasks}]}`)), [
    `${TASK}.depends: templates.main sorting failed: invalid dependency zz`,
    "spec.templates[0].dag.tasks[0].name: templates.main.tasks[0].name: 'a_b' is invalid: name must consist of " +
    "alpha-numeric characters or '-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)",
    `${TASK}.continueOn: templates.main cannot use 'continueOn' when using 'depends'. ` +
    "Instead use 'dep-task.Failed'/'dep-task.Errored'",
  ]);
});

Deno.test("validateWorkflow: the error of an unsupported setting names the call of the template", () => {
  const limited = "{name: limited, timeout: 2s, steps: [[{name: x, template: work}]]}";
  const called = main("steps: [[{name: a, template: limited}]]").replace("templates:", `templates:\n- ${limited}`);
  assertEquals(problems(called), [
    "spec.templates[0].timeout: templates.main.steps[0].a Steps template doesn't support timeout field",
  ]);
});

for (const [what, spec] of accepted) {
  Deno.test(`validateWorkflow: accepts ${what}`, () => assertEquals(problems(spec), []));
}

const shared = workflow(`templates:
- name: greet
  inputs: {parameters: [{name: who}]}
  container: {image: i, args: ["{{inputs.parameters.who}} {{inputs.parameters.typo}}"]}`);
const lookup: TemplateLookup = {
  workflowTemplate: (name) => name === "shared" ? shared : undefined,
  clusterWorkflowTemplate: () => undefined,
};

Deno.test("validateWorkflow: reports errors of a task's arguments before those of its call", () => {
  const spec = main(
    "dag: {tasks: [{name: a, template: echo, arguments: {parameters: [{name: text, valueFrom: {path: /tmp/x}}]}}]}",
  );
  const at = "spec.templates[0].dag.tasks[0]";
  assertEquals(problems(spec), [
    `${at}.arguments.parameters[0].valueFrom: templates.main.tasks.a.arguments.text.valueFrom only allows: default, configMapKeyRef and supplied`,
    `${at}: templates.main.tasks.a templates.echo inputs.parameters.text was not supplied`,
  ]);
});

Deno.test("validateWorkflow: follows references to other documents and reports their errors at the reference", () => {
  const spec = main(
    "steps: [[{name: a, templateRef: {name: shared, template: greet}, arguments: {parameters: [{name: who, value: x}]}}]]",
  );
  assertEquals(problems(spec, lookup), [
    `${STEP}: templates.main.steps[0].a templates.greet: failed to resolve {{inputs.parameters.typo}}`,
  ]);
});

Deno.test("validateWorkflow: a missing reference is an error unless missing ones are allowed", () => {
  const spec = main("steps: [[{name: a, templateRef: {name: other, template: greet}}]]");
  assertEquals(problems(spec, lookup), [
    `${STEP}.templateRef: templates.main.steps[0].a template reference other.greet not found`,
  ]);
  assertEquals(problems(spec, { ...lookup, allowMissing: true }), []);
  assertEquals(problems(spec), []);
});

Deno.test("validateWorkflow: checks a workflow with a template reference against the template's arguments", () => {
  assertEquals(
    problems("workflowTemplateRef: {name: shared}\nentrypoint: greet", lookup),
    [
      "spec: templates.greet inputs.parameters.who was not supplied",
      "spec: templates.greet: failed to resolve {{inputs.parameters.typo}}",
    ].toReversed(),
  );
});

Deno.test("validateWorkflow: checks a workflow with a template reference as stored, merged or not", () => {
  const merged = workflow(
    "workflowTemplateRef: {name: gone}\nentrypoint: a\ntemplates: [{name: a, container: {image: i}}]",
  );
  assertEquals(validateWorkflow({ ...merged, status: { storedWorkflowTemplateSpec: merged.spec } }, lookup), []);
  const { workflowTemplateRef } = merged.spec;
  const stored = { ...merged, spec: { workflowTemplateRef }, status: { storedWorkflowTemplateSpec: merged.spec } };
  assertEquals(validateWorkflow(stored), []);
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
    "the cron workflow has 101 schedules, and may have 100",
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
