/**
 * `argoexec resource ACTION`: the main container of a resource template. Performs the action on the cluster, waits for
 * the template's conditions, and reports its outputs.
 */
import { ENV } from "@tiphys/base/constants";
import { durationSeconds, parseArgoDuration } from "@tiphys/base/go/duration";
import { ExecutorError } from "../failure.ts";
import { terminationSignal } from "../pod/end_of_pod.ts";
import { runTemplateWork } from "../own_work.ts";
import { connectPod } from "../pod/pod_client.ts";
import type { ReportedOutputs } from "../after_main/report.ts";
import { retryTransient } from "../pod/retry_transient.ts";
import type { PodTemplate } from "../pod/template.ts";
import type { World } from "../world.ts";
import { Discovery } from "./discovery.ts";
import { type Action, isAction, parseFlags } from "./flags.ts";
import { kubectlMessage } from "./kubectl_message.ts";
import { readManifest } from "./manifest.ts";
import { outputParameters } from "./output_parameters.ts";
import { performAction } from "./perform.ts";
import type { ActionContext } from "./targets.ts";
import { waitForConditions } from "./until_conditions.ts";
import { watchVersions } from "./versions_of.ts";

/** Runs the command until it is done or `ending` is aborted. Resolves to its exit code. */
export async function resource(
  world: World,
  args: readonly string[],
  ending: AbortSignal = terminationSignal(),
): Promise<number> {
  return await runTemplateWork(world, ending, async (template, signal) => {
    const [action] = args;
    if (!isAction(action)) {
      throw new ExecutorError(`Expected get, create, apply, delete, replace or patch, got "${action}"`);
    }
    return await performAndWait(world, action, template, signal);
  });
}

async function performAndWait(
  world: World,
  action: Action,
  template: PodTemplate,
  signal: AbortSignal,
): Promise<ReportedOutputs | undefined> {
  if (!template.resource) throw new ExecutorError("Expected a resource template");
  const { successCondition = "", failureCondition = "", mergeStrategy, flags = [] } = template.resource;
  const parameters = template.outputs?.parameters ?? [];
  if (action === "delete" && (successCondition || failureCondition || parameters.length > 0)) {
    throw new ExecutorError("successCondition, failureCondition and outputs are not supported for delete action");
  }
  const { client, namespace } = await connectPod(world);
  const place: ActionContext = {
    client,
    namespace,
    discovery: new Discovery(client),
    flags: parseFlags(action, flags),
  };
  const manifest = readManifest(world, template);
  const request = { action, manifest, mergeStrategy: mergeStrategy || "strategic", signal };
  const result = await retryRequest(world, signal, () => performAction(place, request));
  if (!result) {
    return parameters.length ? { parameters: await outputParameters(parameters, undefined) } : undefined;
  }
  const { target } = result;
  world.log(`${action}: ${target.resource.kind} ${[target.namespace, target.name].filter(Boolean).join("/")}`);
  const versions = watchVersions(client, target, { signal, interval: pollMillis(world), log: world.log });
  await waitForConditions(versions, { success: successCondition, failure: failureCondition }, world.log);
  if (parameters.length === 0) return undefined;
  const object = await retryRequest(world, signal, () => client.get(target.resource, target.namespace, target.name));
  return { parameters: await outputParameters(parameters, object) };
}

/** Sends a request, and retries it after transient errors. */
async function retryRequest<T>(world: World, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  try {
    return await retryTransient(world, act, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new ExecutorError(`no more retries ${kubectlMessage(error)}`, { cause: error });
  }
}

/** The polling interval for an object that cannot be watched, in milliseconds; undefined for the default. */
function pollMillis(world: World): number | undefined {
  const text = world.env(ENV.resourceStateCheckInterval);
  return text ? durationSeconds(parseArgoDuration(text)) * 1000 : undefined;
}
