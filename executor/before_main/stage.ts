/** Before main runs: the template, the script and the input artifacts are put where it finds them. */
import { ENV, PATH } from "../../lib/constants.ts";
import { cleanPath } from "../../lib/pod/paths.ts";
import { describe, ExecutorError } from "../failure.ts";
import type { Fetched } from "./load_artifact.ts";
import type { StageClock } from "../pod/stage_clock.ts";
import { templateForMain } from "../pod/compression.ts";
import { stageScript } from "./stage_script.ts";
import {
  inputArtifacts,
  pluginOf,
  type PodTemplate,
  type TemplateArtifact,
  templateTextFromEnvironment,
} from "../pod/template.ts";
import { templateOf } from "../pod/template_shape.ts";
import { at, type World } from "../world.ts";

/**
 * Stages everything; the template first, as everybody else reads it. `stages` times the loading of inputs, where there are any.
 * @throws {ExecutorError} when something cannot be had, or the pod must end before it is; nothing after it was touched.
 */
export async function stageTemplate(world: World, stop: AbortSignal, stages?: StageClock): Promise<PodTemplate> {
  const text = templateTextFromEnvironment(world);
  if (text === undefined) {
    throw new ExecutorError(`Expected the template in the environment variable ${ENV.template}`, { stage: "inputs" });
  }
  const template = templateOf(text);
  world.files.write(at(world, PATH.template), templateForMain(text, template), 0o444);
  stageScript(world, template);
  const load = () => loadInputs(world, template, { plugins: inputPlugins(world), others: true }, stop);
  await (stages && inputArtifacts(template).length > 0 ? stages.time("load_artifacts", load) : load());
  return template;
}

/** The plugins whose inputs the supervisor loads: a list in the environment, blanks and empty places ignored. */
export function inputPlugins(world: World): string[] {
  const names = (world.env(ENV.inputArtifactPluginNames) ?? "").split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** The inputs to load. */
export interface Inputs {
  /** The plugins whose artifacts are loaded. */
  readonly plugins: readonly string[];
  /** Whether the artifacts that no plugin brings are loaded. */
  readonly others?: boolean;
}

/**
 * Loads inputs. Those without a plugin are fetched side by side, four at once, and beside each plugin's, of which one follows the
 * other, as a plugin need not be able to do two things at once. The first that fails ends all others.
 */
export async function loadInputs(
  world: World,
  template: PodTemplate,
  { plugins, others = false }: Inputs,
  stop: AbortSignal,
): Promise<void> {
  stop.throwIfAborted();
  const failed = new AbortController();
  const all = AbortSignal.any([stop, failed.signal]);
  const inputs = inputArtifacts(template);
  if (inputs.length === 0) return;
  // The code that moves artifacts is loaded only now: most pods have none, and it takes memory while the pod lives.
  const { fetchArtifact, placeArtifact } = await import("./load_artifact.ts");
  const fetchAll = async (plugin: string | undefined, fetch: (own: TemplateArtifact[]) => Promise<Found>) => {
    const own = inputs.filter((artifact) => pluginOf(template, artifact) === plugin);
    try {
      return await fetch(own);
    } catch (error) {
      const what = plugin === undefined
        ? "failed to load non-plugin input artifacts"
        : `failed to load input artifacts from plugin "${plugin}"`;
      const { artifact } = error as { artifact?: string };
      const failure = new ExecutorError(`${what}: ${describe(error)}`, { stage: "inputs", artifact, cause: error });
      failed.abort(failure);
      throw failure;
    }
  };
  const fetchOne = (artifact: TemplateArtifact) => {
    all.throwIfAborted();
    return fetchArtifact(world, template, artifact, all);
  };
  const groups = [
    ...(others
      ? [fetchAll(undefined, (own) => unlessStopped(all, sideBySide(own, inputsAtOnce(world), fetchOne)))]
      : []),
    ...plugins.map((plugin) => fetchAll(plugin, (own) => unlessStopped(all, sideBySide(own, 1, fetchOne)))),
  ];
  // All of them have ended, one way or the other, before anybody is told.
  await Promise.allSettled(groups);
  if (failed.signal.aborted) throw failed.signal.reason;
  const fetched = (await Promise.all(groups)).flat().filter((one) => one !== undefined);
  // Outer places come first, so that an inner artifact lands inside the outer one.
  for (const one of fetched.toSorted((a, b) => depth(a) - depth(b))) placeArtifact(world, template, one);
}

type Found = (Fetched | undefined)[];

/** Fetches all, at most `limit` at once; the first that fails is told at once. */
async function sideBySide(
  artifacts: readonly TemplateArtifact[],
  limit: number,
  fetch: (artifact: TemplateArtifact) => Promise<Found[number]>,
): Promise<Found> {
  const found: Found = [];
  const queue = artifacts.values();
  const worker = async () => {
    for (const artifact of queue) found.push(await fetch(artifact));
  };
  await Promise.all(Array.from({ length: Math.min(limit, artifacts.length) }, worker));
  return found;
}

/** Inputs that are loaded at once where the environment does not say. */
const INPUTS_AT_ONCE = 4;

function inputsAtOnce(world: World): number {
  const told = Number(world.env(ENV.inputParallelism) || NaN);
  return Number.isInteger(told) && told > 0 ? told : INPUTS_AT_ONCE;
}

function depth({ spot: { root, path } }: Fetched): number {
  return cleanPath(`${root}/${path}`).split("/").length;
}

/**
 * The result of `work`, or a rejection with the signal's reason as soon as that is aborted: not every store hears that
 * it is to stop.
 */
async function unlessStopped<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cut = () => reject(stop.reason);
  stop.addEventListener("abort", cut, { once: true });
  if (stop.aborted) cut();
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop.removeEventListener("abort", cut);
  }
}
