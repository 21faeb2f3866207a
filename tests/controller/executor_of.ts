/** The executor of a pod of a {@link ControllerWorld}, which reports to the served API. */
import type { Pod } from "@tiphys/model/api";
import { ENV, PATH } from "@tiphys/base/constants";
import { testWorld } from "../../executor/testing/world.ts";
import { keyOf } from "../../simulate/testing/seal_report.ts";
import { nodeIdOf } from "./world.ts";

/** Creates the world of the executor in a pod. */
export async function executorOf(pod: Pod, served: { readonly url: string; readonly token: string }) {
  const { hostname, port } = new URL(served.url);
  const [owner] = pod.metadata.ownerReferences ?? [];
  const world = await testWorld({
    env: {
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
      [ENV.apiScheme]: "http",
      [ENV.nodeId]: nodeIdOf(pod),
      [ENV.podUid]: pod.metadata.uid!,
      [ENV.workflowName]: owner?.name ?? "",
      [ENV.workflowUid]: owner?.uid ?? "",
      [ENV.reportKey]: keyOf(pod)!,
    },
  });
  await world.write(`${PATH.serviceAccount}/namespace`, "default");
  await world.write(`${PATH.serviceAccount}/token`, served.token);
  return world;
}
