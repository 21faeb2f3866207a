import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { handlerTransport, KubeClient, type KubeObject, WORKFLOW_TASK_SETS, WORKFLOWS } from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { UNREACHED_MILLIS, watchTaskSet } from "./task_set_watch.ts";
import type { TaskSetContents } from "./tasks.ts";

const never = new AbortController().signal;

/** An API server with a task set and its workflow, whose UID is passed to `act`. */
async function withTaskSet(act: (client: KubeClient, uid: string) => Promise<void>): Promise<void> {
  const api = createApiServer({ storePath: ":memory:" });
  try {
    const client = api.client();
    const { metadata: { uid } } = await client.create<KubeObject>(WORKFLOWS, "default", {
      apiVersion: API_VERSION,
      kind: "Workflow",
      metadata: { name: "web" },
      spec: { entrypoint: "main", templates: [] },
    });
    await client.create<KubeObject>(WORKFLOW_TASK_SETS, "default", {
      apiVersion: API_VERSION,
      kind: "WorkflowTaskSet",
      metadata: {
        name: "web",
        labels: { [LABEL.completed]: "false" },
        ownerReferences: [{ apiVersion: API_VERSION, kind: "Workflow", name: "web", uid: uid! }],
      },
      spec: { tasks: { "web-1": { name: "get", http: { url: "http://example.com" } } } },
    });
    await act(client, uid!);
  } finally {
    api.close();
  }
}

function watchTasks(client: KubeClient, clock = fakeClock(), uid = "uid-1") {
  return { client, clock, namespace: "default", name: "web", uid, log: () => {} };
}

Deno.test("agent: exits at once with the server's message if it is not allowed to read its task set", async () => {
  const message = 'workflowtasksets.argoproj.io is forbidden: User "web" cannot list resource';
  const client = new KubeClient(
    handlerTransport(() =>
      Promise.resolve(Response.json({ kind: "Status", code: 403, reason: "Forbidden", message }, { status: 403 }))
    ),
  );
  const clock = fakeClock();
  const watching = watchTaskSet(watchTasks(client, clock), () => {}, never, never);
  await clock.runUntil(assertRejects(() => watching, Error, `failed to read task set web: ${message}`));
  assertEquals(clock.elapsed, 0);
});

Deno.test("agent: exits with the reason if the API server is unreachable for 30 seconds", async () => {
  const clock = fakeClock();
  const client = new KubeClient(
    handlerTransport(() => Promise.reject(new Deno.errors.ConnectionRefused("tcp connect error: Connection refused"))),
  );
  const watching = watchTaskSet(watchTasks(client, clock), () => {}, never, never);
  const refused = assertRejects(() => watching, Error, "failed to read task set web: ");
  await clock.runUntil(refused);
  assertEquals(clock.elapsed >= UNREACHED_MILLIS, true);
});

Deno.test("agent: receives only tasks of its workflow and exits when the task set is completed", async () => {
  await withTaskSet(async (client, uid) => {
    const seen: TaskSetContents[] = [];
    const first = Promise.withResolvers<void>();
    const clock = fakeClock();
    const ending = new AbortController();
    const strange = () => first.reject(new Error("tasks of another workflow were seen"));
    const others = watchTaskSet(watchTasks(client, clock, "another"), strange, ending.signal, never);
    const see = (taskSetContents: TaskSetContents) => {
      seen.push(taskSetContents);
      first.resolve();
    };
    const watching = watchTaskSet(watchTasks(client, clock, uid), see, never, never);
    await first.promise;
    assertEquals(seen.map(({ tasks }) => Object.keys(tasks)), [["web-1"]]);
    const over = { metadata: { labels: { [LABEL.completed]: "true" } } };
    await client.patch(WORKFLOW_TASK_SETS, "default", "web", over);
    await clock.runUntil(watching);
    ending.abort();
    await clock.runUntil(others);
  });
});

Deno.test("agent: exits with the reason if its results cannot be written", async () => {
  await withTaskSet(async (client, uid) => {
    const broken = new AbortController();
    const clock = fakeClock();
    const see = () => broken.abort(new Error("failed to write results"));
    const watching = watchTaskSet(watchTasks(client, clock, uid), see, never, broken.signal);
    await clock.runUntil(assertRejects(() => watching, Error, "failed to write results"));
  });
});
