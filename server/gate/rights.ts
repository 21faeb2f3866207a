/** Permissions in Kubernetes: verb, resource and namespace. */
import type { Resource } from "@tiphys/kube";

/** A permission. Without a namespace, it applies to all namespaces or to a cluster-scoped resource. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  /** The object's name, if the permission is for a single object. */
  readonly name?: string | undefined;
}

/** Creates a permission for objects of a resource. */
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

/** Returns the error message for a missing permission. It is the same whether or not the object exists. */
export function refusalText(subject: string, { verb, group, resource, subresource, namespace, name }: Right): string {
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const qualified = group === "" ? resource : `${resource}.${group}`;
  const object = name === undefined ? qualified : `${qualified} ${JSON.stringify(name)}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  return `${object} is forbidden: User ${JSON.stringify(subject)} cannot ${verb} resource ${JSON.stringify(what)} ` +
    `in API group ${JSON.stringify(group)} ${where}`;
}
