/** Before main runs: the template, the script and the input artifacts are put where it finds them. */
import { driverFor } from "../lib/artifact/mod.ts";
import { hasStore } from "../lib/artifact_stores.ts";
import { ENV, PATH } from "../lib/constants.ts";
import { writeWhole } from "../lib/watch/mod.ts";
import { describe, ExecutorError } from "./failure.ts";
import { mountOf, type PodTemplate, type TemplateArtifact, templateTextFromEnvironment } from "./template.ts";
import { at, makeSharedFolder, type World } from "./world.ts";

/**
 * Stages everything; the template first, as everybody else reads it.
 * @throws {ExecutorError} when something cannot be had, or the pod must end before it is; nothing after it was touched.
 */
export async function stageTemplate(world: World, stop: AbortSignal): Promise<PodTemplate> {
  const text = await templateTextFromEnvironment(world);
  if (text === undefined) throw new ExecutorError(`Expected the template in the environment variable ${ENV.template}`);
  await writeWhole(at(world, PATH.template), text, 0o444);
  const template = JSON.parse(text) as PodTemplate;
  if (template.script?.source) {
    const script = at(world, PATH.scriptSource);
    await Deno.writeTextFile(script, template.script.source);
    await Deno.chmod(script, 0o755);
  }
  try {
    const loads = (template.inputs?.artifacts ?? []).map((artifact) => load(world, template, artifact));
    await unlessStopped(stop, Promise.all(loads));
  } catch (error) {
    throw new ExecutorError(`failed to load non-plugin input artifacts: ${describe(error)}`);
  }
  return template;
}

/** What was asked for, or the reason to stop waiting for it. */
async function unlessStopped<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
  stop.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const cut = () => reject(stop.reason);
  stop.addEventListener("abort", cut, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop.removeEventListener("abort", cut);
  }
}

async function load(world: World, template: PodTemplate, artifact: TemplateArtifact): Promise<void> {
  if (!hasStore(artifact)) {
    if (artifact.optional) return;
    throw new ExecutorError(`required artifact '${artifact.name}' not supplied`);
  }
  const mount = artifact.path && mountOf(template, artifact.path);
  const target = mount
    ? at(world, `${PATH.mainFileSystem}${artifact.path}`)
    : at(world, `${PATH.inputArtifacts}/${artifact.name}`);
  await makeSharedFolder(target.slice(0, target.lastIndexOf("/")));
  try {
    const driver = await driverFor(artifact);
    await driver.load(artifact, `${target}.tmp`);
    await Deno.remove(target, { recursive: true }).catch(() => {});
    await Deno.rename(`${target}.tmp`, target);
    if (artifact.mode !== undefined) await Deno.chmod(target, artifact.mode);
  } catch (error) {
    if (artifact.optional && error instanceof Deno.errors.NotFound) return;
    throw new ExecutorError(`artifact ${artifact.name} failed to load: ${describe(error)}`);
  }
}
