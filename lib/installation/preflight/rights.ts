/** The permissions of the controller's account, compared with the needed ones. */
import * as z from "zod";
import { classifyError, type KubeClient } from "@tiphys/kube";
import { type Finding, notChecked } from "./finding.ts";
import { CLUSTER_RULES, CONTROLLER_RULES, ELECTION_RULES, optionalRight, type Rule, rule } from "./needed_rights.ts";

const Review = z.object({ status: z.object({ allowed: z.boolean().optional() }).optional() });
const PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

/** A permission and the namespace in which it is needed; all namespaces if absent. */
interface NeededRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** The account of a controller. */
export interface ControllerAccount {
  readonly namespace: string;
  readonly account: string;
  /** The name of its lease; undefined without leader election. */
  readonly lease: string | undefined;
}

/** Reports every permission that the account lacks once, or one finding that it has all of them. */
export async function checkRights(
  client: KubeClient,
  { namespace, account, lease }: ControllerAccount,
  managed: string | undefined,
): Promise<Finding[]> {
  const user = `system:serviceaccount:${namespace}:${account}`;
  const needed = [
    ...neededOf(CONTROLLER_RULES, managed),
    ...(managed === undefined ? neededOf(CLUSTER_RULES, undefined) : []),
    ...(lease === undefined ? [] : neededOf(ELECTION_RULES, namespace, lease)),
  ];
  const findings: Finding[] = [];
  for (const right of needed) {
    try {
      if (!await mayDo(client, user, namespace, right)) findings.push(missingRightFinding(user, right));
    } catch (error) {
      if (classifyError(error) !== "forbidden") throw error;
      return [notChecked("rights", user, "create", "authorization.k8s.io", "subjectaccessreviews")];
    }
  }
  if (findings.length > 0) return findings;
  return [{ check: "rights", severity: "ok", subject: user, message: `has all ${needed.length} permissions` }];
}

function neededOf(rules: readonly Rule[], namespace: string | undefined, name?: string): NeededRight[] {
  return rules.flatMap(({ apiGroups: [group = ""], resources: [full = ""], verbs }) => {
    const [resource = "", subresource] = full.split("/");
    // A permission to create cannot be limited to names.
    return verbs.map((verb) => ({
      verb,
      group,
      resource,
      subresource,
      namespace,
      name: verb === "create" ? undefined : name,
    }));
  });
}

async function mayDo(client: KubeClient, user: string, namespace: string, right: NeededRight): Promise<boolean> {
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: { user, groups, resourceAttributes: right },
  };
  return Review.parse(await client.request("POST", PATH, { body })).status?.allowed === true;
}

function missingRightFinding(user: string, { verb, group, resource, subresource, name }: NeededRight): Finding {
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const loss = optionalRight(verb, full)?.loss;
  const added = JSON.stringify(rule(group, [full], [verb], name === undefined ? undefined : [name]));
  return {
    check: "rights",
    severity: loss === undefined ? "problem" : "warning",
    subject: `${verb} ${full}`,
    message: `${user} lacks it: ${
      loss ?? "the controller does not work without it"
    }; rule to add to its role: ${added}`,
  };
}
