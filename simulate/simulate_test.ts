import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { simulate, type SimulateOptions, SimulationError } from "./mod.ts";

/** A workflow with these templates. Its entrypoint is `main`, or the only template. */
function workflow(templates: string, spec = ""): string {
  return `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { generateName: w- }
spec:
  entrypoint: main
${spec}
  templates:
${templates}
`;
}

const POD = "container: { image: busybox, command: [run] }";

async function refusal(source: string | object, options?: SimulateOptions): Promise<string> {
  return (await assertRejects(() => simulate(source, options), SimulationError)).message;
}

Deno.test("simulate: a template without a function succeeds at once", async () => {
  const run = await simulate(workflow(`  - { name: main, ${POD} }`));
  assertEquals([run.phase, run.message, run.durationSeconds], ["Succeeded", "", 0]);
  assertEquals(run.calls().map(({ template, node }) => [template, node]), [["main", "w-simulated"]]);
});

Deno.test("simulate: runs are deterministic, including IDs and times", async () => {
  const source = workflow(`  - { name: main, ${POD} }`);
  const [first, second] = [await simulate(source), await simulate(source)];
  assertEquals(first.workflow, second.workflow);
  assertEquals(first.node("w-simulated").status.startedAt, "2026-01-01T00:00:00Z");
});

Deno.test("simulate: a function receives its inputs and the template with its tags replaced", async () => {
  const source = workflow(`
  - name: main
    steps: [[{ name: hello, template: say, arguments: { parameters: [{ name: text, value: "hi {{workflow.parameters.who}}" }] } }]]
  - name: say
    inputs: { parameters: [{ name: text }] }
    container: { image: busybox, command: [echo, "{{inputs.parameters.text}}"] }`);
  const run = await simulate(source, { parameters: { who: "Ada" } });
  const [call] = run.calls("say");
  assertEquals(call?.inputs.parameters, { text: "hi Ada" });
  assertEquals(call?.spec.container?.command, ["echo", "hi Ada"]);
  assertEquals(call?.pod?.metadata.labels?.["workflows.argoproj.io/workflow"], "w-simulated");
  assertEquals(run.node("hello").inputs.parameters, { text: "hi Ada" });
});

const LIST_AND_LOOP = workflow(`
  - name: main
    steps:
    - - { name: list, template: list }
    - - name: each
        template: each
        withParam: "{{steps.list.outputs.result}}"
        arguments: { parameters: [{ name: item, value: "{{item}}" }, { name: of, value: "{{steps.list.outputs.parameters.size}}" }] }
  - name: list
    script: { image: alpine, command: [sh], source: "…" }
    outputs: { parameters: [{ name: size, valueFrom: { path: /size } }] }
  - name: each
    inputs: { parameters: [{ name: item }, { name: of }] }
    ${POD}`);

Deno.test("simulate: results and parameters are passed between templates; values that are not strings become JSON", async () => {
  const list = () => ({ result: [1, 2], parameters: { size: 2 } });
  const run = await simulate(LIST_AND_LOOP, { templates: { list } });
  assertEquals(run.calls("each").map(({ inputs }) => inputs.parameters), [
    { item: "1", of: "2" },
    { item: "2", of: "2" },
  ]);
  assertEquals(run.node("list").outputs.result, "[1,2]");
});

Deno.test("simulate: an output parameter without value and default is an error that names it", async () => {
  const forgotten = await refusal(LIST_AND_LOOP, { templates: { list: () => ({ result: [] }) } });
  assertStringIncludes(forgotten, 'output parameter "size" has no value (node "list")');
  assertStringIncludes(forgotten, 'templates["list"] must return { parameters: { size: … } }');
  const source = LIST_AND_LOOP.replace("path: /size", 'path: /size, default: "7"');
  const run = await simulate(source, { templates: { list: () => ({ result: [1] }) } });
  assertEquals(run.calls("each")[0]?.inputs.parameters.of, "7");
});

Deno.test("simulate: a result that is used but not returned is an error that names it", async () => {
  const message = await refusal(LIST_AND_LOOP, { templates: { list: () => ({ parameters: { size: 1 } }) } });
  assertEquals(
    message,
    'the result of the template is used but not set (node "list"): templates["list"] must return { result: … }',
  );
});

Deno.test("simulate: an undeclared output is an error that suggests a similar name", async () => {
  const list = () => ({ result: [], parameters: { sise: 1 } });
  assertEquals(
    await refusal(LIST_AND_LOOP, { templates: { list } }),
    'Template "list" declares no output parameter "sise"; did you mean "size"?',
  );
});

Deno.test("simulate: artifacts are passed between templates by contents", async () => {
  const source = workflow(`
  - name: main
    dag:
      tasks:
      - { name: write, template: write }
      - name: read
        depends: write
        template: read
        arguments: { artifacts: [{ name: in, from: "{{tasks.write.outputs.artifacts.out}}" }] }
  - { name: write, ${POD}, outputs: { artifacts: [{ name: out, path: /out }] } }
  - { name: read, ${POD}, inputs: { artifacts: [{ name: in, path: /in }] } }`);
  const run = await simulate(source, { templates: { write: () => ({ artifacts: { out: "hello" } }) } });
  assertEquals(run.calls("read")[0]?.inputs.artifacts, { in: "hello" });
  assertEquals(run.node("write").outputs.artifacts, { out: "hello" });
});

Deno.test("simulate: a failure has the same message as in a cluster", async () => {
  const source = workflow(`  - { name: main, ${POD} }`);
  const failed = await simulate(source, { templates: { main: () => ({ exitCode: 3, message: "no disk" }) } });
  assertEquals([failed.phase, failed.message], ["Failed", "main: Error (exit code 3): no disk"]);
  assertEquals(failed.node("w-simulated").outputs.exitCode, 3);
  const broken = await simulate(source, { templates: { main: () => ({ error: "no store" }) } });
  assertEquals([broken.phase, broken.message], ["Error", "supervisor: Error (exit code 64): no store"]);
});

Deno.test("simulate: an exception in a function ends the simulation", async () => {
  const main = () => {
    throw new TypeError("not what was expected");
  };
  await assertRejects(() => simulate(workflow(`  - { name: main, ${POD} }`), { templates: { main } }), TypeError);
});

Deno.test("simulate: a function may be asynchronous", async () => {
  const main = () => Promise.resolve({ exitCode: 1 });
  assertEquals((await simulate(workflow(`  - { name: main, ${POD} }`), { templates: { main } })).phase, "Failed");
});

Deno.test("simulate: retries back off on the simulated clock, and attempts start at 0", async () => {
  const source = workflow(`
  - { name: main, retryStrategy: { limit: 3, backoff: { duration: 10m, factor: 2 } }, ${POD} }`);
  const run = await simulate(source, { templates: { main: ({ attempt }) => attempt < 2 ? { exitCode: 1 } : {} } });
  assertEquals(run.calls("main").map(({ attempt }) => attempt), [0, 1, 2]);
  assertEquals(run.calls("main").map(({ at }) => at.getUTCMinutes()), [0, 10, 30]);
  assertEquals(run.durationSeconds, 1800);
});

Deno.test("simulate: parallel tasks take as long as the longest", async () => {
  const source = workflow(`
  - name: main
    steps: [[{ name: a, template: a }, { name: b, template: b }]]
  - { name: a, ${POD} }
  - { name: b, ${POD} }`);
  const templates = { a: () => ({ durationSeconds: 10 }), b: () => ({ durationSeconds: 25 }) };
  assertEquals((await simulate(source, { templates })).durationSeconds, 25);
  const limited = source.replace("entrypoint: main", "entrypoint: main\n  parallelism: 1");
  assertEquals((await simulate(limited, { templates })).durationSeconds, 35);
});

Deno.test("simulate: activeDeadlineSeconds of a template fails it with the kubelet's message", async () => {
  const source = workflow(`  - { name: main, activeDeadlineSeconds: 10, ${POD} }`);
  const run = await simulate(source, { templates: { main: () => ({ durationSeconds: 60 }) } });
  assertEquals(run.message, "Pod was active on the node longer than the specified deadline");
  assertEquals(run.durationSeconds, 10);
});

Deno.test("simulate: activeDeadlineSeconds of a workflow ends it", async () => {
  const source = workflow(`  - { name: main, ${POD} }`, "  activeDeadlineSeconds: 100");
  const run = await simulate(source, { templates: { main: () => ({ durationSeconds: Infinity }) } });
  assertEquals([run.phase, run.message], ["Failed", "Step exceeded its deadline"]);
  assertEquals(run.durationSeconds, 100);
});

Deno.test("simulate: a daemon runs until its dependents have finished", async () => {
  const source = workflow(`
  - name: main
    steps:
    - - { name: db, template: db }
    - - name: ask
        template: ask
        arguments: { parameters: [{ name: ip, value: "{{steps.db.ip}}" }] }
  - { name: db, daemon: true, ${POD} }
  - { name: ask, inputs: { parameters: [{ name: ip }] }, ${POD} }`);
  const run = await simulate(source, { templates: { ask: () => ({ durationSeconds: 5 }) } });
  assertEquals([run.phase, run.durationSeconds], ["Succeeded", 5]);
  assertEquals(run.calls("ask")[0]?.inputs.parameters.ip, "10.0.0.1");
  assertEquals(run.node("db").phase, "Succeeded");
});

Deno.test("simulate: containers of a container set have their own exit codes", async () => {
  const source = workflow(`
  - name: main
    containerSet:
      containers:
      - { name: build, image: busybox, command: [run] }
      - { name: check, image: busybox, command: [run] }`);
  const run = await simulate(source, { templates: { main: () => ({ containers: { check: 2 } }) } });
  assertEquals([run.node("build").phase, run.node("check").phase, run.phase], ["Succeeded", "Failed", "Failed"]);
  assertEquals(
    await refusal(source, { templates: { main: () => ({ containers: { chekc: 1 } }) } }),
    'Template "main" declares no container "chekc"; did you mean "check"?',
  );
});

Deno.test("simulate: a container of a container set does not run if a dependency failed", async () => {
  const source = workflow(`
  - name: main
    containerSet:
      containers:
      - { name: last, image: busybox, command: [run], dependencies: [middle] }
      - { name: middle, image: busybox, command: [run], dependencies: [other, first] }
      - { name: first, image: busybox, command: [run] }
      - { name: other, image: busybox, command: [run] }`);
  const nodesOf = async (first: number) => {
    const run = await simulate(source, { templates: { main: () => ({ containers: { first } }) } });
    const text = (name: string) => `${run.node(name).phase}: ${run.node(name).message ?? ""}`;
    return [run.phase, ...["other", "first", "middle", "last"].map(text)];
  };
  assertEquals(await nodesOf(0), ["Succeeded", "Succeeded: ", "Succeeded: ", "Succeeded: ", "Succeeded: "]);
  assertEquals(await nodesOf(3), [
    "Failed",
    "Succeeded: ",
    "Failed: first: Error (exit code 3): ",
    'Error: middle: Error (exit code 64): dependency "first" exited with non-zero code: 3',
    'Error: last: Error (exit code 64): dependency "middle" exited with non-zero code: 3',
  ]);
});

Deno.test("simulate: a function provides the outputs of a resource template", async () => {
  const source = workflow(`
  - name: main
    resource: { action: get, manifest: "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}" }
    outputs: { parameters: [{ name: ready, valueFrom: { jsonPath: "{.data.ready}" }, globalName: ready }] }`);
  const run = await simulate(source, { templates: { main: () => ({ parameters: { ready: true } }) } });
  assertEquals(run.outputs.parameters, { ready: "true" });
});

const APPROVAL = workflow(`
  - name: main
    steps:
    - - { name: approve, template: approve }
    - - name: say
        template: say
        arguments: { parameters: [{ name: text, value: "{{steps.approve.outputs.parameters.decision}}" }] }
  - name: approve
    suspend: {}
    outputs: { parameters: [{ name: decision, valueFrom: { supplied: {} } }] }
  - { name: say, inputs: { parameters: [{ name: text }] }, ${POD} }`);

Deno.test("simulate: a function resumes a suspended node and supplies its outputs", async () => {
  const approve = () => ({ parameters: { decision: "go" }, durationSeconds: 86_400 });
  const run = await simulate(APPROVAL, { templates: { approve } });
  assertEquals([run.phase, run.durationSeconds], ["Succeeded", 86_400]);
  assertEquals(run.calls("say")[0]?.inputs.parameters.text, "go");
});

Deno.test("simulate: a function can fail a suspended node", async () => {
  const run = await simulate(APPROVAL, { templates: { approve: () => ({ exitCode: 1, message: "not on a Friday" }) } });
  assertEquals(run.phase, "Failed");
  assertEquals([run.node("approve").phase, run.node("approve").message], ["Failed", "not on a Friday"]);
});

Deno.test("simulate: a suspended node without a function is an error that names the template", async () => {
  assertEquals(
    await refusal(APPROVAL),
    'Workflow w-simulated is suspended at node "approve": provide a function templates["approve"] that resumes it',
  );
  assertStringIncludes(await refusal(APPROVAL, { templates: { approve: () => {} } }), '"decision" has no value');
});

Deno.test("simulate: a suspended node with a duration resumes by itself", async () => {
  const run = await simulate(workflow(`  - { name: main, suspend: { duration: 2h } }`));
  assertEquals([run.phase, run.durationSeconds], ["Succeeded", 7200]);
});

Deno.test("simulate: the error names a pod that never ends", async () => {
  const source = workflow(`  - { name: main, ${POD} }`);
  assertEquals(
    await refusal(source, { templates: { main: () => ({ durationSeconds: Infinity }) } }),
    'Workflow w-simulated cannot continue: these pods never end: "w-simulated"',
  );
});

Deno.test("simulate: the error names a lock that a node waits for, and its limit of 0", async () => {
  const lock = "synchronization: { semaphores: [{ configMapKeyRef: { name: limits, key: none } }] }";
  const objects = [`{ apiVersion: v1, kind: ConfigMap, metadata: { name: limits }, data: { none: "0" } }`];
  assertEquals(
    await refusal(workflow(`  - { name: main, ${lock}, ${POD} }`), { objects }),
    "Workflow w-simulated cannot continue: w-simulated waits for default/ConfigMap/limits/none (its limit is 0)",
  );
});

Deno.test("simulate: the error of a workflow that cannot continue has machine-readable reasons", async () => {
  const person = await assertRejects(() => simulate(APPROVAL), SimulationError);
  assertEquals(person.reasons.map(({ code, node }) => [code, node])[0], ["Person", "w-simulated[0].approve"]);
  const source = workflow(`  - { name: main, ${POD} }`);
  const endless = { templates: { main: () => ({ durationSeconds: Infinity }) } };
  const pod = await assertRejects(() => simulate(source, endless), SimulationError);
  assertEquals(pod.reasons.map(({ code }) => code), ["Running"]);
});

Deno.test("simulate: an endless retry fails after maxPasses", async () => {
  const source = workflow(`  - { name: main, retryStrategy: {}, ${POD} }`);
  const message = await refusal(source, { templates: { main: () => ({ exitCode: 1 }) }, maxPasses: 50 });
  assertStringIncludes(message, "has not ended after 50 passes");
  assertStringIncludes(message, "check for an endless retry or recursion");
});

Deno.test("simulate: shutdown ends the workflow at its time, and Stop runs the exit handler", async () => {
  const source = workflow(`  - { name: main, ${POD} }\n  - { name: bye, ${POD} }`, "  onExit: bye");
  const templates = { main: () => ({ durationSeconds: Infinity }) };
  for (const strategy of ["Stop", "Terminate"] as const) {
    const run = await simulate(source, { templates, shutdown: { strategy, afterSeconds: 10 } });
    assertEquals([run.phase, run.durationSeconds], ["Failed", 10]);
    assertEquals(run.calls("bye").length, strategy === "Stop" ? 1 : 0);
  }
});

Deno.test("simulate: a loop whose last item cannot start ends without another event", async () => {
  const run = await simulate(workflow(`  - name: main
    synchronization: { mutexes: [{ name: m }] }
    dag: { tasks: [{ name: a, template: locked, withItems: [1] }] }
  - { name: locked, synchronization: { mutexes: [{ name: m }] }, ${POD} }`));
  assertEquals(run.phase, "Error");
  assertStringIncludes(run.message, "both need the lock default/Mutex/m");
});

Deno.test("simulate: the error of a suspended workflow names spec.suspend", async () => {
  assertStringIncludes(await refusal(workflow(`  - { name: main, ${POD} }`, "  suspend: true")), "(spec.suspend)");
});

Deno.test("simulate: a function for an unknown template is an error that suggests a similar name", async () => {
  const main = workflow(`  - { name: main, steps: [[{ name: a, template: build }]] }\n  - { name: build, ${POD} }`);
  assertEquals(
    await refusal(main, { templates: { biuld: () => {} } }),
    'no template "biuld"; did you mean "build"?',
  );
  assertEquals(
    await refusal(main, { templates: { main: () => {} } }),
    'Template "main" is of type steps, which the engine runs: provide functions for the templates that it calls',
  );
  const run = await simulate(main);
  assertStringIncludes(assertThrows(() => run.calls("biuld"), SimulationError).message, 'did you mean "build"?');
});

Deno.test("simulate: an inline template has the name of its step", async () => {
  const source = workflow(`  - { name: main, steps: [[{ name: quick, inline: { ${POD} } }]] }`);
  const run = await simulate(source, { templates: { quick: () => ({ exitCode: 1 }) } });
  assertEquals([run.phase, run.calls("quick").length], ["Failed", 1]);
});

Deno.test("simulate: an invalid workflow fails with the message of lint", async () => {
  const source = workflow(`  - { name: main, steps: [[{ name: a, template: biuld }]] }\n  - { name: build, ${POD} }`);
  const message = await refusal(source);
  assertStringIncludes(message, "workflow:9:");
  assertStringIncludes(message, "spec.templates[0].steps[0][0].template: ");
  assertStringIncludes(await refusal({ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow" }), "workflow: metadata");
  assertStringIncludes(await refusal("a: [1"), "workflow:1:");
  assertStringIncludes(
    await refusal(""),
    "expected one Workflow, WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow, got none",
  );
});

const LIBRARY = `
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: library }
spec:
  entrypoint: greet
  arguments: { parameters: [{ name: name, value: world }] }
  templates:
  - name: greet
    inputs: { parameters: [{ name: name, value: "{{workflow.parameters.name}}" }] }
    ${POD}
`;

Deno.test("simulate: a function is found by the template's name or by WORKFLOW_TEMPLATE/TEMPLATE", async () => {
  const source = workflow(`
  - name: main
    steps: [[{ name: hi, templateRef: { name: library, template: greet }, arguments: { parameters: [{ name: name, value: Ada }] } }]]`);
  assertStringIncludes(await refusal(source), "library");
  for (const name of ["greet", "library/greet"]) {
    const run = await simulate(source, { objects: [LIBRARY], templates: { [name]: () => ({ durationSeconds: 3 }) } });
    assertEquals([run.durationSeconds, run.calls(name).length], [3, 1]);
  }
});

Deno.test("simulate: runs a WorkflowTemplate and a CronWorkflow as a workflow", async () => {
  const run = await simulate(LIBRARY, { parameters: { name: "Ada" } });
  assertEquals([run.phase, run.calls("greet")[0]?.inputs.parameters.name], ["Succeeded", "Ada"]);
  const cron = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    metadata: { name: "nightly" },
    spec: { schedules: ["0 0 * * *"], workflowSpec: { workflowTemplateRef: { name: "library" } } },
  };
  assertEquals((await simulate(cron, { objects: [LIBRARY] })).calls("greet").length, 1);
});

Deno.test("simulate: templates of the workflowTemplateRef are found by both names", async () => {
  for (const name of ["greet", "library/greet"]) {
    const run = await simulate(LIBRARY, { templates: { [name]: () => ({ exitCode: 1 }) } });
    assertEquals([run.phase, run.calls(name).length], ["Failed", 1]);
  }
});

Deno.test("simulate: parameters are read from ConfigMaps", async () => {
  const source = workflow(`
  - name: main
    inputs: { parameters: [{ name: level, valueFrom: { configMapKeyRef: { name: settings, key: level } } }] }
    ${POD}`);
  const settings = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings", labels: { "workflows.argoproj.io/configmap-type": "Parameter" } },
    data: { level: "high" },
  };
  const run = await simulate(source, { objects: [settings] });
  assertEquals(run.calls("main")[0]?.inputs.parameters, { level: "high" });
});

Deno.test("Run.node: finds a node by name, and an ambiguous display name is an error", async () => {
  const source = workflow(`
  - name: main
    steps: [[{ name: a, template: twice }, { name: b, template: twice }]]
  - { name: twice, steps: [[{ name: x, template: pod }]] }
  - { name: pod, ${POD} }`);
  const run = await simulate(source);
  assertEquals(run.node("w-simulated[0].a[0].x").displayName, "x");
  const message = (name: string) => assertThrows(() => run.node(name), SimulationError).message;
  assertEquals(
    message("x"),
    'several nodes have the display name "x": w-simulated[0].a[0].x, w-simulated[0].b[0].x',
  );
  assertStringIncludes(message("y"), 'no node "y"');
});

Deno.test("simulate: a memoized template is called once per key, and later calls reuse its outputs", async () => {
  const source = workflow(`
  - name: main
    steps:
    - - { name: a, template: double, arguments: { parameters: [{ name: number, value: "2" }] } }
    - - { name: b, template: double, arguments: { parameters: [{ name: number, value: "2" }] } }
      - { name: c, template: double, arguments: { parameters: [{ name: number, value: "3" }] } }
  - name: double
    inputs: { parameters: [{ name: number }] }
    memoize: { key: "{{inputs.parameters.number}}", maxAge: 1h, cache: { configMap: { name: c } } }
    outputs: { parameters: [{ name: twice, valueFrom: { path: /tmp/twice } }] }
    ${POD}`);
  const run = await simulate(source, {
    templates: { double: ({ inputs }) => ({ parameters: { twice: Number(inputs.parameters.number) * 2 } }) },
  });
  assertEquals(run.calls("double").length, 2);
  assertEquals(["a", "b", "c"].map((name) => run.node(name).outputs.parameters.twice), ["4", "4", "6"]);
  assertEquals(run.node("b").status.memoizationStatus, { hit: true, key: "2", cacheName: "c" });
});

Deno.test("simulate: functions stand for http and plugin templates", async () => {
  const source = workflow(`
  - name: main
    steps:
    - - { name: get, template: get }
      - { name: tell, template: tell, continueOn: { failed: true } }
    - - { name: say, template: say, arguments: { parameters: [{ name: text, value: "{{steps.get.outputs.result}}" }] } }
  - { name: get, http: { url: "https://example.com" } }
  - { name: tell, plugin: { slack: { text: hello } } }
  - { name: say, inputs: { parameters: [{ name: text }] }, ${POD} }`);
  const run = await simulate(source, {
    templates: {
      get: ({ spec }) => ({ result: `from ${spec.http?.url}`, durationSeconds: 3 }),
      tell: () => ({ exitCode: 1, message: "nobody there" }),
    },
  });
  assertEquals([run.phase, run.durationSeconds], ["Succeeded", 3]);
  assertEquals([run.node("get").type, run.node("get").outputs.result], ["HTTP", "from https://example.com"]);
  assertEquals([run.node("tell").phase, run.node("tell").message], ["Failed", "nobody there"]);
  assertEquals(run.calls("say")[0]?.inputs.parameters.text, "from https://example.com");
});

Deno.test("simulate: hooks on Running fire even for a node without duration", async () => {
  const source = workflow(`
  - name: main
    steps:
    - - name: work
        template: work
        hooks: { running: { expression: steps.work.status == "Running", template: tell } }
  - { name: work, ${POD} }
  - { name: tell, ${POD} }`);
  assertEquals((await simulate(source)).calls("tell").length, 1);
});

Deno.test("simulate: supports volumeClaimTemplates and podGC", async () => {
  const spec = `
  podGC: { strategy: OnPodCompletion }
  volumeClaimTemplates:
  - { metadata: { name: work }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }`;
  const source = workflow(
    `  - { name: main, steps: [[{ name: a, template: pod }], [{ name: b, template: pod }]] }\n  - { name: pod, ${POD} }`,
    spec,
  );
  const run = await simulate(source);
  assertEquals([run.phase, run.calls("pod").length], ["Succeeded", 2]);
});

Deno.test("simulate: a failed exit handler fails the workflow but not the succeeded node", async () => {
  const source = workflow(`  - { name: main, ${POD} }\n  - { name: bye, ${POD} }`, "  onExit: bye");
  const run = await simulate(source, { templates: { bye: () => ({ exitCode: 1 }) } });
  assertEquals([run.phase, run.node("w-simulated").phase], ["Failed", "Succeeded"]);
});

Deno.test("simulate: a function receives an offloaded template completely", async () => {
  const text = "x".repeat(200_000);
  const source = workflow(`  - { name: main, script: { image: alpine, command: [sh], source: ${text} } }`);
  assertEquals((await simulate(source)).calls("main")[0]?.spec.script?.source?.length, text.length);
});

Deno.test("simulate: a mutex limits a loop to one item at a time, a semaphore to its limit", async () => {
  const limits = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "limits" }, data: { two: "2" } };
  const loop = "steps: [[{ name: each, template: locked, withItems: [a, b, c, d] }]]";
  const seconds = async (synchronization: string) => {
    const templates = `  - { name: main, ${loop} }\n  - { name: locked, synchronization: ${synchronization}, ${POD} }`;
    const run = await simulate(workflow(templates), {
      objects: [limits],
      templates: { locked: () => ({ durationSeconds: 10 }) },
    });
    assertEquals([run.phase, run.workflow.status?.synchronization], ["Succeeded", undefined]);
    return run.durationSeconds;
  };
  assertEquals(await seconds("{ mutexes: [{ name: one }] }"), 40);
  assertEquals(await seconds("{ semaphores: [{ configMapKeyRef: { name: limits, key: two } }] }"), 20);
});

Deno.test("simulate: two items of a loop whose names have the same hash both run", async () => {
  const source = workflow(`
  - name: main
    steps:
    - - { name: f, template: f, withItems: [a150629, b124022], arguments: { parameters: [{ name: i, value: "{{item}}" }] } }
  - name: f
    inputs: { parameters: [{ name: i }] }
    script: { image: busybox, command: [sh], source: "echo {{inputs.parameters.i}}" }`).replace("w-", "c-");
  const run = await simulate(source);
  assertEquals([run.phase, run.calls("f").map(({ inputs }) => inputs.parameters.i)], [
    "Succeeded",
    ["a150629", "b124022"],
  ]);
  assertEquals(new Set(run.calls("f").map(({ pod }) => pod?.metadata.name)).size, 2);
});

Deno.test("simulate: a node whose name has the same hash as that of a group around it is another node", async () => {
  const source = workflow(`
  - name: main
    steps: [[{ name: custom-job, template: inner }]]
  - name: inner
    steps: [[{ name: custom-job-main, template: work }]]
  - { name: work, ${POD} }`).replace("generateName: w-", "name: custom-job-thbh7");
  const run = await simulate(source);
  assertEquals([run.phase, run.message, run.calls("work").length], ["Succeeded", "", 1]);
});
