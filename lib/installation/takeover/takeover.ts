/** Applies the plan of a takeover, and rolls an installation back. */
import * as z from "zod";
import { type Clock, pause } from "@tiphys/base/clock";
import { classifyError, DEPLOYMENTS, type KubeClient } from "@tiphys/kube";
import { setupOf } from "../controller_setup.ts";
import {
  BEFORE_TAKEOVER,
  type InstalledProgram,
  installedPrograms,
  namespacesWithPrograms,
  recordText,
} from "../deployments.ts";
import { callerHas, missingCallerRights } from "./caller_rights.ts";
import {
  canariesOf,
  type CanaryChoices,
  canaryEnd,
  type CanaryOptions,
  canaryTrouble,
  isRejectedForTemplate,
  mayReport,
  rehearseCanaryPod,
  submitCanary,
} from "./canary.ts";
import { type PodsInFlight, podsInFlight } from "./in_flight.ts";
import type { Replacement } from "./plan.ts";
import { podTrouble } from "./pod_trouble.ts";

/** The environment of a takeover. */
export interface TakeoverEnvironment {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Receives each step as a line. */
  readonly report: (line: string) => void;
  /** Ends the waits. A takeover that it interrupts is rolled back. */
  readonly signal?: AbortSignal;
}

/** Options of a takeover. */
export interface TakeoverOptions {
  /** The namespace of the Deployments. */
  readonly namespace: string;
  /** One workflow for each controller. */
  readonly canaries: readonly CanaryOptions[];
  /** The timeout of each rollout and each canary, in milliseconds. */
  readonly timeoutMillis: number;
}

const POLL_MILLIS = 1000;

/**
 * The reason why a takeover failed, and the problems of the rollback. Without problems, the installation is in its
 * earlier state.
 */
export interface TakeoverFailure {
  readonly reason: string;
  readonly rollbackProblems: readonly string[];
}

/**
 * Replaces the programs one after the other, waits for each rollout, and runs the canaries. Returns undefined on
 * success; otherwise the installation has been rolled back.
 * @throws {KubeError} if the API server refuses the first change. Nothing has been changed then.
 */
async function applyTakeover(
  world: TakeoverEnvironment,
  exchanges: readonly Replacement[],
  options: TakeoverOptions,
): Promise<TakeoverFailure | undefined> {
  const done: InstalledProgram[] = [];
  const perform = async () => {
    for (const { program, to } of exchanges) {
      // After a second takeover, to another release, the rollback still leads to the installed Argo.
      const record = recordText(program.before ?? program, to.image);
      await change(world, { program, to, record }, options).catch((error) => {
        // A request without a response may have changed the Deployment.
        if (classifyError(error) === "transient") done.push(program);
        throw error;
      });
      done.push(program);
      const problem = await awaitRollout(world, program.name, options);
      if (problem !== undefined) return problem;
    }
    for (const canary of options.canaries) {
      const problem = await runCanary(world, canary, options);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const reason = await perform().catch((error) => {
    if (done.length === 0) throw error;
    return messageOf(error);
  });
  if (reason === undefined) return undefined;
  world.report(`${reason}; returning the installation to its earlier state`);
  const changes = done.map((program) => ({
    program,
    to: program,
    record: program.before ? recordText(program.before, program.image) : null,
  }));
  const { signal: _, ...patient } = world;
  return { reason, rollbackProblems: await changeEach(patient, changes, options) };
}

/**
 * Rolls programs back to their recorded state and waits for the rollouts. Returns the problems; undefined on success.
 */
async function rollBackPrograms(
  world: TakeoverEnvironment,
  programs: readonly InstalledProgram[],
  options: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
): Promise<string | undefined> {
  const changes = programs.flatMap((program) =>
    program.before === undefined ? [] : [{ program, to: program.before, record: null }]
  );
  return (await changeEach(world, changes, options)).join("; ") || undefined;
}

/** The change of a Deployment, and the record of the takeover that it gets; null removes the record. */
interface Change extends Replacement {
  readonly record: string | null;
}

/**
 * Changes programs, the last one first, then waits for all rollouts, and returns the problems. A failure does not
 * prevent the other changes.
 */
async function changeEach(
  world: TakeoverEnvironment,
  changes: readonly Change[],
  options: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
): Promise<string[]> {
  const problems: string[] = [];
  const changed: InstalledProgram[] = [];
  for (const applied of changes.toReversed()) {
    try {
      await change(world, applied, options);
      changed.push(applied.program);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  for (const { name } of changed) {
    const problem = await awaitRollout(world, name, options).catch(messageOf);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Sets the image and arguments of a Deployment. */
async function change(
  { client, report }: TakeoverEnvironment,
  reverted: Change,
  { namespace }: Pick<TakeoverOptions, "namespace">,
): Promise<void> {
  const { program: { name }, to } = reverted;
  await client.patch(DEPLOYMENTS, namespace, name, patchOf(reverted), "strategic");
  report(`Deployment/${namespace}/${name}: image ${to.image}`);
}

function patchOf({ program: { container }, to: { image, args }, record }: Change): object {
  return {
    metadata: { annotations: { [BEFORE_TAKEOVER]: record } },
    spec: { template: { spec: { containers: [{ name: container, image, args }] } } },
  };
}

/** The rejections of a dry run. */
export interface Rehearsal {
  /** Rejections that make the takeover fail. */
  readonly problems: readonly string[];
  /** Rejections of a canary's pod that the settings of the controller may prevent. */
  readonly warnings: readonly string[];
}

/**
 * Lets the API server check the changes and the canaries with their pods without storing them: admission policies,
 * quotas and Pod Security.
 */
async function rehearse(
  client: KubeClient,
  exchanges: readonly Replacement[],
  { namespace, canaries, timeoutMillis }: TakeoverOptions,
): Promise<Rehearsal> {
  const problems: string[] = [];
  const warnings: string[] = [];
  const dryRun = { dryRun: true };
  for (const { program, to } of exchanges) {
    const { name } = program;
    const patch = patchOf({ program, to, record: recordText(program.before ?? program, to.image) });
    const reason = await rejection(client.patch(DEPLOYMENTS, namespace, name, patch, "strategic", dryRun));
    if (reason !== undefined) problems.push(`Deployment/${namespace}/${name}: the API server rejects it: ${reason}`);
  }
  for (const canary of canaries) {
    const subject = `canary in namespace ${canary.namespace}`;
    const reason = await rejection(submitCanary(client, canary, { withPod: true, timeoutMillis }, dryRun));
    if (reason !== undefined) {
      problems.push(`${subject}: the API server rejects it: ${reason}`);
      continue;
    }
    if (!await runsPod(client, canary)) continue;
    const podReason = await rejection(rehearseCanaryPod(client, canary));
    if (podReason === undefined) continue;
    const isFinal = FINAL_REJECTION.test(podReason);
    (isFinal ? problems : warnings).push(`${subject}: the API server rejects its pod: ${podReason}`);
  }
  return { problems, warnings };
}

/** Rejections of a pod that no settings of the controller prevent. */
const FINAL_REJECTION = /exceeded quota|violates PodSecurity|error looking up service account/;

/** Whether a canary runs a pod that the caller may try to create. */
async function runsPod(client: KubeClient, canary: CanaryOptions): Promise<boolean> {
  if (canary.requiresTemplate || !await mayReport(client, canary)) return false;
  return await callerHas(client, { namespace: canary.namespace, verb: "create", group: "", resource: "pods" });
}

/** Waits for a dry run. Returns why the API server rejects it; undefined if it does not, or cannot try. */
async function rejection(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
  } catch (error) {
    const message = messageOf(error);
    // A quota that is exceeded is a transient error: the controller tries again.
    if (FINAL_REJECTION.test(message)) return message;
    if (classifyError(error) !== "transient" && !message.includes("does not support dry run")) return message;
  }
  return undefined;
}

const Rollout = z.object({
  metadata: z.object({ generation: z.number().optional() }),
  spec: z.object({ replicas: z.number().optional() }),
  status: z.object({
    observedGeneration: z.number().optional(),
    replicas: z.number().optional(),
    updatedReplicas: z.number().optional(),
    availableReplicas: z.number().optional(),
  }).optional(),
});

/** Waits until all replicas of a Deployment are new and available; returns the reason after a timeout. */
async function awaitRollout(
  world: TakeoverEnvironment,
  name: string,
  { namespace, timeoutMillis }: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
): Promise<string | undefined> {
  const subject = `Deployment/${namespace}/${name}`;
  const isOut = await pollUntil(world, timeoutMillis, async () => {
    const { metadata, spec, status = {} } = Rollout.parse(await world.client.get(DEPLOYMENTS, namespace, name));
    const wanted = spec.replicas ?? 1;
    return (status.observedGeneration ?? 0) >= (metadata.generation ?? 0) && (status.replicas ?? 0) === wanted &&
        (status.updatedReplicas ?? 0) === wanted && (status.availableReplicas ?? 0) === wanted || undefined;
  });
  if (isOut) {
    world.report(`${subject}: rolled out`);
    return undefined;
  }
  const trouble = await podTrouble(world.client, namespace, name);
  return `${subject}: not available after ${timeoutMillis / 1000} seconds${trouble ? `: ${trouble}` : ""}`;
}

/** Runs a canary; returns why it failed. */
async function runCanary(
  world: TakeoverEnvironment,
  canary: CanaryOptions,
  { timeoutMillis }: TakeoverOptions,
): Promise<string | undefined> {
  const { client, report } = world;
  const withPod = await mayReport(client, canary);
  if (!withPod) {
    report(
      `Canary: without a pod, as the service account ${canary.namespace}/${canary.account} may not create and patch ` +
        "workflowtaskresults",
    );
  }
  const name = await submitCanary(client, canary, { withPod, timeoutMillis });
  const subject = `Workflow/${canary.namespace}/${name}`;
  const end = await pollUntil(world, timeoutMillis, () => canaryEnd(client, canary.namespace, name));
  if (end?.succeeded) report(`${subject}: the canary succeeded`);
  if (end === undefined) {
    const trouble = await canaryTrouble(client, canary.namespace, name).catch(messageOf);
    return `${subject}: the canary has not finished after ${timeoutMillis / 1000} seconds: ${trouble}`;
  }
  if (isRejectedForTemplate(canary, end)) {
    report(`${subject}: rejected, as workflowRestrictions require: the controller works; no pod was run`);
    return undefined;
  }
  return end.succeeded ? undefined : `${subject}: the canary failed: ${end.message}`;
}

/**
 * Polls until there is a result; returns undefined after the timeout. Transient errors are retried.
 * @throws the reason of the world's signal when it is aborted.
 */
async function pollUntil<T>(
  { clock, signal }: TakeoverEnvironment,
  millis: number,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const until = clock.now() + millis;
  for (;;) {
    const answer = await ask().catch((error) => {
      if (classifyError(error) !== "transient") throw error;
      return undefined;
    });
    if (answer !== undefined || clock.now() >= until) return answer;
    await pause(clock, POLL_MILLIS, signal);
  }
}

/** The takeover of the installations of one cluster. */
export interface Takeover {
  /** Lists the controllers and servers of a namespace. */
  programs(namespace: string): Promise<InstalledProgram[]>;
  /** Lists the namespaces with a controller or server; empty if the caller may not list all Deployments. */
  namespaces(): Promise<string[]>;
  /** Like {@link canariesOf}. */
  canaries(programs: readonly InstalledProgram[], choices: CanaryChoices): Promise<CanaryOptions[]>;
  /** Like {@link missingCallerRights}. */
  missingCallerRights(home: string, namespaces: readonly string[]): Promise<string[]>;
  /** Like {@link rehearse}. */
  rehearse(exchanges: readonly Replacement[], options: TakeoverOptions): Promise<Rehearsal>;
  /** Like {@link applyTakeover}. */
  apply(
    exchanges: readonly Replacement[],
    options: TakeoverOptions,
    world: Omit<TakeoverEnvironment, "client">,
  ): Promise<TakeoverFailure | undefined>;
  /**
   * Lists the pods in flight of controllers in the namespace `home`, in `managed` or the namespaces that they manage;
   * undefined if the caller may not list pods there.
   */
  podsInFlight(
    programs: readonly InstalledProgram[],
    home: string,
    managed: string | undefined,
  ): Promise<PodsInFlight | undefined>;
  /** Like {@link rollBackPrograms}. */
  goBack(
    programs: readonly InstalledProgram[],
    options: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
    world: Omit<TakeoverEnvironment, "client">,
  ): Promise<string | undefined>;
}

/** Creates the takeover for a cluster. */
export function takeoverOf(client: KubeClient): Takeover {
  return {
    programs: (namespace) => installedPrograms(client, namespace),
    namespaces: () => namespacesWithPrograms(client),
    canaries: (programs, choices) => canariesOf(client, programs, choices),
    missingCallerRights: (home, namespaces) => missingCallerRights(client, home, namespaces),
    rehearse: (exchanges, options) => rehearse(client, exchanges, options),
    apply: (exchanges, options, world) => applyTakeover({ ...world, client }, exchanges, options),
    podsInFlight: (programs, home, managed) => podsOfControllers(client, programs, home, managed),
    goBack: (programs, options, world) => rollBackPrograms({ ...world, client }, programs, options),
  };
}

async function podsOfControllers(
  client: KubeClient,
  programs: readonly InstalledProgram[],
  home: string,
  managed: string | undefined,
): Promise<PodsInFlight | undefined> {
  const found: PodsInFlight[] = [];
  try {
    for (const program of programs.filter(({ program }) => program === "controller")) {
      found.push(await podsInFlight(client, program, managed ?? setupOf(program, home).managedNamespace));
    }
  } catch (error) {
    if (classifyError(error) !== "forbidden") throw error;
    return undefined;
  }
  const all = (kind: keyof PodsInFlight) => [...new Set(found.flatMap((pods) => pods[kind]))];
  return { agents: all("agents"), others: all("others") };
}
