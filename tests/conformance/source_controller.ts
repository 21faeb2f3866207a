import { VERSION } from "@tiphys/base/version";
import { awaitFact } from "../await_fact.ts";
import type { ClusterUnderTest } from "../install/mod.ts";
import { CONTROLLER_ENVIRONMENT } from "./controller_environment.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const HEALTH_PORT = 16060;

/**
 * Replaces the installed controller by one that runs here from source; disposal stops it. Its log is
 * `build/controller.log`.
 */
export async function startControllerFromSource(
  cluster: ClusterUnderTest,
  namespace: string,
): Promise<AsyncDisposable> {
  await cluster.kubectl.output("-n", namespace, "scale", "deployment/workflow-controller", "--replicas=0");
  const log = await Deno.open(`${ROOT}build/controller.log`, { create: true, write: true, truncate: true });
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "controller/main.ts",
      `--kubeconfig=${cluster.kubeconfig}`,
      `--namespace=${namespace}`,
      `--executor-image=docker.io/tiphys/argoexec:v${VERSION}`,
      `--health-port=${HEALTH_PORT}`,
    ],
    cwd: ROOT,
    env: CONTROLLER_ENVIRONMENT,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const logged = child.stderr.pipeTo(log.writable);
  const healthy = async () => (await fetch(`http://127.0.0.1:${HEALTH_PORT}/healthz`)).ok;
  await awaitFact("the controller from source is healthy; see build/controller.log", healthy, { seconds: 60 });
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await logged;
    },
  };
}
