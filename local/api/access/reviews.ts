/** Access reviews, answered by the rules in caller.ts. */

import type { KubeObject } from "@tiphys/kube";
import { type Caller, mayDo } from "./caller.ts";
import type { ServedResources } from "../served_resource.ts";
import { pathNotFound } from "../status_error.ts";
import { asObject } from "../body.ts";

/** A kind of review, as in discovery. */
interface Review {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced?: boolean;
  readonly status: (caller: Caller, review: KubeObject, resources: ServedResources) => unknown;
}

const allowed = () => ({ allowed: true });

/** Reports whether the caller may perform the action in the review. */
function reviewOwnAccess(caller: Caller, { spec }: KubeObject, resources: ServedResources): unknown {
  const { resourceAttributes } = (spec ?? {}) as { resourceAttributes?: Record<string, string> };
  if (!resourceAttributes) return { allowed: true };
  const { verb = "", group = "", resource: plural = "", subresource, namespace, name } = resourceAttributes;
  const served = resources.all().find((servedResource) =>
    servedResource.group === group && servedResource.plural === plural
  );
  const act = { verb, group, plural, subresource: subresource || undefined, namespace: namespace || undefined, name };
  return { allowed: mayDo(caller, act, served?.namespaced ?? true) };
}
const everything = ["*"];

const REVIEWS: readonly Review[] = [
  {
    group: "authentication.k8s.io",
    plural: "selfsubjectreviews",
    kind: "SelfSubjectReview",
    status: ({ user }) => ({ userInfo: { username: user, groups: groupsOf(user) } }),
  },
  {
    group: "authentication.k8s.io",
    plural: "tokenreviews",
    kind: "TokenReview",
    status: () => ({ authenticated: false }),
  },
  {
    group: "authorization.k8s.io",
    plural: "selfsubjectaccessreviews",
    kind: "SelfSubjectAccessReview",
    status: reviewOwnAccess,
  },
  {
    group: "authorization.k8s.io",
    plural: "selfsubjectrulesreviews",
    kind: "SelfSubjectRulesReview",
    status: () => ({
      resourceRules: [{ verbs: everything, apiGroups: everything, resources: everything }],
      nonResourceRules: [{ verbs: everything, nonResourceURLs: everything }],
      incomplete: false,
    }),
  },
  { group: "authorization.k8s.io", plural: "subjectaccessreviews", kind: "SubjectAccessReview", status: allowed },
  {
    group: "authorization.k8s.io",
    plural: "localsubjectaccessreviews",
    kind: "LocalSubjectAccessReview",
    namespaced: true,
    status: allowed,
  },
];

/** Token reviews, which are asynchronous: token_review.ts. */
export const TOKEN_REVIEWS = "tokenreviews";

/** The groups with reviews. All have the version v1. */
export const REVIEW_GROUPS: readonly string[] = [...new Set(REVIEWS.map(({ group }) => group))];

/** The reviews of a group, for discovery. */
export function reviewResources(group: string) {
  return REVIEWS.filter((review) => review.group === group).map(({ plural, kind, namespaced = false }) => ({
    name: plural,
    singularName: kind.toLowerCase(),
    namespaced,
    kind,
    verbs: ["create"],
  }));
}

export function isReview(group: string, plural: string): boolean {
  return REVIEWS.some((review) => review.group === group && review.plural === plural);
}

/**
 * Returns the review with its status.
 * @throws {StatusError} 404 for an unknown review.
 */
export function answerReview(plural: string, body: unknown, caller: Caller, resources: ServedResources): KubeObject {
  const review = REVIEWS.find((review) => review.plural === plural);
  if (!review) throw pathNotFound();
  const asked = asObject(body);
  const status = review.status(caller, asked, resources);
  return { ...asked, apiVersion: `${review.group}/v1`, kind: review.kind, status };
}

/** The groups of a user. */
export function groupsOf(user: string): string[] {
  const [, , namespace] = /^(system:serviceaccount):([^:]+):/.exec(user) ?? [];
  const own = namespace === undefined
    ? ["system:masters"]
    : ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  return [...own, "system:authenticated"];
}
