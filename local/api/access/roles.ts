/**
 * Role-based access control as in Kubernetes. An embedded cluster has one administrator and ignores roles. A server
 * that is started with roles gives service accounts only the rights of their bindings.
 */
import type { KubeObject } from "@tiphys/kube";
import type { ApiContext } from "../context.ts";
import { collectionName } from "../store.ts";
import type { Act } from "./caller.ts";

interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Subject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

interface Binding extends KubeObject {
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
  readonly subjects?: readonly Subject[];
}

const GROUP = "rbac.authorization.k8s.io";

/**
 * Reports whether a binding of the cluster, or of the action's namespace, allows an action to a user in these groups.
 */
export function rolesAllow(context: ApiContext, user: string, groups: readonly string[], act: Act): boolean {
  const appliesTo = (binding: Binding) =>
    (binding.subjects ?? []).some((subject) => isSubject(subject, binding, user, groups));
  const everywhere = listBindings(context, "clusterrolebindings").filter(appliesTo);
  const here = act.namespace ? listBindings(context, "rolebindings", act.namespace).filter(appliesTo) : [];
  return [...everywhere, ...here].some((binding) => rulesOf(context, binding).some((rule) => ruleCovers(rule, act)));
}

function listBindings(context: ApiContext, plural: string, namespace?: string): Binding[] {
  return context.store.list(collectionName({ group: GROUP, plural }), namespace).map(({ object }) => object as Binding);
}

function isSubject(subject: Subject, binding: Binding, user: string, groups: readonly string[]): boolean {
  const { kind, name = "", namespace = binding.metadata.namespace } = subject;
  if (kind === "User") return name === user;
  if (kind === "Group") return groups.includes(name);
  return kind === "ServiceAccount" && user === `system:serviceaccount:${namespace}:${name}`;
}

/** The rules of a binding's role. A ClusterRole may be bound in a namespace, but a Role only in its own. */
function rulesOf(context: ApiContext, { roleRef, metadata }: Binding): readonly PolicyRule[] {
  const isOfCluster = roleRef?.kind === "ClusterRole";
  if (!isOfCluster && !metadata.namespace) return [];
  const key = isOfCluster ? roleRef.name ?? "" : `${metadata.namespace}/${roleRef?.name}`;
  const role = context.store.get(collectionName({ group: GROUP, plural: isOfCluster ? "clusterroles" : "roles" }), key);
  return (role?.object as { rules?: readonly PolicyRule[] } | undefined)?.rules ?? [];
}

function ruleCovers({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }: PolicyRule, act: Act): boolean {
  const has = (list: readonly string[], word: string) => list.includes("*") || list.includes(word);
  const what = act.subresource === undefined
    ? [act.plural]
    : [`${act.plural}/${act.subresource}`, `*/${act.subresource}`];
  if (!has(verbs, act.verb) || !has(apiGroups, act.group)) return false;
  if (!resources.includes("*") && !what.some((resource) => resources.includes(resource))) return false;
  return resourceNames.length === 0 || act.name !== undefined && resourceNames.includes(act.name);
}
