import { assertEquals, assertRejects } from "@std/assert";
import type { Pod, Workflow } from "@tiphys/model/api";
import { type KubeClient, KubeError } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { reportExitCodes } from "./report_exit_codes.ts";

const NEVER = new AbortController().signal;

function podWith(states: Readonly<Record<string, "running" | "ended">>): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "n", name: "p", uid: "u" },
    spec: { containers: [] },
    status: {
      phase: "Running",
      containerStatuses: Object.entries(states).map(([name, state]) => ({
        name,
        state: state === "running" ? { running: {} } : { terminated: { exitCode: 1 } },
      })),
    },
  };
}

/** A client with given responses to exec, which records the commands. */
function clientThat(...answers: (number | Error)[]): { client: KubeClient; commands: string[] } {
  const asked: string[] = [];
  const exec: KubeClient["exec"] = (_namespace, _pod, container, command) => {
    asked.push(`${container}: ${command.join(" ")}`);
    const answer = answers.shift() ?? 0;
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve({ stdout: "", stderr: "", exitCode: answer });
  };
  // The code under test uses nothing else of the client.
  return { client: { exec } as unknown as KubeClient, commands: asked };
}

const WORKFLOW: Workflow = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { namespace: "n", name: "w" },
  spec: {},
};

/** A context with this client and time, which records the messages of events and the pods that it ends. */
function contextOf(client: KubeClient, { signal = NEVER, now = 0, noted = [] as string[] } = {}) {
  return {
    client,
    signal,
    log: silentLog,
    clock: { now: () => now },
    events: { record: (_: object, { reason }: { reason: string }) => noted.push(`event ${reason}`) },
    terminator: { terminate: (pod: Pod) => noted.push(`end ${pod.metadata.name}`) },
  } as unknown as Parameters<typeof reportExitCodes>[0]; // the code under test uses nothing else of them
}

Deno.test("reportExitCodes(): reports once to the supervisor or wait, also for repeated decisions (IL-84)", async () => {
  for (const aux of ["supervisor", "wait"]) {
    const { client, commands } = clientThat();
    const reportedEnds = new Set<string>();
    const pod = podWith({ main: "ended", [aux]: "running" });
    for (let n = 0; n < 2; n++) {
      await reportExitCodes(contextOf(client), WORKFLOW, { reportedEnds }, pod, { exitCodes: { main: 1 } });
    }
    await reportExitCodes(contextOf(client), WORKFLOW, { reportedEnds }, pod, { exitCodes: { main: 1, b: 2 } });
    assertEquals(commands, [`${aux}: argoexec ended main=1`, `${aux}: argoexec ended main=1 b=2`]);
  }
});

Deno.test("reportExitCodes(): retries if the pod could not be reached, and stops if its argoexec does not have the command", async () => {
  const { client, commands } = clientThat(new Error("no route"), 64, 0);
  const reportedEnds = new Set<string>();
  const tell = () =>
    reportExitCodes(
      contextOf(client),
      WORKFLOW,
      { reportedEnds },
      podWith({ main: "ended", supervisor: "running" }),
      {
        exitCodes: { main: 1 },
      },
    );
  await assertRejects(tell, Error, "no route");
  for (let n = 0; n < 3; n++) await tell();
  assertEquals(commands.length, 2);
});

Deno.test("reportExitCodes(): reports nothing if the supervisor has ended", async () => {
  const { client, commands } = clientThat();
  const pod = podWith({ main: "ended", supervisor: "ended", sidecar: "running" });
  await reportExitCodes(contextOf(client), WORKFLOW, { reportedEnds: new Set() }, pod, { exitCodes: { main: 1 } });
  assertEquals(commands, []);
});

Deno.test("reportExitCodes(): does not delay the shutdown of the controller if a pod does not respond", async () => {
  const ending = new AbortController();
  const exec: KubeClient["exec"] = (_namespace, _pod, _container, _command, signal) =>
    new Promise((_resolve, reject) => {
      signal!.addEventListener("abort", () => reject(signal!.reason));
      ending.abort();
    });
  // The code under test uses nothing else of the client.
  const client = { exec } as unknown as KubeClient;
  const reportedEnds = new Set<string>();
  const pod = podWith({ main: "ended", supervisor: "running" });
  await reportExitCodes(contextOf(client, { signal: ending.signal }), WORKFLOW, { reportedEnds }, pod, {
    exitCodes: { main: 1 },
  });
  assertEquals(reportedEnds.size, 0);
});

Deno.test("reportExitCodes(): without permission to run commands, an event reports it, and the pod is terminated after two minutes", async () => {
  const forbidden = new KubeError("pods/exec is forbidden", { status: 403 });
  const pod = podWith({ main: "ended", wait: "running" });
  for (const status of pod.status!.containerStatuses!) {
    const { terminated } = status.state!;
    if (terminated) Object.assign(terminated, { finishedAt: "1970-01-01T00:00:10Z" });
  }
  const at = async (seconds: number) => {
    const noted: string[] = [];
    const context = contextOf(clientThat(forbidden).client, { now: seconds * 1000, noted });
    const news = await reportExitCodes(context, WORKFLOW, { reportedEnds: new Set() }, pod, { exitCodes: { main: 1 } });
    return [news, ...noted];
  };
  assertEquals(await at(20), ["later", "event PodExecForbidden"]);
  assertEquals(await at(129), ["later", "event PodExecForbidden"]);
  assertEquals(await at(130), [false, "end p"]);
});
