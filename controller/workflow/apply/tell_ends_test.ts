import { assertEquals, assertRejects } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import type { KubeClient } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { tellEnds } from "./tell_ends.ts";

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

/** A client whose exec answers are given; what it was asked to run is kept. */
function clientThat(...answers: (number | Error)[]): { client: KubeClient; asked: string[] } {
  const asked: string[] = [];
  const exec: KubeClient["exec"] = (_namespace, _pod, container, command) => {
    asked.push(`${container}: ${command.join(" ")}`);
    const answer = answers.shift() ?? 0;
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve({ stdout: "", stderr: "", exitCode: answer });
  };
  // Nothing else of a client is asked for here.
  return { client: { exec } as unknown as KubeClient, asked };
}

Deno.test("tellEnds() tells the supervisor or wait once, however often it is decided (IL-84)", async () => {
  for (const aux of ["supervisor", "wait"]) {
    const { client, asked } = clientThat();
    const toldEnds = new Set<string>();
    const pod = podWith({ main: "ended", [aux]: "running" });
    for (let n = 0; n < 2; n++) {
      await tellEnds({ client, log: silentLog, signal: NEVER }, { toldEnds }, pod, { exitCodes: { main: 1 } });
    }
    await tellEnds({ client, log: silentLog, signal: NEVER }, { toldEnds }, pod, { exitCodes: { main: 1, b: 2 } });
    assertEquals(asked, [`${aux}: argoexec ended main=1`, `${aux}: argoexec ended main=1 b=2`]);
  }
});

Deno.test("tellEnds() asks again when the pod could not be reached, and not when its argoexec knows no such command", async () => {
  const { client, asked } = clientThat(new Error("no route"), 64, 0);
  const toldEnds = new Set<string>();
  const tell = () =>
    tellEnds(
      { client, log: silentLog, signal: NEVER },
      { toldEnds },
      podWith({ main: "ended", supervisor: "running" }),
      {
        exitCodes: { main: 1 },
      },
    );
  await assertRejects(tell, Error, "no route");
  for (let n = 0; n < 3; n++) await tell();
  assertEquals(asked.length, 2);
});

Deno.test("tellEnds() tells nobody where the supervisor has ended", async () => {
  const { client, asked } = clientThat();
  const pod = podWith({ main: "ended", supervisor: "ended", sidecar: "running" });
  await tellEnds({ client, log: silentLog, signal: NEVER }, { toldEnds: new Set() }, pod, { exitCodes: { main: 1 } });
  assertEquals(asked, []);
});

Deno.test("tellEnds() does not keep a controller that ends waiting for a pod that does not answer", async () => {
  const ending = new AbortController();
  const exec: KubeClient["exec"] = (_namespace, _pod, _container, _command, signal) =>
    new Promise((_resolve, reject) => {
      signal!.addEventListener("abort", () => reject(signal!.reason));
      ending.abort();
    });
  // Nothing else of a client is asked for here.
  const client = { exec } as unknown as KubeClient;
  const toldEnds = new Set<string>();
  const pod = podWith({ main: "ended", supervisor: "running" });
  await tellEnds({ client, log: silentLog, signal: ending.signal }, { toldEnds }, pod, { exitCodes: { main: 1 } });
  assertEquals(toldEnds.size, 0);
});
