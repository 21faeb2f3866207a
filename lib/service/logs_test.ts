import { assertEquals, assertRejects } from "@std/assert";
import { API_VERSION, type Pod, type Workflow } from "@tiphys/model/api";
import { CONTAINER, LABEL } from "@tiphys/base/constants";
import { type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { ClusterService } from "./cluster_service.ts";

Deno.test("logs: following waits for main even if another container of its pod runs", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const asked: string[] = [];
  api.useKubelet({
    logs: (_namespace, pod) => {
      asked.push(pod);
      return ReadableStream.from([new TextEncoder().encode("a line\n")]);
    },
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const create = async (name: string) => {
    const containers = [CONTAINER.supervisor, CONTAINER.main].map((name) => ({ name, image: "busybox" }));
    await client.create<Pod>(PODS, "default", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "default", labels: { [LABEL.workflow]: "hello" } },
      spec: { containers, nodeName: "here" },
    });
  };
  const report = async (name: string, main: Record<string, unknown>) => {
    const statuses = [{ name: CONTAINER.supervisor, state: { running: {} } }, { name: CONTAINER.main, state: main }];
    const status = { phase: "Running", containerStatuses: statuses };
    await client.patch(PODS, "default", name, { status }, "merge", { subresource: "status" });
  };
  await client.create<Workflow>(WORKFLOWS, "default", {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name: "hello" },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  });
  await create("late");
  await report("late", { waiting: { reason: "ContainerCreating" } });
  await create("early");
  await report("early", { running: {} });

  const reader = new AbortController();
  const seen: string[] = [];
  for await (
    const { podName } of new ClusterService(client).logs("default", "hello", { follow: true }, reader.signal)
  ) {
    seen.push(podName);
    if (podName === "late") reader.abort();
    else {
      // The existing pods are known now, and only the one whose main container runs was read.
      assertEquals(asked, ["early"]);
      await report("late", { running: {} });
    }
  }
  assertEquals(seen, ["early", "late"]);
  api.close();
});

Deno.test("logs: followed lines of several pods are ordered by time, and timestamps are shown only if requested", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const written: Readonly<Record<string, string>> = {
    a: "2026-01-01T00:00:01Z one\n2026-01-01T00:00:03.5Z four\n",
    b: "2026-01-01T00:00:02Z two\n2026-01-01T00:00:03Z three\nunable to retrieve the rest\n",
  };
  api.useKubelet({
    logs: (_namespace, pod, _container, { timestamps }) => {
      const text = written[pod] ?? "";
      return ReadableStream.from([new TextEncoder().encode(timestamps ? text : text.replaceAll(/^\d\S+ /gm, ""))]);
    },
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const names = Object.keys(written);
  await endedRun(client, names.reverse());
  const read = async (request: Parameters<ClusterService["logs"]>[2]) =>
    (await Array.fromAsync(new ClusterService(client).logs("default", "w", { follow: true, ...request })))
      .map(({ podName, line }) => `${podName} ${line}`);
  assertEquals(await read({}), ["a one", "b two", "b three", "b unable to retrieve the rest", "a four"]);
  assertEquals(await read({ follow: false }), await read({}));
  assertEquals((await read({ timestamps: true }))[4], "a 2026-01-01T00:00:03.5Z four");
  assertEquals(await read({ podName: "b" }), ["b two", "b three", "b unable to retrieve the rest"]);
  assertEquals(await read({ grep: "^t" }), ["b two", "b three"]);
  api.close();
});

Deno.test("logs: lines before the failure of a followed log are yielded, then the error is thrown", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const stop = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  api.useKubelet({
    logs: (_namespace, pod) =>
      ReadableStream.from(async function* () {
        if (pod === "a") await other.promise;
        yield new TextEncoder().encode(`2026-01-01T00:00:0${pod === "a" ? 1 : 2}Z ${pod}\n`);
        if (pod === "b") other.resolve();
        await (pod === "a" ? Promise.resolve() : stop.promise);
        throw new Error("the disk is broken");
      }()),
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  await endedRun(client, ["a", "b"]);
  const seen: string[] = [];
  await assertRejects(
    async () => {
      for await (const { line } of new ClusterService(client).logs("default", "w", { follow: true })) seen.push(line);
    },
    Error,
    "the disk is broken",
  );
  assertEquals(seen, ["a", "b"]);
  stop.resolve();
  api.close();
});

/** Creates a completed workflow w with completed pods. */
Deno.test("logs: wait and supervisor are the container that reports, in both layouts of pods", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  api.useKubelet({
    logs: (_namespace, pod, container) =>
      ReadableStream.from([new TextEncoder().encode(`2026-01-01T00:00:01Z ${pod} ${container}\n`)]),
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  await endedRun(client, ["legacy"], [CONTAINER.wait, CONTAINER.main]);
  const read = async (container: string, follow: boolean) =>
    (await Array.fromAsync(new ClusterService(client).logs("default", "w", { follow, container })))
      .map(({ line }) => line).sort();
  await createEndedPod(client, "initless", [CONTAINER.supervisor, CONTAINER.main]);
  for (const follow of [false, true]) {
    for (const name of [CONTAINER.wait, CONTAINER.supervisor]) {
      assertEquals(await read(name, follow), ["initless supervisor", "legacy wait"]);
    }
    assertEquals(await read(CONTAINER.main, follow), ["initless main", "legacy main"]);
  }
  api.close();
});

async function createEndedPod(client: KubeClient, name: string, containers: readonly string[]): Promise<void> {
  await client.create<Pod>(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", labels: { [LABEL.workflow]: "w" } },
    spec: { containers: containers.map((name) => ({ name, image: "busybox" })), nodeName: "here" },
  });
  const containerStatuses = containers.map((name) => ({ name, state: { terminated: { exitCode: 0 } } }));
  const status = { phase: "Succeeded", containerStatuses };
  await client.patch(PODS, "default", name, { status }, "merge", { subresource: "status" });
}

async function endedRun(
  client: KubeClient,
  pods: readonly string[],
  containers: readonly string[] = [CONTAINER.main],
): Promise<void> {
  for (const name of pods) await createEndedPod(client, name, containers);
  await client.create<Workflow>(WORKFLOWS, "default", {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name: "w", labels: { [LABEL.completed]: "true" } },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    status: { phase: "Succeeded", startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:04Z" },
  });
}
