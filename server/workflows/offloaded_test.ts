import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { NodeStatus, PersistenceSettings, Pod, Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { awaitFact } from "../../tests/await_fact.ts";
import { ArchiveSource } from "../archive/archive_source.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";
import { CODE, WireError } from "../wire/errors.ts";

const AT = "2026-01-01T00:00:00Z";

/** A server of a cluster whose workflows have their nodes in a database. */
async function withOffloaded(
  act: (bench: ServerBench, put: (workflow: Workflow) => Promise<Workflow>) => Promise<void>,
  offloading: Pick<PersistenceSettings, "archive" | "nodeStatusOffLoad"> = { nodeStatusOffLoad: true },
) {
  const folder = await Deno.makeTempDir({ prefix: "offloaded" });
  try {
    const settings = { ...offloading, sqlite: { file: `${folder}/archive.db` } };
    const secret = () => Promise.reject(new Error("a file needs no secret"));
    await using made = await OpenArchive.open(settings, { clock: systemClock, log: silentLog, secret });
    await using archive = new ArchiveSource({ settings, log: silentLog, secret });
    await using bench = await serverBench(["server"], { archive });
    await act(bench, async ({ status: { nodes, ...status } = {}, ...workflow }) => {
      const version = "fnv:1";
      const stored = { ...workflow, status: { ...status, offloadNodeStatusVersion: version } };
      const there = await bench.admin.create<Workflow>(WORKFLOWS, NAMESPACE, stored);
      const uid = there.metadata.uid ?? "";
      await made.nodes.save({ uid, version, namespace: NAMESPACE }, JSON.stringify(nodes), new Date());
      return there;
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function workflow(name: string, phase: "Running" | "Failed", nodes: Record<string, NodeStatus>): Workflow {
  const isOver = phase === "Failed";
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, labels: { [LABEL.phase]: phase, [LABEL.completed]: String(isOver) } },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    status: { phase, startedAt: AT, ...(isOver ? { finishedAt: AT } : {}), nodes },
  };
}

const waiting = (id: string): NodeStatus => ({
  id,
  name: id,
  displayName: id,
  type: "Suspend",
  phase: "Running",
  templateName: "main",
  startedAt: AT,
});

/** The workflow after a change. A failure shows the response. */
async function change(bench: ServerBench, name: string, word: string, body: Record<string, unknown> = {}) {
  const answer = await bench.ask("PUT", `/api/v1/workflows/${NAMESPACE}/${name}/${word}`, {
    body: { name, namespace: NAMESPACE, ...body },
  });
  const said = await answer.json();
  assertEquals(answer.status, 200, `${word}: ${JSON.stringify(said)}`);
  return said as Workflow;
}

Deno.test("offloaded nodes: get and watch return the workflow with its nodes", () =>
  withOffloaded(async (bench, put) => {
    await put(workflow("w", "Running", { w: waiting("w") }));
    const shown = await (await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}/w`)).json();
    assertEquals(Object.keys(shown.status.nodes), ["w"]);
    assertEquals(shown.status.offloadNodeStatusVersion, undefined);
    const path = `/api/v1/workflow-events/${NAMESPACE}?listOptions.fieldSelector=metadata.name=w`;
    const stop = new AbortController();
    const watched = await bench.ask("GET", path, { signal: stop.signal });
    const { value = new Uint8Array() } = await watched.body!.getReader().read();
    stop.abort();
    assertStringIncludes(new TextDecoder().decode(value), '"nodes":{"w":');
  }));

Deno.test("offloaded nodes: nodes missing from the database are an error, not an empty list", () =>
  withOffloaded(async (bench, put) => {
    const there = await put(workflow("w", "Running", { w: waiting("w") }));
    const status = { ...there.status, offloadNodeStatusVersion: "fnv:2" };
    await bench.admin.patch(WORKFLOWS, NAMESPACE, "w", { status });
    const answer = await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}/w`);
    assert(answer.status >= 400, String(answer.status));
    assertStringIncludes(await answer.text(), "fnv:2 are missing");
    // A request without nodes still returns the rest.
    for (const fields of ["-status.nodes", "metadata,status.phase"]) {
      const rest = await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}/w?fields=${fields}`);
      const { status = {} } = await rest.json();
      assertEquals([status.phase, status.offloadNodeStatusVersion], ["Running", undefined], fields);
    }
  }));

Deno.test("offloaded nodes: a watch continues after a workflow whose nodes cannot be loaded, with the reason in its message", async () => {
  await using bench = await serverBench(["server"]);
  await createOutOfReach(bench, "lost");
  await bench.admin.create<Workflow>(WORKFLOWS, NAMESPACE, {
    ...workflow("damaged", "Running", {}),
    status: { phase: "Running", message: "it waits", compressedNodes: "junk" },
  });
  await bench.admin.create<Workflow>(WORKFLOWS, NAMESPACE, workflow("well", "Running", { a: waiting("a") }));
  const stop = new AbortController();
  const path = `/api/v1/workflow-events/${NAMESPACE}?fields=result.object`;
  const watched = await bench.ask("GET", path, { signal: stop.signal });
  const reader = watched.body!.pipeThrough(new TextDecoderStream()).getReader();
  const told = new Map<string | undefined, Workflow>();
  for (let text = ""; told.size < 3;) {
    const { value, done } = await reader.read();
    assert(!done, text);
    text += value;
    const lines = text.split("\n");
    text = lines.pop()!;
    for (const line of lines) {
      const { object } = JSON.parse(line).result;
      told.set(object.metadata.name, object);
    }
  }
  await reader.cancel();
  stop.abort();
  const said = (name: string) => told.get(name)?.status?.message ?? "";
  assertStringIncludes(said("lost"), "Workflow has offloaded nodes, but offloading has been disabled");
  assertStringIncludes(said("damaged"), "it waits; status.compressedNodes cannot be unpacked");
  assertEquals([told.get("lost")?.status?.phase, told.get("damaged")?.status?.phase], ["Running", "Running"]);
  assertEquals(told.get("well")?.status?.nodes?.a?.phase, "Running");
});

Deno.test("offloaded nodes: a brief database failure ends current watches, and later ones work", async () => {
  const nodes = { a: waiting("a") };
  let asked = 0;
  const load = () =>
    ++asked === 1 ? Promise.reject(new WireError(CODE.unavailable, "the database is away")) : Promise.resolve(nodes);
  await using bench = await serverBench(["server"], { offloaded: { load, save: () => Promise.resolve(false) } });
  await createOutOfReach(bench, "w");
  const first = async () => {
    const stop = new AbortController();
    const watched = await bench.ask("GET", `/api/v1/workflow-events/${NAMESPACE}`, { signal: stop.signal });
    const { value = new Uint8Array() } = await watched.body!.getReader().read();
    stop.abort();
    return new TextDecoder().decode(value);
  };
  assertStringIncludes(await first(), "the database is away");
  assertStringIncludes(await first(), '"nodes":{"a":');
  await first();
  assertEquals(asked, 2);
});

Deno.test("offloaded nodes: each change of a workflow reads its nodes from the database", () =>
  withOffloaded(async (bench, put) => {
    await put(workflow("set", "Running", { a: waiting("a"), b: waiting("b") }));
    const set = await change(bench, "set", "set", { nodeFieldSelector: "displayName=a", message: "told" });
    assertEquals([set.status?.nodes?.a?.message, set.status?.nodes?.b?.phase], ["told", "Running"]);
    await put(workflow("stop", "Running", { a: waiting("a"), b: waiting("b") }));
    const stopped = await change(bench, "stop", "stop", { nodeFieldSelector: "displayName=a", message: "no" });
    assertEquals([stopped.status?.nodes?.a?.phase, stopped.status?.nodes?.b?.phase], ["Failed", "Running"]);
    await put(workflow("resume", "Running", { a: waiting("a") }));
    const resumed = await change(bench, "resume", "resume");
    assertEquals(resumed.status?.nodes?.a?.phase, "Succeeded");
    for (const word of ["suspend", "terminate"]) {
      await put(workflow(word, "Running", { a: waiting("a") }));
      const changed = await change(bench, word, word);
      assertEquals(changed.status?.nodes?.a?.phase, "Running");
    }
  }));

Deno.test("offloaded nodes: retry and resubmit use the nodes from the database", () =>
  withOffloaded(async (bench, put) => {
    const nodes: Record<string, NodeStatus> = {
      w: { ...waiting("w"), type: "Steps", phase: "Failed", children: ["done", "failed"], finishedAt: AT },
      done: { ...waiting("done"), type: "Pod", phase: "Succeeded", boundaryID: "w", finishedAt: AT },
      failed: { ...waiting("failed"), type: "Pod", phase: "Failed", boundaryID: "w", finishedAt: AT },
    };
    await put(workflow("w", "Failed", nodes));
    const again = await change(bench, "w", "resubmit", { memoized: true });
    assertEquals(Object.values(again.status?.nodes ?? {}).find(({ name }) => name === "done")?.phase, "Skipped");
    const retried = await change(bench, "w", "retry");
    assertEquals(Object.keys(retried.status?.nodes ?? {}).sort(), ["done", "w"]);
    await awaitFact("the workflow stores its nodes itself again", async () => {
      const stored = await bench.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
      return stored.status?.offloadNodeStatusVersion === undefined && stored.status?.nodes?.done !== undefined;
    }, { seconds: 10 });
  }));

/** Creates a running workflow with offloaded nodes, in the cluster of a server without a database. */
async function createOutOfReach({ admin }: ServerBench, name: string): Promise<void> {
  const { status: { nodes: _, ...status } = {}, ...rest } = workflow(name, "Running", {});
  const stored = { ...rest, status: { ...status, offloadNodeStatusVersion: "fnv:1" } };
  await admin.create<Workflow>(WORKFLOWS, NAMESPACE, stored);
}

Deno.test("offloaded nodes: without a database, suspend, stop and terminate work, and changes of nodes fail with the reason (LC-14)", async () => {
  await using bench = await serverBench(["server"]);
  for (
    const [word, spec] of [["suspend", { suspend: true }], ["stop", { shutdown: "Stop" }], ["terminate", {
      shutdown: "Terminate",
    }]] as const
  ) {
    await createOutOfReach(bench, word);
    const { status } = await change(bench, word, word);
    assertEquals([status?.nodes, status?.offloadNodeStatusVersion], [undefined, "fnv:1"]);
    const stored = await bench.admin.get<Workflow>(WORKFLOWS, NAMESPACE, word);
    assertEquals({ suspend: stored.spec.suspend, shutdown: stored.spec.shutdown }, {
      suspend: undefined,
      shutdown: undefined,
      ...spec,
    });
  }
  await createOutOfReach(bench, "w");
  const before = await bench.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
  const nodeFieldSelector = "displayName=a";
  for (
    const [word, body] of [["resume", {}], ["set", { nodeFieldSelector, message: "m" }], ["stop", {
      nodeFieldSelector,
    }]] as const
  ) {
    const answer = await bench.ask("PUT", `/api/v1/workflows/${NAMESPACE}/w/${word}`, {
      body: { name: "w", namespace: NAMESPACE, ...body },
    });
    assert(answer.status >= 400, `${word}: ${answer.status}`);
    assertStringIncludes(await answer.text(), "Workflow has offloaded nodes, but offloading has been disabled");
  }
  assertEquals(await bench.admin.get(WORKFLOWS, NAMESPACE, "w"), before);
});

Deno.test("offloaded nodes: without a database, the error names the missing setting", async () => {
  await using bench = await serverBench(["server"]);
  await createOutOfReach(bench, "w");
  const answer = await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}/w`);
  assert(answer.status >= 400, String(answer.status));
  assertStringIncludes(await answer.text(), "`persistence` of this server's settings configures no database");
});

/** A workflow whose nodes take 1.2 MiB even when compressed. */
function large(name: string): Workflow {
  const random = new Uint8Array(900 * 1024);
  for (let offset = 0; offset < random.length; offset += 65_536) {
    crypto.getRandomValues(random.subarray(offset, offset + 65_536));
  }
  return workflow(name, "Running", { a: { ...waiting("a"), message: random.toBase64() } });
}

const settings = [
  { title: "without a database", offloading: undefined },
  { title: "with a database for the archive only", offloading: { archive: true } },
];
for (const { title, offloading } of settings) {
  Deno.test(`offloaded nodes: a workflow that fits in the cluster keeps its nodes when it is suspended and resumed by a server ${title}`, async () => {
    const act = async (bench: ServerBench) => {
      await bench.admin.create<Workflow>(WORKFLOWS, NAMESPACE, large("w"));
      assertEquals((await change(bench, "w", "suspend")).spec.suspend, true);
      await change(bench, "w", "resume");
      const { status } = await bench.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
      assertEquals([typeof status?.compressedNodes, status?.offloadNodeStatusVersion], ["string", undefined]);
    };
    if (offloading) return await withOffloaded(act, offloading);
    await using bench = await serverBench(["server"]);
    await act(bench);
  });
}

Deno.test("offloaded nodes: a server with a database stores nodes there if they are too large for the workflow", () =>
  withOffloaded(async (bench) => {
    await bench.admin.create<Workflow>(WORKFLOWS, NAMESPACE, large("w"));
    await change(bench, "w", "suspend");
    const { status } = await bench.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
    assertEquals([status?.nodes, status?.compressedNodes], [undefined, undefined]);
    const { nodes } = (await change(bench, "w", "resume")).status ?? {};
    assertEquals(nodes?.a?.phase, "Succeeded");
  }));

Deno.test("offloaded nodes: without a database, logs of existing pods and deletion of the workflow work", async () => {
  await using bench = await serverBench(["server"]);
  bench.api.useKubelet({
    logs: () => ReadableStream.from([new TextEncoder().encode("2026-01-01T00:00:00Z a line\n")]),
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const { status: { nodes: _, ...status } = {}, ...rest } = workflow("w", "Running", {});
  const stored = { ...rest, status: { ...status, offloadNodeStatusVersion: "fnv:1" } };
  await bench.admin.create<Workflow>(WORKFLOWS, NAMESPACE, stored);
  await bench.admin.create<Pod>(PODS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", labels: { [LABEL.workflow]: "w" } },
    spec: { containers: [{ name: "main", image: "busybox" }], nodeName: "here" },
  });
  const state = { running: {} };
  const running = { phase: "Running", startTime: AT, containerStatuses: [{ name: "main", state }] };
  await bench.admin.patch(PODS, NAMESPACE, "p", { status: running }, "merge", { subresource: "status" });
  for (const path of ["log", "p/log"]) {
    const answer = await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}/w/${path}`);
    const text = await answer.text();
    assertEquals(answer.status, 200, text);
    assertStringIncludes(text, '"content":"a line"');
  }
  const deleted = await bench.ask("DELETE", `/api/v1/workflows/${NAMESPACE}/w`);
  assertEquals([deleted.status, await deleted.json()], [200, {}]);
});
