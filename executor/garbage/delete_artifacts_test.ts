import { assertEquals, assertMatch } from "@std/assert";
import type { Artifact, ArtifactLocation, WorkflowArtifactGCTask } from "@tiphys/model/api";
import { StoreError } from "@tiphys/model/artifact";
import { API_VERSION, ENV, LABEL } from "@tiphys/base/constants";
import { type KubeClient, WORKFLOW_ARTIFACT_GC_TASKS, WORKFLOWS } from "@tiphys/kube";
import { type MemoryStore, memoryStore } from "../testing/memory_store.ts";
import { startProgram } from "../testing/process.ts";
import { type OwnPod, ownPod } from "../testing/own_pod.ts";
import type { World } from "../world.ts";
import { deleteArtifacts } from "./delete_artifacts.ts";

const { signal } = new AbortController();
const PLACE: ArtifactLocation = { s3: { endpoint: "e", bucket: "b", key: "{{workflow.name}}" } };

/** A pod whose tasks have the label `42`. */
function collector(): Promise<OwnPod> {
  return ownPod({}, { [ENV.artifactGcPod]: "42" });
}

async function addTask(
  client: KubeClient,
  name: string,
  nodes: Record<string, readonly Artifact[]>,
  { uid, archiveLocation = PLACE }: { uid?: string; archiveLocation?: ArtifactLocation | undefined } = {},
): Promise<void> {
  const workflow = await client.get(WORKFLOWS, "ns", "wf");
  const owner = { apiVersion: API_VERSION, kind: "Workflow", name: "wf", uid: uid ?? workflow.metadata.uid! };
  const artifactsByNode = Object.fromEntries(
    Object.entries(nodes).map(([node, artifacts]) => [node, {
      archiveLocation,
      artifacts: Object.fromEntries(artifacts.map((artifact) => [artifact.name, artifact])),
    }]),
  );
  await client.create(WORKFLOW_ARTIFACT_GC_TASKS, "ns", {
    apiVersion: API_VERSION,
    kind: "WorkflowArtifactGCTask",
    metadata: { name, labels: { [LABEL.artifactGcPod]: "42" }, ownerReferences: [owner] },
    spec: { artifactsByNode },
  });
}

/** The results in the status of a task, by `NODE/ARTIFACT`: true when the artifact was deleted, otherwise the error. */
async function resultsOf(client: KubeClient, name: string): Promise<Record<string, true | string>> {
  const { status } = await client.get<WorkflowArtifactGCTask>(WORKFLOW_ARTIFACT_GC_TASKS, "ns", name);
  return Object.fromEntries(
    Object.entries(status?.artifactResultsByNode ?? {}).flatMap(([node, { artifactResults = {} }]) =>
      Object.values(artifactResults).map(({ name, success, error }) => [`${node}/${name}`, success || (error ?? "")])
    ),
  );
}

function filledStore(keys: readonly string[]): MemoryStore {
  const store = memoryStore();
  for (const key of keys) store.objects.set(key, new Uint8Array());
  return store;
}

function run(pod: OwnPod, driverFor: World["driverFor"]): Promise<number> {
  return deleteArtifacts({ ...pod.world, driverFor }, signal);
}

const s3 = (name: string, key: string): Artifact => ({ name, s3: { key } });

Deno.test("deleteArtifacts: deletes the artifacts of the tasks with its label and writes a result for each", async () => {
  await using pod = await collector();
  await addTask(pod.client, "t-0", { n1: [s3("a", "k/a"), s3("b", "k/b")], n2: [s3("a", "k/c")] });
  await addTask(pod.client, "t-1", { n1: [s3("c", "k/d")] });
  const store = filledStore(["k/a", "k/b", "k/c", "k/d", "k/other"]);
  assertEquals(await run(pod, store.driverFor), 0);
  assertEquals([...store.objects.keys()], ["k/other"]);
  assertEquals(await resultsOf(pod.client, "t-0"), { "n1/a": true, "n1/b": true, "n2/a": true });
  assertEquals(await resultsOf(pod.client, "t-1"), { "n1/c": true });
  assertEquals(store.places[0], { store: "s3", key: "k/a", settings: { endpoint: "e", bucket: "b" } });
});

Deno.test("deleteArtifacts: reports a failed deletion, deletes the others, and succeeds (AR-144)", async () => {
  await using pod = await collector();
  await addTask(pod.client, "t-0", { n: [s3("a", "a"), s3("b", "b"), s3("c", "c")] });
  const store = filledStore(["a", "b", "c"]);
  const code = await run(pod, (location) => {
    if (location.key !== "b") return store.driverFor(location);
    throw new StoreError("key 'k' of the secret 's' is not there", "final");
  });
  assertEquals(code, 0);
  assertEquals([...store.objects.keys()], ["b"]);
  assertEquals(await resultsOf(pod.client, "t-0"), {
    "n/a": true,
    "n/b": "key 'k' of the secret 's' is not there",
    "n/c": true,
  });
});

Deno.test("deleteArtifacts: retries transient errors up to five attempts, and other errors never", async () => {
  await using pod = await collector();
  await addTask(pod.client, "t-0", { n: [s3("soon", "soon"), s3("never", "never"), s3("forbidden", "forbidden")] });
  const store = filledStore(["soon"]);
  const tries: Record<string, number> = {};
  assertEquals(
    await run(pod, async (location) => {
      const driver = await store.driverFor(location);
      if (!("remove" in driver)) throw new Error("unexpected tree driver");
      return {
        ...driver,
        remove(location, stop) {
          const count = tries[location.key] = (tries[location.key] ?? 0) + 1;
          if (location.key === "forbidden") throw new StoreError("access denied", "forbidden");
          if (location.key === "never" || count < 3) throw new StoreError("slow down", "transient");
          return driver.remove(location, stop);
        },
      };
    }),
    0,
  );
  assertEquals(tries, { soon: 3, never: 5, forbidden: 1 });
  const { "n/never": gaveUp, ...others } = await resultsOf(pod.client, "t-0");
  assertEquals(others, { "n/soon": true, "n/forbidden": "access denied" });
  assertMatch(String(gaveUp), /^slow down \(gave up after 5 tries/);
});

Deno.test("deleteArtifacts: refuses an empty key, a store that cannot delete, and an artifact without a location", async () => {
  await using pod = await collector();
  const at = (name: string, key: string): Artifact => ({ name, s3: { endpoint: "e", bucket: "b", key } });
  await addTask(pod.client, "t-0", {
    n: [at("slash", "/"), { name: "http", http: { url: "http://h/x" } }, { name: "nowhere" }],
  });
  const store = filledStore(["a"]);
  const driverFor: World["driverFor"] = async (location) =>
    location.store === "http" ? { load: () => Promise.resolve() } : await store.driverFor(location);
  assertEquals(await run(pod, driverFor), 0);
  assertEquals([...store.objects.keys()], ["a"]);
  const results = await resultsOf(pod.client, "t-0");
  assertMatch(String(results["n/slash"]), /has no key in its s3 store: nothing is deleted/);
  assertMatch(String(results["n/http"]), /^delete not supported for this artifact storage/);
  assertEquals(results["n/nowhere"], "the artifact names neither a full location nor a key");
});

Deno.test("deleteArtifacts: ignores tasks of an earlier workflow with the same name", async () => {
  await using pod = await collector();
  await addTask(pod.client, "t-old", { n: [s3("a", "a")] }, { uid: "another" });
  const store = filledStore(["a"]);
  assertEquals(await run(pod, store.driverFor), 0);
  assertEquals([...store.objects.keys()], ["a"]);
});

Deno.test("deleteArtifacts: resumes after an interrupted attempt", async () => {
  await using pod = await collector();
  await addTask(pod.client, "t-0", { n: [s3("a", "a"), s3("b", "b")] });
  const done = { artifactResultsByNode: { n: { artifactResults: { a: { name: "a", success: true } } } } };
  await pod.client.patch(WORKFLOW_ARTIFACT_GC_TASKS, "ns", "t-0", { status: done }, "merge", { subresource: "status" });
  const store = filledStore(["b"]);
  assertEquals(await run(pod, store.driverFor), 0);
  assertEquals(store.places.map(({ key }) => key), ["b"]);
  assertEquals(await resultsOf(pod.client, "t-0"), { "n/a": true, "n/b": true });
});

Deno.test("deleteArtifacts: on termination, writes no result for artifacts that were not processed", async () => {
  await using pod = await collector();
  await addTask(pod.client, "t-0", { n: [s3("a", "a")] });
  const ending = new AbortController();
  const store = filledStore(["a"]);
  const work = deleteArtifacts({
    ...pod.world,
    driverFor(location) {
      ending.abort(new Error("received SIGTERM"));
      return store.driverFor(location);
    },
  }, ending.signal);
  assertEquals(await work.catch((error: Error) => error.message), "received SIGTERM");
  assertEquals(await resultsOf(pod.client, "t-0"), {});
});

Deno.test("argoexec: `artifact delete` runs as a program", async () => {
  await using pod = await collector();
  await addTask(pod.client, "t-0", { n: [{ name: "page", http: { url: "http://127.0.0.1:1/x" } }] });
  const program = await startProgram(pod.world, ["artifact", "delete"], { env: pod.env });
  assertEquals((await program.status).code, 0, await pod.message());
  assertMatch(String((await resultsOf(pod.client, "t-0"))["n/page"]), /^delete not supported/);
});
