/** What containers wrote, read back where no kubelet runs: the logs outlive their cluster with its data. */
import type { Pod } from "../../lib/api/mod.ts";
import { type KubeClient, PODS } from "../../lib/kube/mod.ts";
import type { KubeletHooks } from "../api/mod.ts";
import { logStream } from "./log_reader.ts";

/** Answers requests for logs from the data folder; nothing can be run. */
export function savedLogs(client: KubeClient, dataDir: string): KubeletHooks {
  return {
    async logs(namespace, name, container, selection) {
      const pod = await client.get<Pod>(PODS, namespace, name);
      const statuses = [...pod.status?.containerStatuses ?? [], ...pod.status?.initContainerStatuses ?? []];
      const restarts = statuses.find((status) => status.name === container)?.restartCount ?? 0;
      const attempt = selection.previous ? restarts - 1 : restarts;
      const path = `${dataDir}/pods/${pod.metadata.uid}/containers/${container}/${attempt}.log`;
      return logStream(path, selection, undefined);
    },
    exec(_namespace, name) {
      return Promise.reject(new Error(`pod "${name}" is not running: its cluster is not`));
    },
  };
}
