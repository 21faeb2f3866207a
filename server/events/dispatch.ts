/** Dispatch of events to the bindings of their namespace, each of which may create a workflow. */
import { parseKind, type WorkflowEventBinding } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import {
  classifyError,
  CLUSTER_WORKFLOW_TEMPLATES,
  type KubeObject,
  WORKFLOW_EVENT_BINDINGS,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";
import { EvaluationMeter, withMeter } from "@tiphys/language/template";
import { UserError } from "@tiphys/base/user_error";
import { nameSuffix } from "@tiphys/service";
import { withCreator } from "../gate/creator.ts";
import { right } from "../gate/rights.ts";
import type { Call } from "../routes/route.ts";
import { isOfInstance, placeInInstance } from "@tiphys/service/instance";
import { withInstance } from "../workflows/query.ts";
import { type Event, matchesEvent, type SourceTemplate, workflowOfEvent } from "./binding.ts";
import { withPrefixAsync } from "./error_prefix.ts";
import { recordWarning } from "./warning.ts";

/** The caller and the server of an event. */
export type EventCall = Pick<Call, "caller" | "served" | "gate">;

const ATTEMPTS = 5;
const FIRST_PAUSE_MILLIS = 100;
/** The time limits for expressions of one event, in milliseconds: of all bindings together, and of each. */
const ALL_MILLIS = 2000;
const SINGLE_MILLIS = 500;
const PAGE = 500;

/**
 * Dispatches an event to all bindings. A failure is recorded as a Kubernetes event on the binding and does not affect
 * the other bindings.
 * @returns the failures, one message each.
 */
export async function dispatch(call: EventCall, event: Event): Promise<readonly string[]> {
  const meter = new EvaluationMeter({ now: () => performance.now(), all: ALL_MILLIS, single: SINGLE_MILLIS });
  const failures: string[] = [];
  for (const binding of await bindingsOf(call, event.namespace)) {
    try {
      await dispatchToBinding(call, binding, event, meter);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      failures.push(message);
      const { name } = binding.metadata;
      call.served.log.warn("Failed to dispatch an event", {
        namespace: event.namespace,
        binding: name,
        error: message,
      });
      await recordWarning(call.served, binding, `failed to dispatch event: ${message}`);
    }
  }
  return failures;
}

async function bindingsOf({ caller, served }: EventCall, namespace: string): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  let next: string | undefined;
  do {
    const { items, metadata } = await caller.client.list<KubeObject>(WORKFLOW_EVENT_BINDINGS, namespace, {
      labelSelector: withInstance("", served.instanceId),
      limit: PAGE,
      continue: next,
    });
    found.push(...items);
    next = metadata.continue || undefined;
  } while (next);
  return found;
}

async function dispatchToBinding(
  call: EventCall,
  object: KubeObject,
  event: Event,
  meter: EvaluationMeter,
): Promise<void> {
  const { caller, served } = call;
  const parsed = parseKind("WorkflowEventBinding", object, "lenient");
  if (!parsed.ok) throw new UserError(`invalid binding: ${parsed.errors[0]?.message}`);
  const binding: WorkflowEventBinding = parsed.value;
  if (!withMeter(meter, () => matchesEvent(binding, event))) return;
  const { submit } = binding.spec;
  if (!submit) return;
  const template = await withPrefixAsync(
    "failed to get workflow template",
    () => withRetries(() => templateOf(call, event.namespace, submit.workflowTemplateRef)),
  );
  if (!isOfInstance(template, served.instanceId)) {
    const { name } = template.metadata;
    throw new UserError(
      `failed to validate workflow template instanceid: '${name}' is not managed by the current Argo Server`,
    );
  }
  const suffix = nameSuffix();
  const made = withMeter(meter, () => workflowOfEvent(binding, submit, template, event, () => suffix));
  const labels = withCreator(made.metadata.labels, caller.claims);
  const workflow = placeInInstance({ ...made, metadata: { ...made.metadata, labels } }, served.instanceId);
  let isRetry = false;
  const create = async () => {
    try {
      await caller.client.create(WORKFLOWS, event.namespace, workflow);
    } catch (error) {
      // The name contains a random suffix, so an existing workflow is ours: the response to the first request was lost.
      const isOurs = isRetry && classifyError(error) === "alreadyExists" && workflow.metadata.name?.endsWith(suffix);
      isRetry = true;
      if (!isOurs) throw error;
    }
  };
  await withPrefixAsync("failed to create workflow", () => withRetries(create));
}

/** Reads the template with the caller's permissions. */
async function templateOf(
  { caller, gate }: EventCall,
  namespace: string,
  { name = "", clusterScope }: { readonly name?: string | undefined; readonly clusterScope?: boolean | undefined },
): Promise<SourceTemplate & KubeObject> {
  const resource = clusterScope ? CLUSTER_WORKFLOW_TEMPLATES : WORKFLOW_TEMPLATES;
  await gate.check(caller, [right("get", resource, namespace, name)]);
  const object = await caller.client.get<KubeObject>(resource, clusterScope ? undefined : namespace, name);
  const parsed = parseKind(
    resource === WORKFLOW_TEMPLATES ? "WorkflowTemplate" : "ClusterWorkflowTemplate",
    object,
    "lenient",
  );
  if (!parsed.ok) throw new UserError(`invalid template ${name}: ${parsed.errors[0]?.message}`);
  return { ...object, spec: parsed.value.spec };
}

/** Calls `act`, and retries it after transient errors. */
async function withRetries<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (attempt === ATTEMPTS || classifyError(error) !== "transient") throw error;
      await pause(systemClock, FIRST_PAUSE_MILLIS * 2 ** attempt);
    }
  }
}
