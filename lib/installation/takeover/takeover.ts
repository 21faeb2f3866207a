/** Applies the plan of a takeover, and rolls an installation back. */
import * as z from "zod";
import { type Clock, pause } from "@tiphys/base/clock";
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { CONFIGMAPS, dataOf, DEPLOYMENTS, type KubeClient, sortError } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { canaryEnd, type CanaryOptions, canaryTrouble, mayReport, submitCanary } from "./canary.ts";
import { BEFORE_TAKEOVER, type InstalledProgram, installedPrograms, type ProgramState } from "./deployments.ts";
import { type PodsInFlight, podsInFlight } from "./in_flight.ts";
import type { Exchange } from "./plan.ts";
import { podTrouble } from "./pod_trouble.ts";

/** The environment of a takeover. */
export interface TakeoverWorld {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Receives each step as a line. */
  readonly report: (line: string) => void;
}

/** Options of a takeover. */
export interface TakeoverOptions {
  /** The namespace of the Deployments. */
  readonly namespace: string;
  readonly canary: CanaryOptions;
  /** The timeout of the rollouts, and of the canary, in milliseconds each. */
  readonly timeoutMillis: number;
}

const POLL_MILLIS = 1000;

/**
 * The reason why a takeover failed, and the problems of the rollback. Without problems, the installation is in its
 * earlier state.
 */
export interface TakeoverFailure {
  readonly reason: string;
  readonly notReturned: readonly string[];
}

/**
 * Replaces the programs one after the other, waits for each rollout, and runs a canary. Returns undefined on success;
 * otherwise the installation has been rolled back.
 * @throws {KubeError} if the API server refuses the first change. Nothing has been changed then.
 */
async function applyTakeover(
  world: TakeoverWorld,
  exchanges: readonly Exchange[],
  options: TakeoverOptions,
): Promise<TakeoverFailure | undefined> {
  const done: InstalledProgram[] = [];
  const perform = async () => {
    for (const { program, to } of exchanges) {
      // After a second takeover, to another release, the rollback still leads to the installed Argo.
      const problem = await exchange(world, program, to, recordOf(program.before ?? program), options, () => {
        done.push(program);
      });
      if (problem !== undefined) return problem;
    }
    return await runCanary(world, options);
  };
  const reason = await perform().catch((error) => {
    if (done.length === 0) throw error;
    return messageOf(error);
  });
  if (reason === undefined) return undefined;
  world.report(`${reason}; returning the installation to its earlier state`);
  const states = done.map((program) => ({ program, to: program, record: recordOf(program.before) }));
  return { reason, notReturned: await exchangeEach(world, states, options) };
}

/**
 * Rolls programs back to their recorded state and waits for the rollouts. Returns the problems; undefined on success.
 */
async function returnPrograms(
  world: TakeoverWorld,
  programs: readonly InstalledProgram[],
  options: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
): Promise<string | undefined> {
  const states = programs.flatMap((program) =>
    program.before === undefined ? [] : [{ program, to: program.before, record: null }]
  );
  return (await exchangeEach(world, states, options)).join("; ") || undefined;
}

/**
 * Replaces programs, the last one first, and returns the problems. A failure does not prevent the other replacements.
 */
async function exchangeEach(
  world: TakeoverWorld,
  states: readonly (Exchange & { readonly record: string | null })[],
  options: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { program, to, record } of states.toReversed()) {
    const problem = await exchange(world, program, to, record, options).catch(messageOf);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function recordOf(state: ProgramState | undefined): string | null {
  return state === undefined ? null : JSON.stringify({ image: state.image, args: state.args });
}

/** Sets the image and arguments of a Deployment, and waits for its rollout; returns why it failed. */
async function exchange(
  world: TakeoverWorld,
  { name, container }: InstalledProgram,
  { image, args }: ProgramState,
  record: string | null,
  options: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
  onChanged: () => void = () => {},
): Promise<string | undefined> {
  const change = {
    metadata: { annotations: { [BEFORE_TAKEOVER]: record } },
    spec: { template: { spec: { containers: [{ name: container, image, args }] } } },
  };
  await world.client.patch(DEPLOYMENTS, options.namespace, name, change, "strategic");
  onChanged();
  world.report(`Deployment/${options.namespace}/${name}: image ${image}`);
  return await awaitRollout(world, name, options);
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
  world: TakeoverWorld,
  name: string,
  { namespace, timeoutMillis }: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
): Promise<string | undefined> {
  const subject = `Deployment/${namespace}/${name}`;
  const isOut = await pollUntil(world.clock, timeoutMillis, async () => {
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

/** Runs the canary; returns why it failed. */
async function runCanary(
  world: TakeoverWorld,
  { canary, timeoutMillis }: TakeoverOptions,
): Promise<string | undefined> {
  const { client, clock, report } = world;
  const withPod = await mayReport(client, canary);
  if (!withPod) {
    report(
      `Canary: without a pod, as the service account ${canary.namespace}/${canary.account} may not create and patch ` +
        "workflowtaskresults",
    );
  }
  const name = await submitCanary(client, canary, { withPod, timeoutMillis });
  const subject = `Workflow/${canary.namespace}/${name}`;
  const end = await pollUntil(clock, timeoutMillis, () => canaryEnd(client, canary.namespace, name));
  if (end?.succeeded) report(`${subject}: the canary succeeded`);
  if (end === undefined) {
    const trouble = await canaryTrouble(client, canary.namespace, name).catch(messageOf);
    return `${subject}: the canary has not finished after ${timeoutMillis / 1000} seconds: ${trouble}`;
  }
  return end.succeeded ? undefined : `${subject}: the canary failed: ${end.message}`;
}

/** Polls until there is a result; returns undefined after the timeout. Transient errors are retried. */
async function pollUntil<T>(clock: Clock, millis: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const until = clock.now() + millis;
  for (;;) {
    const answer = await ask().catch((error) => {
      if (sortError(error) !== "transient") throw error;
      return undefined;
    });
    if (answer !== undefined || clock.now() >= until) return answer;
    await pause(clock, POLL_MILLIS);
  }
}

/** The takeover of the installations of one cluster. */
export interface Takeover {
  /** Lists the controller and the server of a namespace. */
  programs(namespace: string): Promise<InstalledProgram[]>;
  /** The instance ID in the settings of a controller, a ConfigMap; undefined without one. */
  instanceSetting(namespace: string, configMap: string): Promise<string | undefined>;
  /** Like {@link applyTakeover}. */
  apply(
    exchanges: readonly Exchange[],
    options: TakeoverOptions,
    world: Omit<TakeoverWorld, "client">,
  ): Promise<TakeoverFailure | undefined>;
  /** Like {@link podsInFlight}. */
  podsInFlight(programs: readonly InstalledProgram[], namespace: string | undefined): Promise<PodsInFlight>;
  /** Like {@link returnPrograms}. */
  goBack(
    programs: readonly InstalledProgram[],
    options: Pick<TakeoverOptions, "namespace" | "timeoutMillis">,
    world: Omit<TakeoverWorld, "client">,
  ): Promise<string | undefined>;
}

/** Creates the takeover for a cluster. */
export function takeoverOf(client: KubeClient): Takeover {
  return {
    programs: (namespace) => installedPrograms(client, namespace),
    instanceSetting: (namespace, configMap) => instanceSetting(client, namespace, configMap),
    apply: (exchanges, options, world) => applyTakeover({ ...world, client }, exchanges, options),
    podsInFlight: (programs, namespace) => podsInFlight(client, programs, namespace),
    goBack: (programs, options, world) => returnPrograms({ ...world, client }, programs, options),
  };
}

async function instanceSetting(client: KubeClient, namespace: string, name: string): Promise<string | undefined> {
  try {
    const { instanceID, config = "" } = dataOf(await client.get(CONFIGMAPS, namespace, name));
    return instanceID || textIn(fieldsOf(parseYaml(config)[0]?.value), "instanceID") || undefined;
  } catch (error) {
    if (sortError(error) !== "notFound") throw error;
    return undefined;
  }
}
