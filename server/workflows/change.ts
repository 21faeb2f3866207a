/** The actions of a caller on a workflow. */
import { LIMITS } from "@tiphys/base/limits";
import { jsonBody } from "@tiphys/language/text_worker";
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { withNodesIfReadable } from "@tiphys/model/nodes";
import { isCompletedPhase } from "@tiphys/model/status";
import { ActionError, formulateResubmit, withActor } from "@tiphys/engine/workflow_actions";
import {
  changeWorkflow,
  ClusterService,
  nameSuffix,
  type ResubmitRequest,
  retryArchived,
  type RetryRequest,
} from "@tiphys/service";
import { storedWorkflows } from "@tiphys/service/stored";
import { queueKeyOf } from "../gate/caller.ts";
import type { Call } from "../routes/route.ts";
import type { JsonObject } from "../wire/body.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { withCreator } from "../gate/creator.ts";
import { objectField, textField } from "./body_fields.ts";
import { offloadedNodes } from "./offloaded.ts";
import { checkRestriction } from "./restriction.ts";

type CallerAndServer = Pick<Call, "caller" | "served">;

/** Returns the service with the caller's credentials. Changes record the caller in labels of the workflow. */
export function serviceOf({ caller, served }: CallerAndServer): ClusterService {
  return new ClusterService(caller.client, served.now, {
    caller: { actor: caller.claims },
    offloaded: offloadedNodes(served),
  });
}

/** The actions of a caller on an existing workflow. Each returns the workflow after the action. */
export function actionsOf(call: CallerAndServer, workflow: Workflow) {
  const { caller: { client, claims }, served } = call;
  const { namespace = "", name = "" } = workflow.metadata;
  const service = serviceOf(call);

  /**
   * Waits for a stop or terminate request, then returns the workflow. If it is unreadable, returns its placeholder row.
   */
  async function afterShutdown(request: Promise<void>): Promise<Workflow> {
    try {
      await request;
    } catch (error) {
      // The workflow has already finished. Argo's server returns a different code for this than for an invalid request.
      if (error instanceof ActionError) throw new WireError(CODE.failedPrecondition, error.message, { cause: error });
      throw error;
    }
    return await currentRow();
  }

  const currentRow = async () =>
    await withNodesIfReadable(await storedWorkflows(client).getRow(namespace, name), offloadedNodes(served));

  return {
    async suspend(): Promise<Workflow> {
      const suspended = (workflow: Workflow) => {
        if (isCompletedPhase(workflow.status?.phase)) throw badRequest("cannot suspend completed workflows");
        if (workflow.spec.suspend) return workflow;
        return withActor({ ...workflow, spec: { ...workflow.spec, suspend: true } }, "Suspend", claims);
      };
      const cluster = { client, offloaded: offloadedNodes(served) };
      return await changeWorkflow(cluster, namespace, name, suspended, { needsNodes: false });
    },

    async resume(nodeFieldSelector: string | undefined): Promise<Workflow> {
      return await service.resume(namespace, name, { nodeFieldSelector });
    },

    async set(body: JsonObject): Promise<Workflow> {
      const nodeFieldSelector = textField(body, "nodeFieldSelector");
      if (!nodeFieldSelector) {
        throw badRequest("'set' currently only targets suspend nodes, use a node field selector to target them");
      }
      const phase = textField(body, "phase") || undefined;
      if (phase !== undefined && !isCompletedPhase(phase)) throw badRequest(`${phase} is an invalid phase to set to`);
      return await service.set(namespace, name, {
        nodeFieldSelector,
        phase,
        message: textField(body, "message"),
        outputs: await readOutputs(call, textField(body, "outputParameters")),
      });
    },

    async stop(body: JsonObject): Promise<Workflow> {
      const nodeFieldSelector = textField(body, "nodeFieldSelector");
      if (!nodeFieldSelector) return await afterShutdown(service.stop(namespace, name));
      await service.stop(namespace, name, { nodeFieldSelector, message: textField(body, "message") });
      return await currentRow();
    },

    async terminate(): Promise<Workflow> {
      return await afterShutdown(service.terminate(namespace, name));
    },

    async retry(options: RetryRequest): Promise<Workflow> {
      if (workflow.metadata.labels?.[LABEL.archivingStatus] !== "Persisted") {
        return await service.retry(namespace, name, options);
      }
      return await retryArchived(client, workflow, options, {
        now: served.now(),
        actor: claims,
        compression: served.compression,
      });
    },

    async resubmit({ memoized, parameters }: ResubmitRequest): Promise<Workflow> {
      const how = { parameters, memoized: memoized ? { suffix: nameSuffix() } : undefined };
      const made = formulateResubmit(workflow, how, served.now());
      checkRestriction(served, made);
      const labels = withCreator(made.metadata.labels, claims);
      return await storedWorkflows(client).create(namespace, { ...made, metadata: { ...made.metadata, labels } });
    },
  };
}

/** @throws {WireError} if the text is not a JSON object whose values are strings. */
async function readOutputs(
  { served, caller }: CallerAndServer,
  text: string | undefined,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (!text) return undefined;
  const options = { key: queueKeyOf(caller), runHere: jsonBody, characters: text.length };
  const read = await served.texts.run("jsonBody", { text, depth: LIMITS.depth }, options);
  if ("error" in read) throw badRequest(`outputParameters: ${read.error}`);
  const values = objectField({ outputParameters: read.value }, "outputParameters");
  return new Map(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== "string") throw badRequest(`outputParameters.${name}: expected a string`);
      return [name, value];
    }),
  );
}
