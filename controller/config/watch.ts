/** Finding and watching the controller's ConfigMap. */
import { type ConfigMap, isProblem } from "@tiphys/model/api";
import { CONFIGMAPS, type KubeClient } from "@tiphys/kube";
import { ReadingInformer } from "@tiphys/kube/informers";
import type { Log } from "@tiphys/base/log";
import { readConfigMap } from "../workflow/observe/readers.ts";

/** The name of the ConfigMap, and the client to watch it with. */
export interface ConfigWatch {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Calls `onChange` with every state of the ConfigMap, except the one whose resourceVersion is `knownVersion`. Resolves
 * when the first state has been processed. A deletion is ignored: the settings remain in effect.
 */
export async function watchConfig(
  watch: ConfigWatch,
  knownVersion: string | undefined,
  onChange: (configMap: ConfigMap) => void,
): Promise<void> {
  const { client, namespace, name, log, signal } = watch;
  const informer = new ReadingInformer(client, CONFIGMAPS, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    onError: (error) => log.warn("The watch of the controller's ConfigMap failed", { error: String(error) }),
    read: readConfigMap,
  });
  await informer.start(signal);
  informer.onChange((type, object) => {
    if (type === "deleted" || object.metadata.resourceVersion === knownVersion) return;
    const configMap = informer.readObject(object);
    if (isProblem(configMap)) log.error("Parsing the controller's ConfigMap failed", { error: configMap.message });
    else onChange(configMap);
  });
}

/** Resolves when the resourceVersion of the ConfigMap is not `knownVersion`. */
export async function configChanged(watch: ConfigWatch, knownVersion: string | undefined): Promise<void> {
  const looked = new AbortController();
  const signal = AbortSignal.any([watch.signal, looked.signal]);
  try {
    await new Promise<void>((resolve, reject) => {
      watch.signal.addEventListener("abort", () => reject(watch.signal.reason), { once: true, signal: looked.signal });
      watchConfig({ ...watch, signal }, knownVersion, () => resolve()).catch(reject);
    });
  } finally {
    looked.abort(new DOMException("The ConfigMap changed", "AbortError"));
  }
}
