/**
 * Random workflows: steps, DAGs, loops, retries, locks, failFast, hooks, exit handlers, suspension, caches and daemons
 * in random combinations, including mistakes. Templates call only later templates, so that every workflow can end.
 */

/** Returns a random integer below `below`, the same sequence for the same seed. */
export type Chance = (below: number) => number;

/** Random numbers of a seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Fields = Record<string, unknown>;

/** A workflow as parsed YAML, and the objects that it refers to. */
export function randomWorkflow(chance: Chance): { readonly workflow: Fields; readonly objects: readonly Fields[] } {
  const templates = new RandomTemplates(chance);
  const spec: Fields = {
    entrypoint: "t0",
    templates: templates.all,
    ...fieldsOneIn(chance, 4, { onExit: templates.after(0) }),
    ...fieldsOneIn(chance, 6, {
      hooks: { seen: { expression: 'workflow.status == "Running"', template: templates.after(0) } },
    }),
    ...fieldsOneIn(chance, 6, { parallelism: 1 + chance(3) }),
    ...fieldsOneIn(chance, 8, { synchronization: { mutexes: [{ name: "m0" }] } }),
    ...fieldsOneIn(chance, 10, { activeDeadlineSeconds: 30 + chance(60) }),
    ...fieldsOneIn(chance, 12, { retryStrategy: { limit: 1 } }),
    ...fieldsOneIn(chance, 12, { templateDefaults: { failFast: true } }),
  };
  return {
    workflow: { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name: "w" }, spec },
    objects: [{ kind: "ConfigMap", metadata: { name: "limits" }, data: { two: "2" } }],
  };
}

function fieldsOneIn(chance: Chance, oneIn: number, fields: Fields): Fields {
  return chance(oneIn) === 0 ? fields : {};
}

class RandomTemplates {
  readonly all: Fields[] = [];
  readonly #chance: Chance;
  readonly #count: number;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#count = 3 + chance(4);
    for (let place = 0; place < this.#count; place++) this.all.push(this.#template(place));
  }

  /** The name of a later template. */
  after(index: number): string {
    return `t${index + 1 + this.#chance(this.#count - index - 1)}`;
  }

  #template(index: number): Fields {
    const chance = this.#chance;
    const isLeaf = index > 0 && (index >= this.#count - 2 || chance(5) === 0);
    return {
      name: `t${index}`,
      ...(isLeaf ? this.#leaf() : this.#composite(index)),
      ...fieldsOneIn(chance, 3, { retryStrategy: this.#retryStrategy() }),
      ...fieldsOneIn(chance, 3, { synchronization: this.#locks(isLeaf) }),
      ...fieldsOneIn(chance, 12, {
        memoize: { key: `k${chance(2)}`, maxAge: "1h", cache: { configMap: { name: "cache" } } },
      }),
      ...fieldsOneIn(chance, 15, { timeout: `${5 + chance(40)}s` }),
    };
  }

  #leaf(): Fields {
    const container = { image: "busybox", command: ["run"] };
    switch (this.#chance(10)) {
      case 0:
        return { suspend: {} };
      case 1:
        return { suspend: { duration: "10" } };
      case 2:
        return { http: { url: "http://there" } };
      case 3:
        return { daemon: true, container };
      case 4:
        return { containerSet: { containers: [{ name: "a", ...container }, { name: "b", ...container }] } };
      default:
        return { container };
    }
  }

  #composite(index: number): Fields {
    const chance = this.#chance;
    const limits = {
      ...fieldsOneIn(chance, 3, { failFast: true }),
      ...fieldsOneIn(chance, 4, { parallelism: 1 + chance(2) }),
    };
    if (chance(2)) {
      const groups = Array.from(
        { length: 1 + chance(3) },
        (_, group) =>
          Array.from({ length: 1 + chance(3) }, (_, step) => this.#call(index, `s${group}${step}`, "steps")),
      );
      return { ...limits, steps: groups };
    }
    const tasks = Array.from({ length: 1 + chance(4) }, (_, task) => {
      const before = Array.from({ length: task }, (_, other) => `d${other}`).filter(() => chance(3) === 0);
      const ends = ["", ".Succeeded", ".Failed", ".Errored", ".Skipped", ".Omitted", ".Daemoned"];
      const depends = before.map((name) => `${name}${ends[chance(8)] ?? ""}`).join(chance(2) ? " && " : " || ");
      const fields: Fields = { ...this.#call(index, `d${task}`, "tasks"), ...(depends && { depends }) };
      return fields;
    });
    const failFast = chance(3) === 0 ? { failFast: false } : {};
    // With `depends`, continueOn is not allowed.
    for (const task of tasks) delete task["continueOn"];
    return { ...limits, dag: { ...failFast, tasks } };
  }

  #call(index: number, name: string, root: "steps" | "tasks"): Fields {
    const chance = this.#chance;
    const handler = () => chance(12) === 0 ? "nowhere" : this.after(index);
    const hook = (expression: string) => ({ hooks: { seen: { expression, template: handler() } } });
    return {
      name,
      template: this.after(index),
      ...fieldsOneIn(chance, 8, { when: ["true", "false", "{{workflow.name}} ==", "true"][chance(4)] }),
      ...fieldsOneIn(chance, 4, { withItems: Array.from({ length: chance(4) }, (_, item) => String(item)) }),
      ...fieldsOneIn(chance, 5, { continueOn: { failed: true } }),
      ...fieldsOneIn(chance, 6, { onExit: handler() }),
      ...fieldsOneIn(
        chance,
        5,
        hook([`${root}.${name}.status == "Running"`, "1 +", 'workflow.status == "Running"'][chance(3)]!),
      ),
      ...fieldsOneIn(chance, 14, { arguments: { parameters: [{ name: "p", value: "{{=int(workflow.name)}}" }] } }),
    };
  }

  #retryStrategy(): Fields {
    const chance = this.#chance;
    return {
      limit: chance(3),
      retryPolicy: ["Always", "OnFailure", "OnError"][chance(3)],
      ...fieldsOneIn(chance, 3, { backoff: { duration: "5", factor: 2 } }),
    };
  }

  /**
   * A semaphore within itself, and two locks nested in opposite orders, wait forever, which is the author's mistake:
   * templates with children have a single mutex.
   */
  #locks(isLeaf: boolean): Fields {
    const chance = this.#chance;
    const semaphore = { configMapKeyRef: { name: chance(12) === 0 ? "nowhere" : "limits", key: "two" } };
    if (isLeaf && chance(3) === 0) return { semaphores: [semaphore] };
    return { mutexes: [{ name: isLeaf ? `m${chance(2)}` : "m0" }] };
  }
}

/** The fields of a step or task that others refer to; most of them have a value only sometimes. */
const FIELDS = ["outputs.result", "status", "exitCode", "ip", "outputs.parameters.p", "finishedAt"];

/**
 * Adds references between the steps and tasks of a random workflow, in every field: to earlier, parallel and later
 * ones, to themselves and to missing ones. The random numbers are separate from those of the workflow, which stays the
 * same.
 */
export function withReferences(workflow: Fields, chance: Chance): void {
  const { templates } = workflow["spec"] as { templates: Fields[] };
  for (const template of templates) {
    const { steps, dag } = template as { steps?: Fields[][]; dag?: { tasks: Fields[] } };
    const calls = steps?.flat() ?? dag?.tasks ?? [];
    const names = [...calls.map(({ name }) => String(name)), "nobody"];
    for (const call of calls) {
      if (chance(3)) continue;
      const name = `${steps ? "steps" : "tasks"}.${names[chance(names.length)]}.${FIELDS[chance(FIELDS.length)]}`;
      addReference(call, chance(2) ? `{{=${name}}}` : `{{${name}}}`, chance);
    }
    if (!steps && !dag && chance(2)) {
      template["inputs"] = {
        parameters: [{ name: "p", default: "d" }],
        artifacts: [{ name: "f", path: "/f", optional: true }],
      };
    }
  }
}

function addReference(call: Fields, tag: string, chance: Chance): void {
  switch (chance(6)) {
    case 0:
      call["when"] = `"${tag}" != x`;
      break;
    case 1:
      delete call["withItems"];
      call["withParam"] = tag;
      break;
    case 2:
      call["arguments"] = { artifacts: [{ name: "f", raw: { data: `a ${tag}` } }] };
      break;
    case 3:
      call["hooks"] = { exit: { template: call["template"], arguments: { parameters: [{ name: "p", value: tag }] } } };
      break;
    default:
      call["arguments"] = { parameters: [{ name: "p", value: tag }] };
  }
}

/**
 * Adds inline templates to some steps and tasks of a random workflow: each calls the template that was called there,
 * twice, in a loop or not, with the name of the enclosing step or task. The random numbers are separate from those of
 * the workflow.
 */
export function withInlineTemplates(workflow: Fields, chance: Chance): void {
  const { templates } = workflow["spec"] as { templates: Fields[] };
  for (const template of templates) {
    const { steps, dag } = template as { steps?: Fields[][]; dag?: { tasks: Fields[] } };
    for (const call of steps?.flat() ?? dag?.tasks ?? []) {
      if (chance(3)) continue;
      const { template, ...around } = call;
      delete call["template"];
      call["inline"] = chance(2)
        ? { steps: innerCalls({ template, ...around }, "steps", chance).map((inner) => [inner]) }
        : { dag: { tasks: innerCalls({ template, ...around }, "tasks", chance) } };
    }
  }
}

function innerCalls({ name, template }: Fields, root: "steps" | "tasks", chance: Chance): Fields[] {
  const value = [`{{${root}.${name}.status}}`, `{{=${root}["${name}"].status}} {{item}}`, "{{item}}"][chance(3)];
  const first = { name, template, ...fieldsOneIn(chance, 2, { withItems: ["a", "{{item}}"].slice(chance(2)) }) };
  const second = {
    name: "last",
    template,
    ...(root === "tasks" && { depends: name }),
    ...fieldsOneIn(chance, 3, { withItems: ["b"] }),
    arguments: { parameters: [{ name: "p", value }] },
  };
  return [first, second];
}
