/** `tiphys run`: workflows on this machine, with nothing installed. */
import { Command } from "commander";
import type { Workflow } from "../../lib/api/mod.ts";
import type { KubeClient } from "../../lib/kube/mod.ts";
import { applySubmitOptions, formulateRetry, type SubmitOptions } from "../../lib/workflow_actions/mod.ts";
import { carryOutRetry } from "../change_workflow.ts";
import { refusals, refuseProblems, storedTemplates } from "../check_documents.ts";
import { resolveName } from "../choose_workflows.ts";
import { badInput, endWith, EXIT_CODE } from "../command_error.ts";
import { createInPlace, createOrReplace } from "../create_objects.ts";
import { defaultDataDir } from "../data_dir.ts";
import { describeWorkflow } from "../describe_workflow.ts";
import { followToTheEnd, voiceOf } from "../embedded_run.ts";
import { addEngineFlags, type EngineFlags, engineOptions } from "../engine_flags.ts";
import { failureReport } from "../failure_report.ts";
import { type GlobalFlags, lookOf } from "../global_flags.ts";
import { type InputDocument, isOurs, objectOf, readDocuments } from "../input_documents.ts";
import { type OutputForm, outputOption, printObject } from "../print_object.ts";
import { resourceOf } from "../resource_of.ts";
import { addSubmitFlags, type SubmitFlags, submitOptions } from "../submit_flags.ts";
import { unfinishedWorkflows } from "../unfinished_workflows.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, SubmitFlags, EngineFlags {
  readonly log?: boolean;
  readonly output?: OutputForm;
  readonly retry?: string;
}

const NAMESPACE = "default";

/** Makes the command. */
export function runCommand(world: World): Command {
  const command = new Command("run").argument("[files...]", "manifests; - is the standard input");
  return addEngineFlags(addSubmitFlags(command))
    .option("--log", "show what pods write, too")
    .option("--retry <workflow>", "let a workflow of an earlier run go on where it failed or was stopped")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .addHelpText("after", "\nExit code: 0 succeeded, 1 did not succeed, 2 bad input (nothing was created)")
    .action((files: string[], _flags: unknown, self: Command) => run(files, self.optsWithGlobals<Flags>(), world));
}

async function run(files: readonly string[], flags: Flags, world: World): Promise<void> {
  if ((files.length === 0) === (flags.retry === undefined)) {
    throw badInput("Expected files to run, or a workflow of an earlier run after --retry");
  }
  const options = await submitOptions(flags, world);
  const documents = withOptions(await readDocuments(files, world), options);
  const needsTemplates = checkAlone(documents, flags.retry !== undefined);
  const dataDir = flags.data ?? defaultDataDir((name) => world.env(name));
  const shows = flags.output === undefined || flags.output === "wide";
  const voice = voiceOf(world);
  const engine = await world.startEngine({
    dataDir,
    ...engineOptions(flags),
    log: (line) => voice.say(line),
    onNotice: (line) => shows && voice.say(line),
  });
  try {
    const { client } = engine;
    const namespace = flags.namespace ?? NAMESPACE;
    if (needsTemplates) {
      refuseProblems(refusals(documents, { stored: await storedTemplates(client, namespace) }));
    }
    const clusterFlags = flags.data === undefined ? "--local" : `--data ${flags.data}`;
    const earlier = await unfinishedWorkflows(client);
    if (shows && earlier.length > 0) {
      const names = earlier.join(", ");
      voice.say(
        `Workflows of earlier runs go on meanwhile: ${names}. To end one:  tiphys terminate NAME ${clusterFlags}`,
      );
    }
    const started = flags.retry === undefined
      ? await create(client, namespace, documents)
      : [await retry(client, namespace, flags.retry, options, world)];
    const look = lookOf(flags, world);
    const followed = await followToTheEnd(started, {
      world,
      voice,
      client,
      look,
      shows,
      logs: flags.log ?? false,
      clusterFlags,
    });
    await report(followed.workflows, { client, flags, world, interrupted: followed.interrupts > 0 });
  } finally {
    await engine.close();
  }
}

/** Changes the workflows among the documents as the flags say. */
function withOptions(documents: readonly InputDocument[], options: SubmitOptions): InputDocument[] {
  return documents.map((document) => {
    const object = objectOf(document);
    if (!isOurs(object, "Workflow")) return document;
    const value = applySubmitOptions(object as unknown as Workflow, options);
    return { ...document, value: value as unknown as InputDocument["value"] };
  });
}

/**
 * Refuses what is wrong whatever templates are there. True when something refers to templates that the files do not hold:
 * these may be left from an earlier run.
 */
function checkAlone(documents: readonly InputDocument[], isRetry: boolean): boolean {
  refuseProblems(refusals(documents, { allowMissingReferences: true }));
  if (!isRetry && !documents.some((document) => isOurs(objectOf(document), "Workflow"))) {
    throw badInput("Expected a Workflow in the files, found none");
  }
  for (const document of documents) resourceOf(objectOf(document) ?? {});
  return refusals(documents).length > 0;
}

/** Creates everything, workflows last: the others may be what they refer to. */
async function create(client: KubeClient, namespace: string, documents: readonly InputDocument[]): Promise<Workflow[]> {
  const objects = documents.map((document) => objectOf(document)!);
  for (const object of objects.filter((one) => !isOurs(one, "Workflow"))) {
    await createOrReplace(client, namespace, object);
  }
  const workflows: Workflow[] = [];
  for (const object of objects.filter((one) => isOurs(one, "Workflow"))) {
    const workflow = object as unknown as Workflow;
    workflows.push(await createInPlace(client, workflow.metadata.namespace ?? namespace, workflow));
  }
  return workflows;
}

async function retry(
  client: KubeClient,
  namespace: string,
  which: string,
  options: SubmitOptions,
  world: World,
): Promise<Workflow> {
  const name = await resolveName(client, namespace, which);
  const { parameters } = options;
  return await carryOutRetry(
    client,
    namespace,
    name,
    (workflow) => formulateRetry(workflow, { parameters }, world.now()),
  );
}

interface ReportOptions {
  readonly client: KubeClient;
  readonly flags: Flags;
  readonly world: World;
  readonly interrupted: boolean;
}

/** Prints what was asked for, and why something failed; throws with the exit code for failure then. */
async function report(workflows: readonly Workflow[], options: ReportOptions): Promise<void> {
  const { client, flags, world, interrupted } = options;
  for (const workflow of workflows) {
    if (printObject(world, workflow, flags.output) || flags.output !== "wide") continue;
    const lines = describeWorkflow(workflow, { look: lookOf(flags, world), now: world.now(), wide: true });
    world.out(`\n${lines.join("\n")}\n`);
  }
  const failed = workflows.filter(({ status }) => status?.phase !== "Succeeded");
  if (failed.length === 0) return;
  for (const workflow of failed) {
    const { name } = workflow.metadata;
    if (!interrupted) world.err(`\n${(await failureReport(client, workflow)).join("\n")}\n`);
    const where = flags.data === undefined ? "" : ` --data ${flags.data}`;
    const word = interrupted ? `Workflow ${name} was stopped. To go on where it stopped` : "To go on where it failed";
    world.err(`${word}: tiphys run --retry ${name}${where}\n`);
  }
  throw endWith(EXIT_CODE.failed);
}
