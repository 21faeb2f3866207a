/** The permissions of the caller that a takeover requires. */
import * as z from "zod";
import { GROUP } from "@tiphys/base/constants";
import type { KubeClient } from "@tiphys/kube";
import { rightToAdd } from "../right_to_add.ts";

const Review = z.object({ status: z.object({ allowed: z.boolean().optional() }).optional() });
const PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/**
 * Lists the permissions that the caller lacks, each with its namespace and the rule to add: to change the Deployments
 * in `home`, and to run canaries in `namespaces`.
 */
export async function missingCallerRights(
  client: KubeClient,
  home: string,
  namespaces: readonly string[],
): Promise<string[]> {
  const needed = [
    ...["get", "patch"].map((verb) => ({ namespace: home, verb, group: "apps", resource: "deployments" })),
    ...[...new Set(namespaces)].flatMap((namespace) =>
      ["create", "get"].map((verb) => ({ namespace, verb, group: GROUP, resource: "workflows" }))
    ),
  ];
  const missing: string[] = [];
  for (const right of needed) {
    const { namespace, verb, group, resource } = right;
    if (!await callerHas(client, right)) missing.push(`namespace ${namespace}: ${rightToAdd(verb, group, resource)}`);
  }
  return missing;
}

/** A permission in a namespace. */
export interface NamespacedRight {
  readonly namespace: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
}

/** Whether the caller has a permission. */
export async function callerHas(client: KubeClient, resourceAttributes: NamespacedRight): Promise<boolean> {
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes },
  };
  return Review.parse(await client.request("POST", PATH, { body })).status?.allowed === true;
}
