/** Reads logs of containers without a running kubelet: they outlive their cluster with its data. */
import { type Pod, readPod } from "@tiphys/model/api";
import { type KubeClient, PODS } from "@tiphys/kube";
import type { KubeletHooks } from "../../api/mod.ts";
import { adoptNamedAttempts, attemptFolder } from "../attempt_folders.ts";
import { type LogSelection, logStream } from "./log_reader.ts";

/** The saved log of a container; with `previous`, that of its attempt before the last one. */
export function savedLog(
  pod: Pod,
  dataDir: string,
  container: string,
  selection: LogSelection & { readonly previous?: boolean },
): ReadableStream<Uint8Array> {
  const statuses = [...pod.status?.containerStatuses ?? [], ...pod.status?.initContainerStatuses ?? []];
  const restarts = statuses.find((status) => status.name === container)?.restartCount ?? 0;
  const attempt = selection.previous ? restarts - 1 : restarts;
  const folder = attemptFolder(`${dataDir}/pods/${pod.metadata.uid}`, pod, container);
  return logStream(`${folder}/${attempt}.log`, selection, undefined);
}

/** Serves logs from the data folder. Commands cannot be run. */
export function savedLogs(client: KubeClient, dataDir: string): KubeletHooks {
  return {
    async logs(namespace, name, container, selection) {
      const pod = readPod(await client.get(PODS, namespace, name));
      await adoptNamedAttempts(`${dataDir}/pods/${pod.metadata.uid}`, pod);
      return savedLog(pod, dataDir, container, selection);
    },
    exec(_namespace, name) {
      return Promise.reject(new Error(`pod "${name}" is not running, because its cluster is stopped`));
    },
  };
}
