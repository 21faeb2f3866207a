/** Rights as Kubernetes knows them: what somebody wants to do, to what, and where. */
import type { Resource } from "../../lib/kube/mod.ts";

/** One right. Without a namespace it is that of all namespaces, or of a kind that has none. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  /** The object's name, where the right is for one object only. */
  readonly name?: string | undefined;
}

/** The right to do something to objects of a kind. */
export function right(
  verb: string,
  { group, plural, namespaced }: Pick<Resource, "group" | "plural" | "namespaced">,
  namespace: string | undefined,
  name?: string,
  subresource?: string,
): Right {
  return {
    verb,
    group,
    resource: plural,
    subresource,
    namespace: namespaced ? namespace || undefined : undefined,
    name: name || undefined,
  };
}

/** The refusal, which names the missing right. It is the same whether or not the object is there. */
export function refusalText(subject: string, { verb, group, resource, subresource, namespace, name }: Right): string {
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const qualified = group === "" ? resource : `${resource}.${group}`;
  const object = name === undefined ? qualified : `${qualified} ${JSON.stringify(name)}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  return `${object} is forbidden: User ${JSON.stringify(subject)} cannot ${verb} resource ${JSON.stringify(what)} ` +
    `in API group ${JSON.stringify(group)} ${where}`;
}
