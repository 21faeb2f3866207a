/** The contract of the data source of pages, independent of the server. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { FakeWorld } from "../../../cli/testing/fake_world.ts";
import type { Workflow, WorkflowTemplate } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { Refusal } from "../../../ui/api/refusal.ts";
import type { LogLine, LogQuery, RunQuery, Source } from "../../../ui/api/source.ts";
import { awaitFact } from "../../await_fact.ts";
import type { ArtifactFiles } from "../feed/stores.ts";

export const NAMESPACE = "default";

/** A server with its cluster, and the source that reads from it. */
export interface SourceBench {
  readonly source: Source;
  readonly world: FakeWorld;
  /** Whether the server is ours, which extends Argo's API. */
  readonly isOurs: boolean;
  /** The status and path of each failed request: `404 /api/…`. */
  readonly refused: readonly string[];
  /** Creates a run whose node `main` has output artifacts. */
  runWithArtifacts(name: string, files: ArtifactFiles): Promise<void>;
}

/** A statement of the contract, with its test. */
export interface SourcePromise {
  readonly title: string;
  readonly keep: (bench: SourceBench) => Promise<void>;
}

const container = { image: "busybox", command: ["true"] };
const never = new AbortController().signal;

/** A run of one pod, or of other templates. Pods of nodes named `bad` fail, and those named `slow` keep running. */
function run(name: string, { spec = {}, labels = {} }: { spec?: object; labels?: Record<string, string> } = {}) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: NAMESPACE, labels },
    spec: { entrypoint: "main", templates: [{ name: "main", container }], ...spec },
  } as unknown as Workflow;
}

const template = (name: string, text = "ann") =>
  ({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTemplate",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      entrypoint: "main",
      arguments: { parameters: [{ name: "who", value: text }] },
      templates: [{ name: "main", container }],
    },
  }) as unknown as WorkflowTemplate;

const query = (more: Partial<RunQuery> = {}): RunQuery => ({ namespace: NAMESPACE, phases: [], labels: [], ...more });

async function awaitPhase({ source }: SourceBench, name: string, phase: string): Promise<Workflow> {
  await awaitFact(`${name} is ${phase}`, async () => {
    const found = await source.getRun(NAMESPACE, name).catch(() => undefined);
    return found?.status?.phase === phase;
  }, { seconds: 20 });
  return await source.getRun(NAMESPACE, name);
}

/** Lists runs until the server's cache has `count` of them. Returns their names. */
async function listNames({ source }: SourceBench, runQuery: RunQuery, count: number): Promise<string[]> {
  let names: string[] = [];
  await awaitFact(`${count} runs are listed`, async () => {
    const { items, total } = await source.listRuns(runQuery, { offset: 0, limit: 50 });
    names = items.map(({ metadata }) => metadata.name ?? "").sort();
    return names.length === count && total === count;
  }, { seconds: 20 });
  return names;
}

async function errorKindOf(result: Promise<unknown>): Promise<string> {
  const refusal = await assertRejects(() => result);
  assert(refusal instanceof Refusal, String(refusal));
  return refusal.kind;
}

async function linesOf(source: Source, name: string, logQuery: LogQuery = {}): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const batch of source.logs(NAMESPACE, name, logQuery, never)) {
    if (batch.kind === "lines") lines.push(...batch.lines);
    else {
      for (let offset = 0; offset < batch.places.length; offset += 4) {
        const [from, to, begin, end] = batch.places.slice(offset, offset + 4);
        lines.push({ podName: batch.text.slice(from, to), content: batch.text.slice(begin, end) });
      }
    }
  }
  return lines;
}

const place = (name: string, artifact: string, path = "") =>
  ({ namespace: NAMESPACE, name, archivedUid: undefined, nodeId: "main", side: "outputs", artifact, path }) as const;

const MANY = 1 << 20;

export const PROMISES: readonly SourcePromise[] = [
  {
    title: "list: is filtered by phase, label and name, with the total count and without nodes",
    async keep(bench) {
      const { source } = bench;
      for (const name of ["etl-1", "etl-2", "other"]) {
        await source.createRun(NAMESPACE, run(name, { labels: { of: name } }));
      }
      await source.createRun(NAMESPACE, run("bad"));
      await awaitPhase(bench, "bad", "Failed");
      for (const name of ["etl-1", "etl-2", "other"]) await awaitPhase(bench, name, "Succeeded");
      assertEquals(await listNames(bench, query({ phases: ["Failed"] }), 1), ["bad"]);
      assertEquals(await listNames(bench, query({ phases: ["Succeeded"] }), 3), ["etl-1", "etl-2", "other"]);
      assertEquals(await listNames(bench, query({ labels: ["of=other"] }), 1), ["other"]);
      const byName = (match: "Contains" | "Prefix" | "Exact" | "NotEquals", text: string) =>
        query({ name: { match, text } });
      assertEquals(await listNames(bench, byName("Contains", "tl"), 2), ["etl-1", "etl-2"]);
      assertEquals(await listNames(bench, byName("Prefix", "etl-"), 2), ["etl-1", "etl-2"]);
      assertEquals(await listNames(bench, byName("Exact", "other"), 1), ["other"]);
      assertEquals(await listNames(bench, byName("NotEquals", "other"), 3), ["bad", "etl-1", "etl-2"]);
      const early = query({ finishedBefore: "2001-01-01T00:00:00Z" });
      assertEquals(await listNames(bench, early, 0), []);
      assertEquals(await listNames(bench, query({ createdAfter: "2001-01-01T00:00:00Z" }), 4), [
        "bad",
        "etl-1",
        "etl-2",
        "other",
      ]);
      const { items, total } = await source.listRuns(query(), { offset: 1, limit: 2 });
      assertEquals([items.length, total], [2, 4]);
      assertEquals(items.flatMap(({ status }) => Object.keys(status?.nodes ?? {})), []);
    },
  },
  {
    title: "watch of runs: reports changes after the list, with the fields of a list",
    async keep(bench) {
      const { source } = bench;
      await source.createRun(NAMESPACE, run("first"));
      await awaitPhase(bench, "first", "Succeeded");
      await listNames(bench, query(), 1);
      const { resourceVersion } = await source.listRuns(query(), { offset: 0, limit: 50 });
      const left = new AbortController();
      const events: string[] = [];
      const watching = (async () => {
        for await (const { type, object } of source.watchRuns(query(), resourceVersion, left.signal)) {
          events.push(`${type} ${object.metadata.name} ${object.status?.phase ?? ""}`);
          assertEquals(object.status?.nodes, undefined);
        }
      })().catch((error) => {
        if (!left.signal.aborted) throw error;
      });
      await source.createRun(NAMESPACE, run("second"));
      await awaitFact(
        "the watch reports the end of the second run",
        () => events.includes("MODIFIED second Succeeded"),
        {
          seconds: 20,
        },
      );
      const { metadata } = await source.getRun(NAMESPACE, "second");
      await source.deleteRun(NAMESPACE, "second", metadata.uid ?? "");
      await awaitFact(
        "the watch reports the deletion",
        () => events.some((event) => event.startsWith("DELETED second")),
        {
          seconds: 20,
        },
      );
      assertEquals(events.filter((event) => event.includes("first") && !event.startsWith("ADDED")), []);
      left.abort();
      await watching;
    },
  },
  {
    title: "watch of one run: reports it with its nodes until it is completed",
    async keep({ source }) {
      await source.createRun(NAMESPACE, run("one", { spec: { suspend: true } }));
      const left = new AbortController();
      let seen: Workflow | undefined;
      const watching = (async () => {
        for await (const { object } of source.watchRun(NAMESPACE, "one", undefined, left.signal)) seen = object;
      })().catch((error) => {
        if (!left.signal.aborted) throw error;
      });
      await awaitFact("the watch reports the current state", () => seen !== undefined, { seconds: 20 });
      await source.actOnRun(NAMESPACE, "one", { verb: "resume" });
      await awaitFact("the watch reports the end", () => seen?.status?.phase === "Succeeded", { seconds: 20 });
      assertEquals(Object.values(seen!.status!.nodes!).map(({ type }) => type), ["Pod"]);
      left.abort();
      await watching;
    },
  },
  {
    title: "actions on a run: suspend, resume, stop, terminate, retry, resubmit, and delete by UID only",
    async keep(bench) {
      const { source } = bench;
      await source.createRun(NAMESPACE, run("slow"));
      await awaitPhase(bench, "slow", "Running");
      assertEquals((await source.actOnRun(NAMESPACE, "slow", { verb: "suspend" })).spec.suspend, true);
      assertEquals((await source.actOnRun(NAMESPACE, "slow", { verb: "resume" })).spec.suspend ?? false, false);
      await source.actOnRun(NAMESPACE, "slow", { verb: "stop", message: "enough" });
      await awaitPhase(bench, "slow", "Failed");
      await source.createRun(NAMESPACE, run("bad"));
      const { metadata: { uid = "", resourceVersion } } = await awaitPhase(bench, "bad", "Failed");
      await source.actOnRun(NAMESPACE, "bad", { verb: "retry", resourceVersion });
      const again = await source.actOnRun(NAMESPACE, "bad", { verb: "resubmit" });
      assert(again.metadata.name?.startsWith("bad-"), again.metadata.name);
      assertEquals(await errorKindOf(source.deleteRun(NAMESPACE, "bad", "of-another")), "conflict");
      await source.deleteRun(NAMESPACE, "bad", uid);
      await awaitFact(
        "the run is deleted",
        () => source.getRun(NAMESPACE, "bad").then(() => false, ({ kind }) => kind === "absent"),
        { seconds: 20 },
      );
    },
  },
  {
    title: "waiting node: continues when its value is set",
    async keep(bench) {
      const { source } = bench;
      const spec = {
        templates: [{
          name: "main",
          suspend: {},
          inputs: { parameters: [{ name: "go", default: "no" }] },
          outputs: { parameters: [{ name: "go", valueFrom: { supplied: {} } }] },
        }],
      };
      await source.createRun(NAMESPACE, run("gate", { spec }));
      const { status } = await awaitPhase(bench, "gate", "Running");
      const [node] = Object.values(status?.nodes ?? {});
      const nodeFieldSelector = `id=${node?.id}`;
      const outputParameters = JSON.stringify({ go: "yes" });
      await source.actOnRun(NAMESPACE, "gate", { verb: "set", nodeFieldSelector, outputParameters });
      await source.actOnRun(NAMESPACE, "gate", { verb: "resume", nodeFieldSelector });
      const ended = await awaitPhase(bench, "gate", "Succeeded");
      const [gate] = Object.values(ended.status?.nodes ?? {});
      assertEquals(gate?.outputs?.parameters?.map(({ value }) => value), ["yes"]);
    },
  },
  {
    title: "dry run: creates nothing, and reports invalid and missing objects as such",
    async keep({ source, world }) {
      await source.createRun(NAMESPACE, run("dry"), { isDryRun: true });
      assertEquals((await world.client.list<Workflow>(WORKFLOWS, NAMESPACE)).items, []);
      assertEquals(
        await errorKindOf(source.createRun(NAMESPACE, run("w", { spec: { entrypoint: "none" } }))),
        "invalid",
      );
      assertEquals(await errorKindOf(source.getRun(NAMESPACE, "none")), "absent");
      await source.createRun(NAMESPACE, run("twice"));
      assertEquals(await errorKindOf(source.createRun(NAMESPACE, run("twice"))), "conflict");
    },
  },
  {
    title: "template: is created, read and submitted, and saved only at the version that was read",
    async keep(bench) {
      const { source } = bench;
      await source.createTemplate("WorkflowTemplate", NAMESPACE, template("tmpl"));
      await awaitFact(
        "the template is listed",
        async () => (await source.listTemplates("WorkflowTemplate", NAMESPACE)).length === 1,
        { seconds: 20 },
      );
      const read = await source.getTemplate("WorkflowTemplate", NAMESPACE, "tmpl");
      // Argo's server omits both fields.
      assertEquals([read.apiVersion, read.kind], ["argoproj.io/v1alpha1", "WorkflowTemplate"]);
      const submitted = await source.submitRun(NAMESPACE, {
        kind: "WorkflowTemplate",
        name: "tmpl",
        parameters: ["who=bob"],
        labels: "by=page",
      });
      assertEquals(submitted.metadata.labels?.by, "page");
      assertEquals(submitted.spec.arguments?.parameters?.map(({ value }) => value), ["bob"]);
      const { resourceVersion } = read.metadata;
      const changed = { ...template("tmpl", "cid"), metadata: { ...read.metadata } };
      await source.updateTemplate("WorkflowTemplate", NAMESPACE, "tmpl", changed);
      await awaitFact("the change is read", async () => {
        const { metadata } = await source.getTemplate("WorkflowTemplate", NAMESPACE, "tmpl");
        return metadata.resourceVersion !== resourceVersion;
      }, { seconds: 20 });
      assertEquals(
        await errorKindOf(source.updateTemplate("WorkflowTemplate", NAMESPACE, "tmpl", changed)),
        "conflict",
      );
      await source.deleteTemplate("WorkflowTemplate", NAMESPACE, "tmpl");
    },
  },
  {
    title: "schedule: is suspended and resumed",
    async keep({ source }) {
      const { spec: workflowSpec } = run("w");
      await source.createTemplate("CronWorkflow", NAMESPACE, {
        apiVersion: "argoproj.io/v1alpha1",
        kind: "CronWorkflow",
        metadata: { name: "nightly", namespace: NAMESPACE },
        spec: { schedules: ["0 0 1 1 *"], workflowSpec },
      });
      assertEquals((await source.setCronSuspended(NAMESPACE, "nightly", true)).spec.suspend, true);
      assertEquals((await source.setCronSuspended(NAMESPACE, "nightly", false)).spec.suspend ?? false, false);
    },
  },
  {
    title: "log: is read line by line, with the pod of each line",
    async keep(bench) {
      const { source } = bench;
      await source.createRun(NAMESPACE, run("told"));
      await awaitPhase(bench, "told", "Succeeded");
      await awaitFact(
        "both lines are received",
        async () => (await linesOf(source, "told")).map(({ content }) => content).join() === "one,two",
        { seconds: 20 },
      );
      const pods = new Set((await linesOf(source, "told")).map(({ podName }) => podName));
      assertEquals(pods.size, 1);
    },
  },
  {
    title: "log: that of a deleted pod is read from the artifact store",
    async keep(bench) {
      const { source } = bench;
      await bench.runWithArtifacts("gone", { "main-logs": "first\nsecond\n" });
      assertEquals((await linesOf(source, "gone")).map(({ content }) => content), ["first", "second"]);
    },
  },
  {
    title: "artifacts: a file, the list of a folder, and a file in a folder are read",
    async keep(bench) {
      const { source } = bench;
      await bench.runWithArtifacts("arts", { "note.txt": "hello", "out/a & b.txt": "A", "out/sub/c.txt": "C" });
      const note = await source.readArtifact(place("arts", "note.txt"), () => MANY);
      assert(note.kind === "file");
      assertEquals(new TextDecoder().decode(note.bytes), "hello");
      const folder = await source.readArtifact(place("arts", "out"), () => MANY);
      assert(folder.kind === "folder", JSON.stringify(folder));
      // One server lists files in subfolders, the other one the subfolders.
      assertEquals(folder.files.map(({ name }) => name.split("/")[0]), ["a & b.txt", "sub"]);
      const file = await source.readArtifact(place("arts", "out", "a & b.txt"), () => MANY);
      assert(file.kind === "file");
      assertEquals(new TextDecoder().decode(file.bytes), "A");
      const below = await source.readArtifact(place("arts", "out", "sub/"), () => MANY);
      assert(below.kind === "folder");
      assertEquals(below.files.map(({ name }) => name), ["c.txt"]);
      await assertRejects(() => source.readArtifact(place("arts", "none"), () => MANY), Refusal);
    },
  },
  {
    title: "missing features: are reported as such without a request",
    async keep(bench) {
      const { source, isOurs, refused } = bench;
      await source.createRun(NAMESPACE, run("slow"));
      const asked = [
        () => source.reasons(NAMESPACE, "slow"),
        () => source.podTimes(NAMESPACE, "slow"),
        () => source.missingRights("Workflow", NAMESPACE, "slow"),
      ];
      for (const ask of asked) {
        if (isOurs) await ask();
        else assertEquals(await errorKindOf(ask()), "unknown-route");
      }
      assertEquals(refused, []);
      const { extensions } = await source.info();
      assertEquals((extensions?.length ?? 0) > 0, isOurs);
      assert(await source.version() !== "");
    },
  },
];
