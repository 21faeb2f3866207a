import { assertEquals } from "@std/assert";
import type { ContainerStatus, Pod } from "@tiphys/model/api";
import { classifyError, type KubeClient, KubeError, PODS } from "@tiphys/kube";
import { createApiServer } from "../../../local/api/mod.ts";
import { silentLog } from "@tiphys/base/log";
import { Terminator } from "./terminator.ts";

const OURS = [{ name: "var-run-argo", mountPath: "/var/run/argo" }, { name: "argoexec-bin", mountPath: "/argo-bin" }];

/** A pod on an embedded API; `obeys` determines which containers end at which signal. */
async function terminate(
  state: { phase: string; containers: Record<string, typeof OURS | []> },
  obeys: (container: string, signal: number) => boolean,
  change: (client: KubeClient) => void = () => {},
  options: { readonly keepsExecutor?: true } = {},
): Promise<{ sent: string[]; isThere: boolean }> {
  const api = createApiServer({ storePath: ":memory:" });
  const sent: string[] = [];
  const ended = new Set<string>();
  const client: KubeClient = api.client();
  change(client);
  const containers = Object.entries(state.containers).map(([name, volumeMounts]) => ({
    name,
    image: "i",
    volumeMounts,
  }));
  const stored = await client.create<Pod>(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", finalizers: ["workflows.argoproj.io/status"] },
    spec: {
      nodeName: state.phase === "Pending" ? undefined : "n",
      terminationGracePeriodSeconds: 7,
      containers,
      volumes: OURS.map(({ name }) => ({ name, emptyDir: {} })),
    },
  });
  const podNow = (): Pod => ({
    ...stored,
    status: {
      phase: state.phase as "Running",
      containerStatuses: containers.map(({ name }): ContainerStatus => ({
        name,
        state: ended.has(name) ? { terminated: { exitCode: 0 } } : { running: {} },
      })),
    },
  });
  api.useKubelet({
    logs: () => ReadableStream.from([]),
    exec(_namespace, _pod, container, command) {
      const signal = Number(/\d+/.exec(command.join(" "))?.[0]);
      sent.push(`${container} ${signal}`);
      if (obeys(container, signal)) {
        ended.add(container);
        terminator.recheckPod(podNow());
      }
      return Promise.resolve({ stdout: "", stderr: "", exitCode: 0 });
    },
  });
  const signal = new AbortController().signal;
  const wait = (millis: number) => {
    sent.push(`wait ${millis}`);
    return Promise.resolve();
  };
  const terminator = new Terminator({ client, log: silentLog, podNow, signal, wait });
  terminator.terminate(podNow(), options);
  terminator.terminate(podNow(), options);
  await terminator.idle();
  const isThere = await client.get<Pod>(PODS, "default", "p").then(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
    (error) => classifyError(error) !== "notFound",
  );
  api.close();
  return { sent, isThere };
}

Deno.test("Terminator: signals all containers at once, and only once for repeated requests", async () => {
  const { sent } = await terminate({ phase: "Running", containers: { supervisor: OURS, main: OURS } }, () => true);
  assertEquals(sent.sort(), ["main 15", "supervisor 15", "wait 7000"]);
});

Deno.test("Terminator: sends SIGKILL after the pod's grace period", async () => {
  const { sent } = await terminate(
    { phase: "Running", containers: { supervisor: OURS, main: OURS } },
    (container, signal) => container === "supervisor" || signal === 9,
  );
  assertEquals(sent.filter((entry) => entry.startsWith("main")), ["main 15", "main 9"]);
  assertEquals(sent.includes("supervisor 9"), false);
});

Deno.test("Terminator: does not signal containers added by others while the executor is running (IL-76)", async () => {
  const containers = { supervisor: OURS, main: OURS, proxy: [] as [] };
  const stuck = await terminate({ phase: "Running", containers }, (container) => container === "main");
  assertEquals(stuck.sent.some((entry) => entry.startsWith("proxy")), false);
  const { sent } = await terminate({ phase: "Running", containers }, () => true);
  assertEquals(sent.filter((entry) => !entry.startsWith("wait")).at(-1), "proxy 15");
});

Deno.test("Terminator: does not signal artifact plugins while the executor is running: it saves outputs through them", async () => {
  const containers = { supervisor: OURS, main: OURS, "artifact-plugin-store": OURS };
  const { sent, isThere } = await terminate({ phase: "Running", containers }, (container) => container === "main");
  assertEquals([sent.some((entry) => entry.startsWith("artifact-plugin-store")), isThere], [false, false]);
  const ended = await terminate({ phase: "Running", containers }, () => true);
  assertEquals(ended.sent.filter((entry) => !entry.startsWith("wait")).at(-1), "artifact-plugin-store 15");
});

Deno.test("Terminator: ends only the containers of the user if the executor is to continue, and keeps the pod", async () => {
  const containers = { supervisor: OURS, side: OURS, "artifact-plugin-store": OURS, proxy: [] as [] };
  const { sent, isThere } = await terminate({ phase: "Running", containers }, () => false, undefined, {
    keepsExecutor: true,
  });
  assertEquals([sent, isThere], [["side 15", "wait 7000", "side 9", "wait 7000"], true]);
});

Deno.test("Terminator: deletes a pod that has not started, with or without the finalizer", async () => {
  const { sent, isThere } = await terminate({ phase: "Pending", containers: { main: OURS } }, () => true);
  assertEquals([sent, isThere], [[], false]);
});

Deno.test("Terminator: deletes a pod whose container survives SIGKILL, and keeps one whose containers ended", async () => {
  const containers = { supervisor: OURS, main: OURS };
  const stuck = await terminate({ phase: "Running", containers }, (container) => container === "supervisor");
  assertEquals(stuck.sent.filter((entry) => entry.startsWith("main")), ["main 15", "main 9"]);
  assertEquals(stuck.isThere, false);
  assertEquals((await terminate({ phase: "Running", containers }, () => true)).isThere, true);
});

Deno.test("Terminator: deletes the pod after one grace period when it may not run commands in containers", async () => {
  const { sent, isThere } = await terminate(
    { phase: "Running", containers: { supervisor: OURS, main: OURS } },
    () => false,
    (client) => client.exec = () => Promise.reject(new KubeError("pods/exec is forbidden", { status: 403 })),
  );
  assertEquals([sent, isThere], [["wait 7000"], false]);
});
