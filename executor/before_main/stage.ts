/** Staging before main runs: writes the template, the script and the input artifacts to the shared volumes. */
import { ENV, PATH } from "@tiphys/base/constants";
import { cleanPath } from "@tiphys/model/pod";
import { describeError, ExecutorError } from "../failure.ts";
import type { FetchedArtifact } from "./load_artifact.ts";
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
import { parseTemplateJson } from "../pod/template_shape.ts";
import { at, type World } from "../world.ts";

/**
 * Stages everything; the template first, because the other containers read it. If there are inputs, `stages` measures
 * their loading.
 * @throws {ExecutorError} when a part cannot be staged, or the pod is being terminated. Later parts are left untouched
 * then.
 */
export async function stageTemplate(world: World, stop: AbortSignal, stages?: StageClock): Promise<PodTemplate> {
  const text = templateTextFromEnvironment(world);
  if (text === undefined) {
    throw new ExecutorError(`Expected the template in the environment variable ${ENV.template}`, { stage: "inputs" });
  }
  const template = parseTemplateJson(text);
  world.files.write(at(world, PATH.template), templateForMain(text, template), 0o444);
  stageScript(world, template);
  const load = () => loadInputs(world, template, { plugins: inputPlugins(world), others: true }, stop);
  await (stages && inputArtifacts(template).length > 0 ? stages.time("load_artifacts", load) : load());
  return template;
}

/**
 * The plugins whose inputs the supervisor loads: a comma-separated list in the environment. Blanks and empty items are
 * ignored.
 */
export function inputPlugins(world: World): string[] {
  const names = (world.env(ENV.inputArtifactPluginNames) ?? "").split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** The inputs to load. */
export interface Inputs {
  /** The plugins whose artifacts are loaded. */
  readonly plugins: readonly string[];
  /** Whether artifacts that need no plugin are loaded. */
  readonly others?: boolean;
}

/**
 * Loads inputs. Artifacts without a plugin are downloaded in parallel, up to `inputConcurrency`. The artifacts of each
 * plugin are downloaded one after the other, because a plugin may not support concurrent requests; different plugins
 * run in parallel. The first failure cancels everything.
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
  // Imported on demand: most pods have no artifacts, and the code occupies memory for the life of the pod.
  const { fetchArtifact, placeArtifact } = await import("./load_artifact.ts");
  const fetchAll = async (
    plugin: string | undefined,
    fetch: (own: TemplateArtifact[]) => Promise<FetchedArtifacts>,
  ) => {
    const own = inputs.filter((artifact) => pluginOf(template, artifact) === plugin);
    try {
      return await fetch(own);
    } catch (error) {
      const what = plugin === undefined
        ? "failed to load non-plugin input artifacts"
        : `failed to load input artifacts from plugin "${plugin}"`;
      const { artifact } = error as { artifact?: string };
      const failure = new ExecutorError(`${what}: ${describeError(error)}`, {
        stage: "inputs",
        artifact,
        cause: error,
      });
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
      ? [
        fetchAll(undefined, (own) => rejectWhenStopped(all, fetchConcurrently(own, inputConcurrency(world), fetchOne))),
      ]
      : []),
    ...plugins.map((plugin) => fetchAll(plugin, (own) => rejectWhenStopped(all, fetchConcurrently(own, 1, fetchOne)))),
  ];
  // Wait until all groups have stopped before reporting a failure.
  await Promise.allSettled(groups);
  if (failed.signal.aborted) throw failed.signal.reason;
  const fetched = (await Promise.all(groups)).flat().filter((artifact) => artifact !== undefined);
  // Outer paths are placed first, so that an inner artifact is placed inside the outer one.
  for (const artifact of fetched.toSorted((a, b) => depth(a) - depth(b))) placeArtifact(world, template, artifact);
}

type FetchedArtifacts = (FetchedArtifact | undefined)[];

/** Fetches all artifacts, at most `limit` at a time. Rejects at the first failure. */
async function fetchConcurrently(
  artifacts: readonly TemplateArtifact[],
  limit: number,
  fetch: (artifact: TemplateArtifact) => Promise<FetchedArtifacts[number]>,
): Promise<FetchedArtifacts> {
  const found: FetchedArtifacts = [];
  const queue = artifacts.values();
  const worker = async () => {
    for (const artifact of queue) found.push(await fetch(artifact));
  };
  await Promise.all(Array.from({ length: Math.min(limit, artifacts.length) }, worker));
  return found;
}

/** The default number of parallel downloads. */
const INPUTS_AT_ONCE = 4;

function inputConcurrency(world: World): number {
  const value = Number(world.env(ENV.inputParallelism) || NaN);
  return Number.isInteger(value) && value > 0 ? value : INPUTS_AT_ONCE;
}

function depth({ spot: { root, path } }: FetchedArtifact): number {
  return cleanPath(`${root}/${path}`).split("/").length;
}

/**
 * Resolves to the result of `work`, or rejects with the reason of `stop` as soon as it is aborted: not every driver
 * reacts to the signal.
 */
async function rejectWhenStopped<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
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
