/** The routes that change a workflow which is there: each is a row of rights and of what is done. */
import type { Workflow } from "../../lib/api/mod.ts";
import { PODS, WORKFLOWS } from "../../lib/kube/mod.ts";
import { type Right, right } from "../gate/rights.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { boolField, textField, textsField } from "./body_fields.ts";
import { actAs } from "./change.ts";
import { answerWorkflow, toOne } from "./one_workflow.ts";
import { readParameters } from "./submit.ts";

interface Change {
  /** Whether the workflow may lie in the archive alone. */
  readonly ofArchived?: boolean;
  readonly rights: (call: Call) => readonly Right[];
  readonly act: (actor: ReturnType<typeof actAs>, call: Call) => Promise<Workflow>;
}

/** The changes by the last part of their path. */
const CHANGES: Readonly<Record<string, Change>> = {
  suspend: { rights: toOne("get", "update"), act: (actor) => actor.suspend() },
  resume: {
    rights: toOne("get", "update"),
    act: (actor, { body }) => actor.resume(textField(body, "nodeFieldSelector")),
  },
  set: { rights: toOne("get", "update"), act: (actor, { body }) => actor.set(body) },
  stop: {
    rights: (call) => toOne("get", textField(call.body, "nodeFieldSelector") ? "update" : "patch")(call),
    act: (actor, { body }) => actor.stop(body),
  },
  terminate: { rights: toOne("get", "patch"), act: (actor) => actor.terminate() },
  retry: {
    ofArchived: true,
    rights: (call) => [...toOne("get", "update")(call), right("delete", PODS, call.params.namespace)],
    act: (actor, { body }) =>
      actor.retry({
        restartSuccessful: boolField(body, "restartSuccessful"),
        nodeFieldSelector: textField(body, "nodeFieldSelector"),
        parameters: readParameters(textsField(body, "parameters")),
        resourceVersion: textField(body, "resourceVersion"),
      }),
  },
  resubmit: {
    ofArchived: true,
    rights: (call) => [...toOne("get")(call), right("create", WORKFLOWS, call.params.namespace)],
    act: (actor, { body }) =>
      actor.resubmit({
        memoized: boolField(body, "memoized"),
        parameters: readParameters(textsField(body, "parameters")),
      }),
  },
};

/**
 * The routes of the changes.
 * @param getOne Reads the workflow of the path as the caller sees it.
 * @param getEither Reads it also from the archive.
 */
export function changeRoutes(
  getOne: (call: Call) => Promise<Workflow>,
  getEither: (call: Call) => Promise<Workflow>,
): Route[] {
  return Object.entries(CHANGES).map(([word, { rights, act, ofArchived }]) =>
    route({
      id: `WorkflowService_${word[0]!.toUpperCase()}${word.slice(1)}Workflow`,
      method: "PUT",
      path: `/api/v1/workflows/{namespace}/{name}/${word}`,
      hasBody: true,
      rights,
      answer: async (call) =>
        answerWorkflow(call, await act(actAs(call, await (ofArchived ? getEither : getOne)(call)), call)),
    })
  );
}
