/** Limits of namespaces, set by a label: how many workflows may run there. */
import { LABEL } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";
import type { Informer } from "@tiphys/kube/informers";
import type { Log } from "@tiphys/base/log";

/** The limits of all namespaces that have one. An invalid label is logged once and ignored. */
export class NamespaceLimits {
  readonly #limits = new Map<string, number>();

  constructor(namespaces: Pick<Informer<KubeObject>, "onChange">, log: Log) {
    namespaces.onChange((type, { metadata: { name = "", labels } }, old) => {
      const text = labels?.[LABEL.parallelismLimit];
      this.#limits.delete(name);
      if (type === "deleted" || text === undefined) return;
      if (/^[+-]?\d{1,9}$/.test(text)) this.#limits.set(name, Number(text));
      else if (old?.metadata.labels?.[LABEL.parallelismLimit] !== text) {
        log.warn("The limit of a namespace is not a number; the limit of the settings applies", {
          namespace: name,
          text,
        });
      }
    });
  }

  /** The limit of a namespace; 0 or less for no limit, undefined if the settings determine it. */
  of(namespace: string): number | undefined {
    return this.#limits.get(namespace);
  }
}
