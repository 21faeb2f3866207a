import type { ConfigMap } from "../../lib/api/mod.ts";
import { CONFIGMAPS, Informer, type KubeClient } from "../../lib/kube/mod.ts";
import type { Log } from "../log.ts";

/** Where the ConfigMap is, and how to watch it. */
export interface ConfigWatch {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Calls `onChange` with every new state of the ConfigMap; one that cannot be read is logged and the old one stays. */
export async function watchConfig(
  watch: ConfigWatch,
  onChange: (configMap: ConfigMap) => Promise<void>,
): Promise<void> {
  const { client, namespace, name, log, signal } = watch;
  const informer = new Informer<ConfigMap>(client, CONFIGMAPS, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    onError: (error) => log.warn("The watch of the controller's ConfigMap failed", { error: String(error) }),
  });
  await informer.start(signal);
  let first = true;
  informer.onChange((type, configMap) => {
    if (first || type === "deleted") return;
    onChange(configMap).then(
      () => log.info("The controller's ConfigMap was read anew"),
      (error) =>
        log.error("The controller's ConfigMap cannot be read; the old settings stay", { error: String(error) }),
    );
  });
  first = false;
}
