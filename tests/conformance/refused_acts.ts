/** Requests that the installed roles refused to the controller in a run: such a run fails even if every case passed. */
import { rightsToAdd } from "../../scripts/argo_roles.ts";
import { CONTROLLER_ACCOUNT } from "../foreign/argo_install.ts";
import type { Kubectl } from "../install/mod.ts";
import type { CaseResult } from "./known_failures.ts";

const CONTROLLER = "workflow-controller";

/** The name of the result for missing permissions. */
const ID = "install/roles";

/**
 * The requests that were refused to an account, each once, as `VERB RESOURCE`: read from text with Kubernetes'
 * messages, quoted or not.
 */
export function refusedActs(text: string, account: string): string[] {
  const quote = String.raw`\\*"`;
  const refusal = new RegExp(
    `User ${quote}${RegExp.escape(account)}${quote} cannot (\\w+) resource ${quote}([\\w./-]+?)${quote}`,
    "g",
  );
  return [...new Set([...text.matchAll(refusal)].map(([, verb, resource]) => `${verb} ${resource}`))].sort();
}

/**
 * Reads the log of the installed controller and the events of its namespace. Returns a failed result with the
 * permissions that its role lacks. With Argo's role (`isForeign`), permissions that it is known to lack are ignored.
 */
export async function judgeRoles(kubectl: Kubectl, namespace: string, isForeign: boolean): Promise<CaseResult[]> {
  const log = await kubectl.output("-n", namespace, "logs", `deployment/${CONTROLLER}`, "--tail=-1");
  const events = await kubectl.output("-n", namespace, "get", "events", "-o", "json");
  const account = isForeign ? CONTROLLER_ACCOUNT : CONTROLLER;
  const known = isForeign ? rightsToAdd().map(({ right }) => right) : [];
  const refused = refusedActs(log + events, `system:serviceaccount:${namespace}:${account}`)
    .filter((right) => !known.includes(right));
  if (refused.length === 0) return [];
  return [{ id: ID, result: "fail", why: `the installed roles do not let the controller ${refused.join(", ")}` }];
}
