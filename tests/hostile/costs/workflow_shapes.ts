/** Shapes of workflows, each of any size: a workflow of a shape has about `size` characters as JSON. */
import type { Shape } from "./shapes.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A workflow of `count` parts: searches the count at which it has the size. All parts are equally long. */
function workflow(spec: (count: number) => Fields, metadata: (count: number) => Fields = () => ({})): Shape {
  const text = (count: number) =>
    JSON.stringify({
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { generateName: "w-", ...metadata(count) },
      spec: { entrypoint: "main", ...spec(count) },
    });
  return (size) => {
    const sample = 50;
    const each = (text(2 * sample).length - text(sample).length) / sample;
    return text(Math.max(1, Math.round(size / each)));
  };
}

function templates(
  main: (count: number) => Fields,
  others: (count: number) => readonly Fields[] = () => [WORK],
): Shape {
  return workflow((count) => ({ templates: [{ name: "main", ...main(count) }, ...others(count)] }));
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A text that was not used before, with a number of six digits: caches of earlier texts are of no use. */
function newText(text: string): string {
  return `# ${++texts}\n${text}`;
}

let texts = 100_000;

/** Values by name, as `{n0: …, n1: …}`. */
function valuesByName(count: number, make: (index: number) => unknown): Fields {
  return Object.fromEntries(many(count, (index) => [`n${index}`, make(index)]));
}

const CONTAINER = { image: "busybox" };
const WORK = { name: "work", container: CONTAINER };
const TAKES = { name: "work", inputs: { parameters: [{ name: "p" }] }, container: CONTAINER };
const GIVES = {
  name: "work",
  container: CONTAINER,
  outputs: { parameters: [{ name: "o", valueFrom: { path: "/o" } }] },
};

function steps(make: (index: number) => Fields): (count: number) => Fields {
  return (count) => ({ steps: many(count, (index) => [{ name: `s${index}`, template: "work", ...make(index) }]) });
}

function tasks(make: (index: number) => Fields): (count: number) => Fields {
  return (count) => ({
    dag: { tasks: many(count, (index) => ({ name: `t${index}`, template: "work", ...make(index) })) },
  });
}

/** Outputs by expressions, and steps with the outputs that the expressions name. */
function outputsByExpression(expression: (index: number) => string): Shape {
  return templates((count) => ({
    steps: [many(count, (index) => ({ name: `s${index}`, template: "work" }))],
    outputs: {
      parameters: many(count, (index) => ({ name: `o${index}`, valueFrom: { expression: expression(index) } })),
    },
  }), () => [GIVES]);
}

/** Shapes of workflows, by the part that grows. */
export const WORKFLOW_SHAPES: Readonly<Record<string, Shape>> = {
  "templates": workflow((count) => ({
    templates: [{ ...WORK, name: "main" }, ...many(count, (index) => ({ ...WORK, name: `t${index}` }))],
  })),
  "templates with one name": workflow((count) => ({ templates: many(count, () => ({ ...WORK, name: "main" })) })),
  "templates that call the next": workflow((count) => ({
    templates: many(count, (index) => ({
      name: index === 0 ? "main" : `t${index}`,
      steps: [[{ name: "s", template: `t${index + 1}` }]],
    })),
  })),
  "templates that call one another": workflow((count) => ({
    templates: many(count, (index) => ({
      name: index === 0 ? "main" : `t${index}`,
      steps: [[{ name: "s", template: `t${count - index}` }, { name: "u", template: `t${(index * 7) % count}` }]],
    })),
  })),
  "templates without a type": workflow((count) => ({ templates: many(count, (index) => ({ name: `t${index}` })) })),
  "calls of unknown templates": templates(steps((index) => ({ template: `unknown${index}` }))),
  "steps": templates(steps(() => ({}))),
  "steps in one group": templates((count) => ({
    steps: [many(count, (index) => ({ name: `s${index}`, template: "work" }))],
  })),
  "steps that name the first": templates(
    steps((index) => ({ arguments: { parameters: [{ name: "p", value: index === 0 ? "x" : "{{steps.s0.id}}" }] } })),
    () => [TAKES],
  ),
  "steps that name the one before": templates(
    steps((index) => ({
      arguments: { parameters: [{ name: "p", value: index === 0 ? "x" : `{{steps.s${index - 1}.id}}` }] },
    })),
    () => [TAKES],
  ),
  "steps that name unknown ones": templates(
    steps((index) => ({ arguments: { parameters: [{ name: "p", value: `{{steps.u${index}.id}}` }] } })),
    () => [TAKES],
  ),
  "steps with expressions": templates(
    steps((index) => ({
      arguments: { parameters: [{ name: "p", value: index === 0 ? "x" : `{{=steps['s${index - 1}'].id + 'x'}}` }] },
    })),
    () => [TAKES],
  ),
  "steps with expressions over unknown names": templates(
    steps((index) => ({ arguments: { parameters: [{ name: "p", value: `{{=steps.u${index}.id}}` }] } })),
    () => [TAKES],
  ),
  "steps with conditions": templates(
    steps((index) => ({ when: `{{steps.s${Math.max(0, index - 1)}.status}} == Succeeded` })),
  ),
  "steps with hooks": templates(steps(() => ({ hooks: { exit: { template: "work" } } }))),
  "steps with items": templates(steps((index) => ({ withItems: [index, { a: index }] }))),
  "steps with one name": templates(steps(() => ({ name: "s" }))),
  "items of one step": templates((count) => ({
    steps: [[{ name: "s", template: "work", withItems: many(count, (index) => index) }]],
  })),
  "items with different fields": templates((count) => ({
    steps: [[{ name: "s", template: "work", withItems: many(count, (index) => ({ [`f${index}`]: "{{item.x}}" })) }]],
  })),
  "inline templates": templates((count) => ({
    steps: [many(count, (index) => ({ name: `s${index}`, inline: { container: CONTAINER } }))],
  })),
  "tasks": templates(tasks(() => ({}))),
  "tasks in a chain": templates(tasks((index) => (index === 0 ? {} : { dependencies: [`t${index - 1}`] }))),
  "tasks in a chain that name the first": templates(
    tasks((index) => (index === 0 ? { arguments: { parameters: [{ name: "p", value: "x" }] } } : {
      depends: `t${index - 1}`,
      arguments: { parameters: [{ name: "p", value: "{{tasks.t0.status}}" }] },
    })),
    () => [TAKES],
  ),
  "tasks that depend on the one before, by words": templates(
    tasks((index) => (index === 0 ? {} : { depends: `t${index - 1}.Succeeded || t${index - 1}.Skipped` })),
  ),
  "tasks that depend on the ten before": templates(
    tasks((index) => ({ dependencies: many(Math.min(index, 10), (back) => `t${index - 1 - back}`) })),
  ),
  "one task that depends on all": templates((count) => ({
    dag: {
      tasks: [
        ...many(count, (index) => ({ name: `t${index}`, template: "work" })),
        { name: "end", template: "work", dependencies: many(count, (index) => `t${index}`) },
      ],
    },
  })),
  "one task that depends on one many times": templates((count) => ({
    dag: {
      tasks: [{ name: "t", template: "work" }, {
        name: "end",
        template: "work",
        depends: many(count, () => "t").join(" && "),
      }],
    },
  })),
  "tasks in a circle": templates((count) => tasks((index) => ({ dependencies: [`t${(index + 1) % count}`] }))(count)),
  "tasks that depend on unknown ones": templates(tasks((index) => ({ dependencies: [`u${index}`] }))),
  "targets": templates((count) => ({
    dag: {
      target: many(count, (index) => `t${index}`).join(" "),
      tasks: many(count, (index) => ({ name: `t${index}`, template: "work" })),
    },
  })),
  "outputs by expressions": outputsByExpression((index) => `steps.s${index}.outputs.parameters.o`),
  "outputs by expressions over one name": outputsByExpression(() => "steps.s0.outputs.parameters.o"),
  "outputs by expressions over unknown names": outputsByExpression((index) => `steps.u${index}.outputs.parameters.o`),
  "outputs by expressions with hyphens": outputsByExpression((index) => `steps.s-${index}.outputs.parameters.o`),
  "outputs by expressions that end early": outputsByExpression((index) => `steps.s${index}.(`),
  "outputs by tags": templates((count) => ({
    steps: [many(count, (index) => ({ name: `s${index}`, template: "work" }))],
    outputs: {
      parameters: many(count, (index) => ({
        name: `o${index}`,
        valueFrom: { parameter: `{{steps.s${index}.outputs.parameters.o}}` },
      })),
    },
  }), () => [GIVES]),
  "global outputs": templates((count) => ({
    steps: many(count, (index) => [{ name: `s${index}`, template: `t${index}` }]),
  }), (count) =>
    many(count, (index) => ({
      ...GIVES,
      name: `t${index}`,
      outputs: { parameters: [{ name: "o", globalName: `g${index}`, valueFrom: { path: "/o" } }] },
    }))),
  "inputs": templates((count) => ({
    inputs: { parameters: many(count, (index) => ({ name: `i${index}`, value: "x" })) },
    container: CONTAINER,
  })),
  "inputs from a step": templates(
    (count) => ({
      steps: [[{
        name: "s",
        template: "work",
        arguments: { parameters: many(count, (index) => ({ name: `i${index}`, value: "x" })) },
      }]],
    }),
    (count) => [{ ...WORK, inputs: { parameters: many(count, (index) => ({ name: `i${index}` })) } }],
  ),
  "inputs without values": templates(
    () => ({ steps: [[{ name: "s", template: "work" }]] }),
    (count) => [{ ...WORK, inputs: { parameters: many(count, (index) => ({ name: `i${index}` })) } }],
  ),
  "input artifacts": templates((count) => ({
    inputs: { artifacts: many(count, (index) => ({ name: `a${index}`, path: `/a${index}`, raw: { data: "x" } })) },
    container: CONTAINER,
  })),
  "arguments": workflow((count) => ({
    arguments: { parameters: many(count, (index) => ({ name: `a${index}`, value: "x" })) },
    templates: [{ ...WORK, name: "main" }],
  })),
  "arguments that tags name": workflow((count) => ({
    arguments: { parameters: many(count, (index) => ({ name: `a${index}`, value: "x" })) },
    templates: [{
      name: "main",
      container: { ...CONTAINER, args: many(count, (index) => `{{workflow.parameters.a${index}}}`) },
    }],
  })),
  "arguments that expressions name": workflow((count) => ({
    arguments: { parameters: many(count, (index) => ({ name: `a${index}`, value: "x" })) },
    templates: [{
      name: "main",
      container: { ...CONTAINER, args: many(count, (index) => `{{=workflow.parameters.a${index}}}`) },
    }],
  })),
  "values of an enum": workflow((count) => ({
    arguments: { parameters: [{ name: "a", value: "x", enum: many(count, (index) => `v${index}`) }] },
    templates: [{ ...WORK, name: "main" }],
  })),
  "unknown tags": templates((count) => ({
    container: { ...CONTAINER, args: many(count, (index) => `{{inputs.parameters.u${index}}}`) },
  })),
  "unknown tags in one text": templates((count) => ({
    container: { ...CONTAINER, args: [many(count, (index) => `{{inputs.parameters.u${index}}}`).join("")] },
  })),
  "expressions in one text": templates((count) => ({
    container: { ...CONTAINER, args: [many(count, (index) => `{{=u${index}}}`).join("")] },
  })),
  "open tags in one text": templates((count) => ({ container: { ...CONTAINER, args: ["{{".repeat(count)] } })),
  "closing braces in one text": templates((count) => ({ container: { ...CONTAINER, args: ["}}".repeat(count)] } })),
  "one expression of many names": templates((count) => ({
    container: { ...CONTAINER, args: [`{{=${many(count, (index) => `u${index}`).join(" + ")}}}`] },
  })),
  "one expression of one name": templates((count) => ({
    container: { ...CONTAINER, args: [`{{=${many(count, () => "workflow.name").join(" + ")}}}`] },
  })),
  "one expression of hyphens": templates((count) => ({
    container: { ...CONTAINER, args: [`{{=${many(count, () => "a").join("-")}}}`] },
  })),
  "one expression of brackets": templates((count) => ({
    container: { ...CONTAINER, args: [`{{=${"(".repeat(count)}}}`] },
  })),
  "one expression of a list": templates((count) => ({
    container: { ...CONTAINER, args: [`{{=[${"1,".repeat(count)}1]}}`] },
  })),
  "one condition of many words": templates((count) => ({
    steps: [[{ name: "s", template: "work", when: many(count, (index) => `a == ${index}`).join(" || ") }]],
  })),
  "containers of a set": templates((count) => ({
    containerSet: {
      containers: many(count, (index) => ({
        name: index === 0 ? "main" : `c${index}`,
        image: "busybox",
        ...(index > 0 && { dependencies: [index === 1 ? "main" : `c${index - 1}`] }),
      })),
    },
  })),
  "sidecars": templates((count) => ({
    container: CONTAINER,
    sidecars: many(count, (index) => ({ name: `c${index}`, image: "busybox" })),
  })),
  "environment": templates((count) => ({
    container: { ...CONTAINER, env: many(count, (index) => ({ name: `E${index}`, value: "x" })) },
  })),
  "mounts": templates((count) => ({
    container: { ...CONTAINER, volumeMounts: many(count, (index) => ({ name: `v${index}`, mountPath: `/v${index}` })) },
  })),
  "volumes": workflow((count) => ({
    volumes: many(count, (index) => ({ name: `v${index}`, emptyDir: {} })),
    templates: [{ ...WORK, name: "main" }],
  })),
  "labels": workflow(
    () => ({ templates: [{ ...WORK, name: "main" }] }),
    (count) => ({ labels: valuesByName(count, () => "x") }),
  ),
  "annotations that tags name": workflow(
    (count) => ({
      templates: [{
        name: "main",
        container: { ...CONTAINER, args: many(count, (index) => `{{workflow.annotations.n${index}}}`) },
      }],
    }),
    (count) => ({ annotations: valuesByName(count, () => "x") }),
  ),
  "hooks of the workflow": workflow((count) => ({
    hooks: valuesByName(count, () => ({ template: "main", expression: "true" })),
    templates: [{ ...WORK, name: "main" }],
  })),
  "metrics": workflow((count) => ({
    metrics: { prometheus: many(count, (index) => ({ name: `m${index}`, help: "h", counter: { value: "1" } })) },
    templates: [{ ...WORK, name: "main" }],
  })),
  "labels of one metric": workflow((count) => ({
    metrics: {
      prometheus: [{
        name: "m",
        help: "h",
        labels: many(count, (index) => ({ key: `k${index}`, value: "{{workflow.name}}" })),
        counter: { value: "1" },
      }],
    },
    templates: [{ ...WORK, name: "main" }],
  })),
  "a manifest of many keys": templates((count) => ({
    resource: { action: "create", manifest: newText(many(count, (index) => `k${index}: 1`).join("\n")) },
  })),
  "a manifest of aliases": templates((count) => ({
    resource: { action: "create", manifest: newText(`- &a 1\n${"- *a\n".repeat(count)}`) },
  })),
  "a manifest of tags": templates((count) => ({
    resource: {
      action: "create",
      manifest: newText(many(count, (index) => `k${index}: "{{workflow.name}}"`).join("\n")),
    },
  })),
  "a pod patch of many keys": templates((count) => ({
    container: CONTAINER,
    podSpecPatch: many(count, (index) => `k${index}: 1`).join("\n"),
  })),
  "unknown fields": workflow((count) => ({ ...valuesByName(count, () => 1), templates: [{ ...WORK, name: "main" }] })),
  "unknown fields of steps": templates(steps((index) => ({ [`unknown${index}`]: 1 }))),
  "wrong types": templates(steps(() => ({ when: 1, template: 2 }))),
  "wrong types below a long name": workflow((count) => ({
    hooks: { ["n".repeat(5 * count)]: { template: "main", arguments: { parameters: many(count, () => 1) } } },
    templates: [{ ...WORK, name: "main" }],
  })),
  "unknown fields below a long name": workflow((count) => ({
    hooks: { ["n".repeat(5 * count)]: { template: "main", ...valuesByName(count, () => 1) } },
    templates: [{ ...WORK, name: "main" }],
  })),
};
