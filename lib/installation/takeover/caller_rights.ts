/** The permissions of the caller that a takeover requires. */
import * as z from "zod";
import { GROUP } from "@tiphys/base/constants";
import type { KubeClient } from "@tiphys/kube";
import { rightToAdd } from "../right_to_add.ts";

const Review = z.object({ status: z.object({ allowed: z.boolean().optional() }).optional() });
const PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/**
 * Lists the permissions that the caller lacks, each with its namespace and the rule to add: to change the Deployments in
 * `home`, and to run canaries in `namespaces`.
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
  for (const resourceAttributes of needed) {
    const { namespace, verb, group, resource } = resourceAttributes;
    const body = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes },
    };
    const review = Review.parse(await client.request("POST", PATH, { body }));
    if (review.status?.allowed !== true) missing.push(`namespace ${namespace}: ${rightToAdd(verb, group, resource)}`);
  }
  return missing;
}
