/** The rights to the workflow of a route's path, and the response that contains it. */
import type { Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { LATEST } from "@tiphys/service";
import { queueKeyOf } from "../gate/caller.ts";
import { right } from "../gate/rights.ts";
import type { Call } from "../routes/route.ts";
import { maskedWorkflow, presentInStages } from "../wire/present.ts";

/** Returns the right to each verb on the workflow of the path. */
export function rightsOnOne(...verbs: readonly string[]) {
  return ({ params: { namespace = "", name = "" } }: Pick<Call, "params">) =>
    verbs.map((verb) => right(verb, WORKFLOWS, namespace, name === LATEST ? undefined : name));
}

/** The response with a workflow, reduced to the fields that the client requested. */
export async function answerWorkflow({ mask, caller }: Pick<Call, "mask" | "caller">, workflow: Workflow) {
  return { json: maskedWorkflow(mask, await presentInStages(workflow, queueKeyOf(caller))) };
}
