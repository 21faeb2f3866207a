import { assertEquals, assertRejects } from "@std/assert";
import type { TaskInput, TaskName } from "./tasks.ts";
import { TextWorkerError } from "./text_lane.ts";
import { TextWorker } from "./text_worker.ts";

/** A text that is too large for the caller's thread. */
const LARGE = "#".repeat(20_000);

/** Runs a task that must run in the thread. */
function runThere<Name extends TaskName>(worker: TextWorker, name: Name, input: TaskInput<Name>, key = "a") {
  const here = () => {
    throw new Error("the input is large");
  };
  return worker.run(name, input, { key, runHere: here });
}

Deno.test("TextWorker: a large input is processed in the thread, a small one by the caller", async () => {
  const worker = new TextWorker();
  assertEquals(await runThere(worker, "yamlValue", `a: [1, x] ${LARGE}`), { value: { a: [1, "x"] } });
  assertEquals("error" in await runThere(worker, "yamlValue", `a: [1 ${LARGE}`), true);
  const body = { text: JSON.stringify({ a: LARGE }), depth: 5 };
  assertEquals(await runThere(worker, "jsonBody", body), { value: { a: LARGE } });
  const patch = JSON.stringify({ a: LARGE });
  const patching = { object: "{}", patch, type: "merge", kind: "ConfigMap", characters: 30_000 } as const;
  assertEquals(await runThere(worker, "patchedObject", patching), { value: { a: LARGE } });
  const description = LARGE;
  const { errors: [error] } = await runThere(worker, "kindErrors", {
    kind: "Workflow",
    object: { metadata: 1, description },
  });
  assertEquals(error?.path, "metadata");
  const object = { ...workflow("missing"), status: { message: LARGE } };
  const [problem] = await runThere(worker, "lintErrors", { object, options: {} });
  assertEquals(problem?.path, "spec.entrypoint");
  assertEquals(await worker.run("yamlValue", "1", { key: "a", runHere: () => ({ value: 2 }) }), { value: 2 });
  assertEquals(await worker.run("yamlValue", "1", { key: "a", characters: 1, runHere: () => ({ value: 2 }) }), {
    value: 2,
  });
  worker.close();
});

Deno.test("TextWorker: a task that exceeds its deadline fails with the limit", async () => {
  const worker = new TextWorker({ millis: 100 });
  const long = runThere(worker, "yamlValue", "- [1, 2]\n".repeat(200_000));
  const error = await assertRejects(() => long, TextWorkerError, "it takes longer than 0.1 s, which is the limit");
  assertEquals(error.kind, "late");
  worker.close();
});

/** A thread that fails `millis` milliseconds after it received a task. */
function failingThread(millis: number): URL {
  const text = `import { parentPort } from "node:worker_threads";
    parentPort.on("message", () => setTimeout(() => { throw new Error("execution terminated"); }, ${millis}));
    parentPort.postMessage({ kind: "ready" });`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

Deno.test("TextWorker: a thread that fails after the deadline of its task was stopped by the deadline", async () => {
  for (const [millis, kind] of [[20, "late"], [60_000, "failed"]] as const) {
    const worker = new TextWorker({ millis, program: failingThread(25) });
    const error = await assertRejects(() => runThere(worker, "yamlValue", LARGE), TextWorkerError);
    assertEquals(error.kind, kind);
    worker.close();
  }
});

Deno.test("TextWorker: a task that exceeds the memory limit fails with the limit, and the next task is completed", async () => {
  const worker = new TextWorker({ memoryMib: 40 });
  const long = runThere(worker, "yamlValue", `[${"[],".repeat(200_000)}1]`);
  const error = await assertRejects(() => long, TextWorkerError, "it takes more than 40 MiB of memory");
  assertEquals(error.kind, "memory");
  assertEquals(await runThere(worker, "yamlValue", `1 ${LARGE}`), { value: 1 });
  worker.close();
});

Deno.test("TextWorker: keys take turns, and a key with too many tasks is rejected", async () => {
  const worker = new TextWorker({ threads: 1 });
  const done: string[] = [];
  const run = (key: string) => runThere(worker, "yamlValue", LARGE, key).then(() => void done.push(key));
  await Promise.all([run("a"), run("a"), run("a"), run("b")]);
  assertEquals(done, ["a", "a", "b", "a"]);
  const many = Array.from({ length: 10 }, () => run("a").then(() => "done", ({ kind }) => kind));
  assertEquals((await Promise.all(many)).filter((outcome) => outcome === "busy").length, 1);
  worker.close();
});

Deno.test("TextWorker: a caller does not wait for the tasks of another one", async () => {
  const worker = new TextWorker();
  const endless = "- [1, 2]\n".repeat(200_000);
  const others = [1, 2, 3].map(() => runThere(worker, "yamlValue", endless, "a").catch(({ kind }) => kind));
  assertEquals(await runThere(worker, "yamlValue", `1 ${LARGE}`, "b"), { value: 1 });
  worker.close();
  assertEquals(await Promise.all(others), ["failed", "failed", "failed"]);
});

Deno.test("TextWorker: when too many tasks wait, the callers with the most tasks are rejected", async () => {
  const worker = new TextWorker();
  const kinds = new Map<string, string[]>();
  const run = (key: string) =>
    runThere(worker, "yamlValue", LARGE, key).then(() => "done", ({ kind }) => kind).then((kind) =>
      void kinds.set(key, [...kinds.get(key) ?? [], kind])
    );
  const flood = ["a", "b", "c", "d", "e"].flatMap((key) => Array.from({ length: 8 }, () => run(key)));
  const others = ["f", "g", "h"].map(run);
  await Promise.all(others);
  assertEquals(["f", "g", "h"].map((key) => kinds.get(key)), [["done"], ["done"], ["done"]]);
  await Promise.all(flood);
  assertEquals([...kinds.values()].flat().filter((kind) => kind === "busy").length > 0, true);
  worker.close();
});

Deno.test("TextWorker: close fails unfinished tasks", async () => {
  const worker = new TextWorker();
  const task = runThere(worker, "yamlValue", LARGE);
  worker.close();
  await assertRejects(() => task, TextWorkerError, "stopping");
});

function workflow(entrypoint: string) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { generateName: "w-" },
    spec: { entrypoint, templates: [{ name: "main", container: { image: "busybox" } }] },
  };
}
