/** The contract of the service: the behavior that every implementation must have. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  API_VERSION,
  type CronWorkflow,
  type NodeStatus,
  type Workflow,
  type WorkflowTemplate,
} from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { classifyError, KubeError, type KubeObject } from "@tiphys/kube";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { listAll, resolveName, unfinishedWorkflows, type WorkflowService } from "../mod.ts";
import { storedTemplates } from "../stored_templates.ts";

/** An implementation with a namespace for the test, without a controller. */
export interface Bench {
  readonly service: WorkflowService;
  readonly namespace: string;
  /** Creates a workflow in the state that a controller would have left. */
  put(workflow: Workflow): Promise<void>;
  /** Creates a completed pod of a workflow with these log lines. Undefined if fake pods are not possible. */
  readonly pod?: (workflow: string, name: string, lines: readonly string[]) => Promise<void>;
  /** Sets the status of a workflow, as a controller does. */
  setStatus(name: string, status: Workflow["status"]): Promise<void>;
}

/** One requirement of the contract. */
export interface WorkflowPromise {
  readonly title: string;
  /** Whether it needs fake pods. */
  readonly needsPods?: boolean;
  keep(bench: Bench): Promise<void>;
}

const AT = "2026-01-01T00:00:00Z";

/** A workflow with the labels of its phase. */
function workflow(name: string, phase: "Running" | "Succeeded" | "Failed", status: Workflow["status"] = {}): Workflow {
  const over = phase !== "Running";
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name, labels: { [LABEL.phase]: phase, [LABEL.completed]: String(over) } },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    status: { phase, startedAt: AT, ...(over ? { finishedAt: AT } : {}), ...status },
  };
}

function waitingNode(name: string): NodeStatus {
  return { id: name, name, displayName: name, type: "Suspend", phase: "Running", templateName: "main", startedAt: AT };
}

function template(name: string): KubeObject {
  return {
    apiVersion: API_VERSION,
    kind: "WorkflowTemplate",
    metadata: { name },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  } as KubeObject;
}

const names = (workflows: readonly Workflow[]) => workflows.map(({ metadata }) => metadata.name ?? "").sort();

async function refusal(act: Promise<unknown>): Promise<string> {
  return classifyError(await assertRejects(() => act, Error));
}

/** All requirements. */
export const PROMISES: readonly WorkflowPromise[] = [
  {
    title: "list: returns exactly the workflows that match the query",
    async keep({ service, namespace, put }) {
      for (const stored of [workflow("a-1", "Succeeded"), workflow("a-2", "Running"), workflow("b-1", "Failed")]) {
        await put(stored);
      }
      const found = async (query: Parameters<WorkflowService["list"]>[1]) =>
        names((await service.list(namespace, query)).items);
      assertEquals(await found({}), ["a-1", "a-2", "b-1"]);
      assertEquals(await found({ phases: ["Failed", "Running"] }), ["a-2", "b-1"]);
      assertEquals(await found({ completed: true, namePrefix: "a" }), ["a-1"]);
      assertEquals(await found({ completed: false }), ["a-2"]);
      assertEquals(await found({ labelSelector: `${LABEL.phase}=Failed` }), ["b-1"]);
      assertEquals(await found({ fieldSelector: "metadata.name=a-1" }), ["a-1"]);
      assertEquals(await found({ finishedBefore: new Date(Date.parse(AT) + 1) }), ["a-1", "b-1"]);
      assertEquals(await found({ createdAfter: new Date(Date.now() + 3_600_000) }), []);
      assertEquals(await found({ resubmitted: true }), []);
    },
  },
  {
    title: "list: the pages together contain every workflow exactly once",
    async keep({ service, namespace, put }) {
      for (const name of ["a", "b", "c"]) await put(workflow(name, "Running"));
      const seen: Workflow[] = [];
      let next: string | undefined;
      do {
        const page = await service.list(namespace, { limit: 2, continue: next });
        assert(page.items.length <= 2);
        seen.push(...page.items);
        next = page.continue;
      } while (next);
      assertEquals(names(seen), ["a", "b", "c"]);
    },
  },
  {
    title: "names: returns the names and namespaces of at most `limit` workflows",
    async keep({ service, namespace, put }) {
      for (const name of ["a", "b", "c"]) await put(workflow(name, "Running"));
      const found = await service.names(namespace, { limit: 10 });
      assertEquals(found.map(({ name }) => name).sort(), ["a", "b", "c"]);
      assertEquals((await service.names(namespace, { limit: 2 })).length, 2);
      const query = { fieldSelector: "metadata.name=b", limit: 1 };
      const [elsewhere] = (await service.names(undefined, query)).filter((candidate) =>
        candidate.namespace === namespace
      );
      assertEquals(elsewhere?.name, "b");
      await assertRejects(
        () => service.names(namespace, { limit: 10 }, AbortSignal.abort(new Error("too late"))),
        Error,
        "too late",
      );
    },
  },
  {
    title: "list: running workflows come first and count as unfinished, and @latest is the newest",
    async keep({ service, namespace, put }) {
      await put(workflow("ended", "Succeeded"));
      await put(workflow("runs", "Running"));
      assertEquals((await listAll(service, namespace)).map(({ metadata }) => metadata.name), ["runs", "ended"]);
      assertEquals(await resolveName(service, namespace, "@latest"), "runs");
      assertEquals(await resolveName(service, namespace, "ended"), "ended");
      assert((await unfinishedWorkflows(service)).includes("runs"));
    },
  },
  {
    title: "why: returns the reason why a workflow waits, and nothing for a completed one",
    async keep({ service, namespace, put }) {
      await put(workflow("asks", "Running", { nodes: { asks: waitingNode("asks") } }));
      await put(workflow("over", "Succeeded"));
      const [reason] = await service.why(namespace, "asks");
      assertEquals([reason?.code, reason?.node], ["Person", "asks"]);
      assertStringIncludes(reason?.unblock ?? "", "tiphys resume asks");
      assertEquals(await service.why(namespace, "over"), []);
      assertEquals(await refusal(service.why(namespace, "nobody")), "notFound");
    },
  },
  {
    title: "resolveName: @latest fails in a namespace without workflows",
    async keep({ service, namespace }) {
      await assertRejects(() => resolveName(service, namespace, "@latest"), ActionError, "No workflows found");
    },
  },
  {
    title: "operations: a missing object fails with notFound in each of them",
    async keep({ service, namespace }) {
      const asked = [
        () => service.get(namespace, "none"),
        () => service.stop(namespace, "none"),
        () => service.suspend(namespace, "none"),
        () => service.resume(namespace, "none"),
        () => service.retry(namespace, "none"),
        () => service.resubmit(namespace, "none"),
        () => service.delete(namespace, "none"),
        () => service.templates.get(namespace, "none"),
        () => service.submit(namespace, { kind: "WorkflowTemplate", name: "none" }),
      ];
      for (const ask of asked) assertEquals(await refusal(ask()), "notFound");
    },
  },
  {
    title: "create: a name can be used once, and a dry run creates nothing",
    async keep({ service, namespace }) {
      const { status: _, ...fresh } = workflow("made", "Running");
      const dry = await service.create(namespace, fresh, { dryRun: "client" });
      assertEquals(dry.metadata.namespace, namespace);
      const served = await service.create(namespace, fresh, { dryRun: "server" });
      assertEquals(served.metadata.name, "made");
      assertEquals((await service.list(namespace)).items, []);
      assertEquals((await service.create(namespace, fresh)).metadata.namespace, namespace);
      assertEquals(await refusal(service.create(namespace, fresh)), "alreadyExists");
    },
  },
  {
    title: "submit: creates a workflow from a template or cron workflow with the requested options",
    async keep({ service, namespace }) {
      await service.templates.create(namespace, template("shared"));
      const options = { labels: { team: "x" }, parameters: new Map([["a", "1"]]) };
      const made = await service.submit(namespace, { kind: "WorkflowTemplate", name: "shared" }, options);
      assert(made.metadata.name?.startsWith("shared-"));
      assertEquals(made.metadata.labels?.team, "x");
      assertEquals(made.spec.workflowTemplateRef, { name: "shared" });
      assertEquals(made.spec.arguments?.parameters, [{ name: "a", value: "1" }]);
      const spec = { schedules: ["0 0 * * *"], workflowSpec: workflow("", "Running").spec };
      await service.cronWorkflows.create(
        namespace,
        { apiVersion: API_VERSION, kind: "CronWorkflow", metadata: { name: "nightly" }, spec } as KubeObject,
      );
      const source = { kind: "CronWorkflow", name: "nightly" } as const;
      const dry = await service.submit(namespace, source, { name: "tonight" }, { dryRun: "client" });
      assertEquals([dry.metadata.name, dry.metadata.labels?.[LABEL.cronWorkflow]], ["tonight", "nightly"]);
      assertEquals(names((await service.list(namespace)).items), [made.metadata.name]);
    },
  },
  {
    title: "stop, terminate, suspend: change a running workflow and reject a completed one",
    async keep({ service, namespace, put }) {
      for (const name of ["stopped", "ended-at-once", "held"]) await put(workflow(name, "Running"));
      await put(workflow("over", "Succeeded"));
      await service.stop(namespace, "stopped");
      await service.terminate(namespace, "ended-at-once");
      await service.suspend(namespace, "held");
      assertEquals((await service.get(namespace, "stopped")).spec.shutdown, "Stop");
      assertEquals((await service.get(namespace, "ended-at-once")).spec.shutdown, "Terminate");
      assertEquals((await service.get(namespace, "held")).spec.suspend, true);
      await assertRejects(() => service.stop(namespace, "over"), ActionError, "cannot shutdown a completed workflow");
      await assertRejects(() => service.terminate(namespace, "over"), ActionError, 'workflow: "over"');
      await assertRejects(() => service.suspend(namespace, "over"), ActionError, "cannot suspend completed workflows");
    },
  },
  {
    title: "resume: resumes the whole workflow or only the selected nodes",
    async keep({ service, namespace, put }) {
      await put(workflow("w", "Running", { nodes: { a: waitingNode("a"), b: waitingNode("b") } }));
      const phases = async () => {
        const { nodes } = (await service.get(namespace, "w")).status!;
        return [nodes?.a?.phase, nodes?.b?.phase];
      };
      await service.resume(namespace, "w", { nodeFieldSelector: "displayName=a" });
      assertEquals(await phases(), ["Succeeded", "Running"]);
      await service.suspend(namespace, "w");
      assertEquals((await service.resume(namespace, "w")).spec.suspend, undefined);
      assertEquals(await phases(), ["Succeeded", "Succeeded"]);
      const again = service.resume(namespace, "w", { nodeFieldSelector: "displayName=a" });
      await assertRejects(() => again, ActionError, "no suspend nodes matching");
    },
  },
  {
    title: "set, stop: give the selected nodes a message and outputs, or a failed phase",
    async keep({ service, namespace, put }) {
      const outputs = { parameters: [{ name: "answer", valueFrom: { supplied: {} } }] };
      await put(workflow("w", "Running", { nodes: { a: { ...waitingNode("a"), outputs }, b: waitingNode("b") } }));
      const values = { message: "done", outputs: new Map([["answer", "YES"]]) };
      await service.set(namespace, "w", { nodeFieldSelector: "displayName=a", ...values });
      await service.stop(namespace, "w", { nodeFieldSelector: "displayName=b", message: "because" });
      const { spec, status } = await service.get(namespace, "w");
      assertEquals(status?.nodes?.a?.outputs?.parameters, [{ name: "answer", value: "YES" }]);
      assertEquals([status?.nodes?.a?.message, status?.nodes?.a?.phase], ["done", "Running"]);
      assertEquals([status?.nodes?.b?.message, status?.nodes?.b?.phase], ["because", "Failed"]);
      assertEquals(spec.shutdown, undefined);
    },
  },
  {
    title: "resume: concurrent changes of one workflow are all applied",
    async keep({ service, namespace, put }) {
      const nodes = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, waitingNode(name)]));
      await put(workflow("w", "Running", { nodes }));
      await Promise.all(
        Object.keys(nodes).map((name) => service.resume(namespace, "w", { nodeFieldSelector: `displayName=${name}` })),
      );
      const after = Object.values((await service.get(namespace, "w")).status!.nodes!);
      assertEquals(after.map(({ phase }) => phase), ["Succeeded", "Succeeded", "Succeeded", "Succeeded"]);
    },
  },
  {
    title: "retry, resubmit: accept a failed workflow, and retry rejects a running one",
    async keep({ service, namespace, put }) {
      const failed = { ...waitingNode("w"), type: "Pod" as const, phase: "Failed" as const, finishedAt: AT };
      await put(workflow("w", "Failed", { nodes: { w: failed } }));
      await put(workflow("r", "Running"));
      const again = await service.resubmit(namespace, "w", { parameters: new Map([["a", "2"]]) });
      assert(again.metadata.name?.startsWith("w-"));
      assertEquals(again.metadata.labels?.[LABEL.resubmittedFrom], "w");
      assertEquals(again.spec.arguments?.parameters, [{ name: "a", value: "2" }]);
      assertEquals(names((await service.list(namespace, { resubmitted: true })).items), [again.metadata.name]);
      const memoized = await service.resubmit(namespace, "w", { memoized: true });
      assertEquals(memoized.status?.nodes, {});
      const retried = await service.retry(namespace, "w");
      assertEquals([retried.status?.phase, retried.status?.finishedAt], ["", undefined]);
      assertEquals(retried.metadata.labels?.[LABEL.completed], undefined);
      await assertRejects(() => service.retry(namespace, "r"), ActionError, "Cannot retry a workflow in phase Running");
    },
  },
  {
    title: "retry, resubmit: a failed workflow without nodes starts from scratch",
    async keep({ service, namespace, put }) {
      await put(workflow("w", "Failed"));
      const memoized = await service.resubmit(namespace, "w", { memoized: true });
      assertEquals([memoized.status?.phase ?? "", memoized.status?.nodes ?? {}], ["", {}]);
      const retried = await service.retry(namespace, "w");
      assertEquals([retried.status?.phase ?? "", retried.metadata.labels?.[LABEL.completed]], ["", undefined]);
    },
  },
  {
    title: "retry: an outdated resourceVersion is a conflict and changes nothing",
    async keep({ service, namespace, put }) {
      const failed = { ...waitingNode("w"), type: "Pod" as const, phase: "Failed" as const, finishedAt: AT };
      await put(workflow("w", "Failed", { nodes: { w: failed } }));
      const before = await service.get(namespace, "w");
      const refused = await assertRejects(() => service.retry(namespace, "w", { resourceVersion: "0" }), KubeError);
      assertEquals(refused.status, 409);
      assertEquals(await service.get(namespace, "w"), before);
      const { resourceVersion } = before.metadata;
      assertEquals((await service.retry(namespace, "w", { resourceVersion })).status?.phase, "");
    },
  },
  {
    title: "delete: removes the workflow, and with force despite a finalizer",
    async keep({ service, namespace, put }) {
      await put(workflow("w", "Running"));
      const held = workflow("held", "Running");
      await put({ ...held, metadata: { ...held.metadata, finalizers: ["tests.example/held"] } });
      await service.delete(namespace, "w");
      await service.delete(namespace, "held", { force: true });
      assertEquals((await service.list(namespace)).items, []);
    },
  },
  {
    title: "follow: ends when the workflow completes, and yields a completed workflow once",
    async keep({ service, namespace, put, setStatus }) {
      await put(workflow("w", "Running"));
      const phases: string[] = [];
      for await (const { status } of service.follow(namespace, "w")) {
        phases.push(status?.phase ?? "");
        if (phases.length === 1) await setStatus("w", { phase: "Failed", startedAt: AT, finishedAt: AT });
      }
      assertEquals([phases[0], phases.at(-1)], ["Running", "Failed"]);
      assertEquals((await Array.fromAsync(service.follow(namespace, "w"))).length, 1);
    },
  },
  {
    title: "follow: ends when the workflow is deleted or the signal is aborted",
    async keep({ service, namespace, put }) {
      await put(workflow("w", "Running"));
      for await (const _ of service.follow(namespace, "w")) await service.delete(namespace, "w").catch(() => {});
      await put(workflow("x", "Running"));
      const reader = new AbortController();
      for await (const _ of service.follow(namespace, "x", reader.signal)) reader.abort();
      assertEquals(await refusal(Array.fromAsync(service.follow(namespace, "none"))), "notFound");
    },
  },
  {
    title: "watch: yields the existing workflows first, and then their changes",
    async keep({ service, namespace, put }) {
      await put(workflow("there", "Running"));
      await put(workflow("other", "Failed"));
      const reader = new AbortController();
      const seen: string[] = [];
      for await (const { type, object } of service.watch(namespace, { phases: ["Running"] }, reader.signal)) {
        seen.push(`${type} ${object.metadata.name}`);
        if (seen.length === 1) await put(workflow("new", "Running"));
        if (seen.length === 2) await service.delete(namespace, "there");
        if (seen.length === 3) reader.abort();
      }
      assertEquals(seen, ["ADDED there", "ADDED new", "DELETED there"]);
    },
  },
  {
    title: "templates: can be created, listed, replaced and deleted",
    async keep({ service: { templates }, namespace }) {
      const shared = template("shared");
      await templates.create(namespace, { ...shared, metadata: { name: "shared", labels: { team: "x" } } });
      assertEquals(await refusal(templates.create(namespace, shared)), "alreadyExists");
      const listed = await templates.list(namespace, { labelSelector: "team=x" });
      assertEquals(listed.map(({ metadata }) => metadata.name), ["shared"]);
      await templates.update(namespace, { ...shared, spec: { ...(shared as WorkflowTemplate).spec, priority: 7 } });
      const { metadata, spec } = await templates.get(namespace, "shared");
      assertEquals([spec.priority, metadata.labels?.team], [7, undefined]);
      await templates.delete(namespace, "shared");
      assertEquals(await refusal(templates.update(namespace, shared)), "notFound");
    },
  },
  {
    title: "cronWorkflows: can be suspended and resumed",
    async keep({ service: { cronWorkflows }, namespace }) {
      const spec: CronWorkflow["spec"] = { schedules: ["0 0 * * *"], workflowSpec: workflow("", "Running").spec };
      const metadata = { name: "nightly" };
      const cron = { apiVersion: API_VERSION, kind: "CronWorkflow", metadata, spec } as KubeObject;
      await cronWorkflows.create(namespace, cron);
      assertEquals((await cronWorkflows.suspend(namespace, "nightly")).spec.suspend, true);
      assertEquals((await cronWorkflows.resume(namespace, "nightly")).spec.suspend ?? false, false);
    },
  },
  {
    title: "lint: resolves stored templates and reports a missing one",
    async keep({ service, namespace }) {
      const caller = (name: string) =>
        ({
          apiVersion: API_VERSION,
          kind: "Workflow",
          metadata: { generateName: "w-" },
          spec: { workflowTemplateRef: { name } },
        }) as KubeObject;
      await service.templates.create(namespace, template("shared"));
      assertEquals((await storedTemplates(service, namespace)).map(({ kind }) => kind)[0], "WorkflowTemplate");
      assertEquals(await service.lint(namespace, caller("shared")), []);
      const [problem] = await service.lint(namespace, caller("missing"));
      assertStringIncludes(problem?.message ?? "", "missing");
    },
  },
  {
    title: "logs: lines are ordered by time and filtered by the request",
    needsPods: true,
    async keep({ service, namespace, put, pod }) {
      await put(workflow("w", "Succeeded"));
      await pod!("w", "one", ["2026-01-01T00:00:01Z first", "2026-01-01T00:00:03Z third"]);
      await pod!("w", "two", ["2026-01-01T00:00:02Z second"]);
      const read = async (request: Parameters<WorkflowService["logs"]>[2]) =>
        (await Array.fromAsync(service.logs(namespace, "w", request))).map(({ podName, line }) => `${podName} ${line}`);
      assertEquals(await read({}), ["one first", "two second", "one third"]);
      assertEquals(await read({ podName: "two" }), ["two second"]);
      assertEquals(await read({ grep: "^(f|t)" }), ["one first", "one third"]);
      assertEquals(await read({ tailLines: 1 }), ["two second", "one third"]);
      assertEquals(await read({ timestamps: true, podName: "two" }), ["two 2026-01-01T00:00:02Z second"]);
      assertEquals(await read({ labelSelector: "none=such" }), []);
      await assertRejects(() => read({ grep: "(" }), Error, "missing closing )");
      assertEquals((await read({ follow: true })).sort(), ["one first", "one third", "two second"]);
    },
  },
];
