/** One workflow as the path of a route names it: the rights to it, and the answer that shows it. */
import type { Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { LATEST } from "@tiphys/service";
import { right } from "../gate/rights.ts";
import type { Call } from "../routes/route.ts";
import { maskedWorkflow, presentWorkflow } from "../wire/present.ts";

/** The right to do something to the workflow of the path. */
export function toOne(...verbs: readonly string[]) {
  return ({ params: { namespace = "", name = "" } }: Pick<Call, "params">) =>
    verbs.map((verb) => right(verb, WORKFLOWS, namespace, name === LATEST ? undefined : name));
}

/** A workflow as callers are shown it, with the fields that they asked for. */
export function answerWorkflow({ mask }: Pick<Call, "mask">, workflow: Workflow) {
  return { json: maskedWorkflow(mask, presentWorkflow(workflow)) };
}
