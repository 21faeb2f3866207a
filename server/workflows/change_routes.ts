/** The routes that change an existing workflow: a table of required rights and actions. */
import type { Workflow } from "@tiphys/model/api";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { type ParameterValues, unknownParametersOfStarted } from "@tiphys/engine/workflow_actions";
import { type Right, right } from "../gate/rights.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { boolField, textField, textsField } from "./body_fields.ts";
import { actionsOf } from "./change.ts";
import { answerWorkflow, rightsOnOne } from "./one_workflow.ts";
import { readParameters } from "./submit.ts";
import { withWarnings } from "./warnings.ts";

interface Change {
  /** Whether the action also works on a workflow that is only in the archive. */
  readonly acceptsArchived?: boolean;
  /** Whether the action needs the nodes. Other actions also work if the nodes cannot be loaded. Default: true. */
  readonly needsNodes?: (call: Call) => boolean;
  readonly rights: (call: Call) => readonly Right[];
  readonly act: (actor: ReturnType<typeof actionsOf>, call: Call) => Promise<Workflow>;
  /** Whether the body may contain new values of parameters. */
  readonly takesParameters?: boolean;
}

/** The changes by the last segment of their path. */
const CHANGES: Readonly<Record<string, Change>> = {
  suspend: { rights: rightsOnOne("get", "update"), needsNodes: () => false, act: (actor) => actor.suspend() },
  resume: {
    rights: rightsOnOne("get", "update"),
    act: (actor, { body }) => actor.resume(textField(body, "nodeFieldSelector")),
  },
  set: { rights: rightsOnOne("get", "update"), act: (actor, { body }) => actor.set(body) },
  stop: {
    rights: (call) => rightsOnOne("get", needsNodesOf(call) ? "update" : "patch")(call),
    needsNodes: needsNodesOf,
    act: (actor, { body }) => actor.stop(body),
  },
  terminate: { rights: rightsOnOne("get", "patch"), needsNodes: () => false, act: (actor) => actor.terminate() },
  retry: {
    acceptsArchived: true,
    takesParameters: true,
    rights: (call) => [...rightsOnOne("get", "update")(call), right("delete", PODS, call.params.namespace)],
    act: (actor, { body }) =>
      actor.retry({
        restartSuccessful: boolField(body, "restartSuccessful"),
        nodeFieldSelector: textField(body, "nodeFieldSelector"),
        parameters: parametersInBody({ body }),
        resourceVersion: textField(body, "resourceVersion"),
      }),
  },
  resubmit: {
    acceptsArchived: true,
    takesParameters: true,
    rights: (call) => [...rightsOnOne("get")(call), right("create", WORKFLOWS, call.params.namespace)],
    act: (actor, { body }) =>
      actor.resubmit({
        memoized: boolField(body, "memoized"),
        parameters: parametersInBody({ body }),
      }),
  },
};

function parametersInBody({ body }: Pick<Call, "body">): ParameterValues {
  return readParameters(textsField(body, "parameters"));
}

function needsNodesOf({ body }: Call): boolean {
  return Boolean(textField(body, "nodeFieldSelector"));
}

/** Functions that read the workflow of the path with the caller's credentials. */
export interface WorkflowReaders {
  readonly live: (call: Call) => Promise<Workflow>;
  /** Does not load offloaded nodes. For an unreadable workflow, returns a placeholder row with the reason. */
  readonly row: (call: Call) => Promise<Workflow>;
  /** Falls back to the archive. */
  readonly liveOrArchived: (call: Call) => Promise<Workflow>;
}

/** Returns the routes of all changes. */
export function changeRoutes({ live, row, liveOrArchived }: WorkflowReaders): Route[] {
  return Object.entries(CHANGES).map(([
    word,
    { rights, act, acceptsArchived, takesParameters, needsNodes = () => true },
  ]) =>
    route({
      id: `WorkflowService_${word[0]!.toUpperCase()}${word.slice(1)}Workflow`,
      method: "PUT",
      path: `/api/v1/workflows/{namespace}/{name}/${word}`,
      hasBody: true,
      rights,
      answer: async (call) => {
        const found = await (acceptsArchived ? liveOrArchived : needsNodes(call) ? live : row)(call);
        const answer = await answerWorkflow(call, await act(actionsOf(call, found), call));
        return takesParameters
          ? withWarnings(answer, unknownParametersOfStarted(found, parametersInBody(call).keys()))
          : answer;
      },
    })
  );
}
