import { assertEquals } from "@std/assert";
import { main, problems, STEP, TASK, testAccepted, testRejected } from "./testing/workflows.ts";

testRejected([
  [
    "a call of an unknown template, naming the one that is meant",
    main("steps: [[{name: a, template: wrok}]]"),
    `${STEP}.template: templates.main.steps[0].a template name 'wrok' undefined; did you mean "work"?`,
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
]);

testAccepted([
  ["a template that calls itself", main("steps: [[{name: a, template: main}]]")],
  [
    "a tag in the value of an input that every caller replaces",
    main("steps: [[{name: a, template: noted, arguments: {parameters: [{name: x, value: y}]}}]]") +
    '- {name: noted, inputs: {parameters: [{name: x, value: "{{steps.a.ip}}"}]}, container: {image: i}}',
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
]);

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

Deno.test("validateWorkflow: reports errors of a task's arguments before those of its call", () => {
  const spec = main(
    "dag: {tasks: [{name: a, template: echo, arguments: {parameters: [{name: text, valueFrom: {path: /tmp/x}}]}}]}",
  );
  const field = "spec.templates[0].dag.tasks[0]";
  assertEquals(problems(spec), [
    `${field}.arguments.parameters[0].valueFrom: templates.main.tasks.a.arguments.text.valueFrom only allows: default, configMapKeyRef and supplied`,
    `${field}: templates.main.tasks.a templates.echo inputs.parameters.text was not supplied`,
  ]);
});
