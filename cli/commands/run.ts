/** `tiphys run`: runs workflows in an embedded cluster on this machine. */
import { Command } from "commander";
import { countText } from "@tiphys/base/count_text";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { ActionError, parseSource, type SubmitOptions } from "@tiphys/engine/workflow_actions";
import {
  type ClusterService,
  NameInUseError,
  resolveName,
  unfinishedWorkflows,
  type WorkflowService,
  type WorkflowSource,
} from "@tiphys/service";
import { referredTemplates } from "@tiphys/service/stored";
import { checkAsServer, refuseProblems } from "../input/check_documents.ts";
import { checkSource } from "../input/check_source.ts";
import { badInput, CommandError, endWith, EXIT_CODE } from "../command_error.ts";
import { defaultDataDir } from "../connect/data_dir.ts";
import { clusterFlagsText } from "../view/cluster_flags.ts";
import { describeWorkflow } from "../view/describe_workflow.ts";
import { dialogOf, type FollowResult, followToTheEnd, type UserDialog } from "../connect/embedded_run.ts";
import { addLocalClusterFlags, type LocalClusterFlags, localClusterOptions } from "../flags/local_cluster_flags.ts";
import { failureReport, lastLogLines } from "../view/failure_report.ts";
import { type GlobalFlags, lookOf } from "../flags/global_flags.ts";
import {
  filesText,
  type InputDocument,
  isOfArgo,
  objectOf,
  readDocuments,
  workflowOf,
} from "../input/input_documents.ts";
import { type OutputForm, outputOption, printObject } from "../view/print_object.ts";
import { warnOfUnknownNames, warnOfUnknownToStarted, withOptions } from "../input/submitted_documents.ts";
import { resourceOf } from "../connect/resource_of.ts";
import { addSubmitFlags, fileFlagAdvice, type SubmitFlags, submitOptions } from "../flags/submit_flags.ts";
import { firstFailure, nodePath } from "@tiphys/model/status";
import { githubAnnotation, resumeCommands, stopCommands } from "../view/annotations.ts";
import { type Look, paintName } from "../view/look.ts";
import { githubGroups, gitlabSections, type GroupForm, prefixLines } from "../view/step_output.ts";
import { escapeControls, escapeToOneLine } from "../view/plain.ts";
import type { LocalCluster, World } from "../world.ts";

interface Flags extends GlobalFlags, SubmitFlags, LocalClusterFlags {
  readonly log?: boolean;
  readonly output?: OutputForm;
  readonly junit?: string;
  readonly retry?: string;
  readonly from?: string;
  readonly ui?: boolean;
}

const NAMESPACE = "default";

/**
 * Retry limits: a local cluster has no other users who could fix an image name or create a missing Secret, so `run`
 * gives up after about 30 seconds.
 */
const ATTEMPTS = { pulls: 3, setups: 30 };

/** Creates the command `run`. */
export function runCommand(world: World): Command {
  const command = new Command("run").argument("[files...]", "manifests; - is the standard input");
  return addLocalClusterFlags(addSubmitFlags(command))
    .option("--log", "print the output of the steps (default, except with -o name, json or yaml)")
    .option("--no-log", "do not print the output of the steps")
    .option("--junit <file>", "write a JUnit report with a case for each step")
    .option("--ui", "serve the page, and keep it after the end until Ctrl-C")
    .option("--from <kind/name>", "run a template or schedule, such as `workflowtemplate/a` or `cronwf/b`")
    .option("--retry <workflow>", "retry a workflow of an earlier run from where it failed or was stopped")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .addHelpText(
      "after",
      "\nExit code: 0 succeeded, 1 did not succeed, 2 bad input (nothing was created), 130 and 143 stopped by Ctrl-C and SIGTERM",
    )
    .action((files: string[], _flags: unknown, self: Command) => run(files, self.optsWithGlobals<Flags>(), world));
}

async function run(files: readonly string[], flags: Flags, world: World): Promise<void> {
  const { from, retry: retried } = flags;
  if (retried !== undefined ? files.length > 0 || from !== undefined : files.length === 0 && from === undefined) {
    const advice = retried === undefined ? fileFlagAdvice(flags) : "";
    throw badInput(`Expected files to run, --from a template or schedule, or --retry an earlier workflow${advice}`);
  }
  const source = from === undefined ? undefined : readSource(from);
  const options = await submitOptions(flags, world);
  const written = await readDocuments(files, world);
  const documents = withOptions(written, options);
  const needsTemplates = needsStoredTemplates(documents, files, retried !== undefined || source !== undefined);
  if (!needsTemplates) warnOfUnknownNames(written, [], options, world);
  const dataDir = flags.data ?? defaultDataDir((name) => world.env(name));
  const shows = flags.output === undefined || flags.output === "wide";
  const dialog = dialogOf(world);
  const cluster = await world.startLocalCluster({
    dataDir,
    ...localClusterOptions(flags),
    ...(flags.ui ? { page: {} } : {}),
    joins: true,
    attempts: ATTEMPTS,
    log: (line) => dialog.print(escapeControls(line)),
    onNotice: (line) => shows && dialog.print(escapeControls(line)),
    ...(shows && world.canPrompt() && { askStandIn: (image) => dialog.ask(standInQuestion(escapeControls(image))) }),
  });
  try {
    const { service } = cluster;
    const namespace = flags.namespace ?? NAMESPACE;
    if (needsTemplates) {
      const stored = await referredTemplates(service, namespace, documents.map(objectOf));
      refuseProblems(checkAsServer(documents, { stored }));
      warnOfUnknownNames(written, stored, options, world);
    }
    const { data, namespace: chosen } = flags;
    const clusterFlags = clusterFlagsText({ local: true, data, namespace: chosen });
    const { joined } = cluster;
    if (shows && joined !== undefined) {
      const { verbose: _, ...options } = localClusterOptions(flags);
      const unused = Object.values(options).some((value) => value !== undefined);
      const note = unused ? "; options that configure a cluster have no effect" : "";
      dialog.print(`Using the embedded cluster that already runs (process ${joined})${note}`);
    }
    const earlier = joined === undefined ? await unfinishedWorkflows(service) : [];
    if (shows && earlier.length > 0) {
      const names = earlier.join(", ");
      dialog.print(
        `Unfinished workflows of earlier runs continue: ${names}. To end one:  tiphys terminate NAME${clusterFlags}`,
      );
    }
    const created = await create(service, namespace, documents);
    if (source) await checkSource(source, options, { service, namespace }, world);
    const started = retried !== undefined
      ? [await retry(service, namespace, retried, options, world)]
      : source
      ? [...created, await service.submit(namespace, source, options)]
      : created;
    await printPageLink(cluster, started, dialog);
    const look = lookOf(flags, world);
    const followed = await followToTheEnd(started, {
      world,
      dialog,
      service,
      look,
      showsTree: shows,
      output: flags.log ?? shows ? groupForm(world, look) : undefined,
      clusterFlags,
    });
    if (flags.junit !== undefined) await writeReport(flags.junit, followed.workflows, service, world);
    const reported = report(followed, { files, service, flags, world });
    const isServed = cluster.page !== undefined && joined === undefined;
    if (isServed && followed.interrupted === undefined) await servePageUntilInterrupt(reported, world);
    await reported;
  } finally {
    await cluster.close();
  }
}

function standInQuestion(image: string): string {
  return `Image ${image} cannot be pulled. Run such images on a stand-in with common tools, now and in later runs?`;
}

/**
 * Returns the log groups of the CI system in which this program runs. Elsewhere, each line starts with the name of its
 * step.
 */
function groupForm(world: World, look: Look): GroupForm {
  if (isGitHub(world)) return githubGroups(crypto.randomUUID());
  if (!world.terminal() && world.env("GITLAB_CI") === "true") return gitlabSections(() => world.now());
  return prefixLines((step) => paintName(step, look));
}

function isGitHub(world: World): boolean {
  return !world.terminal() && world.env("GITHUB_ACTIONS") === "true";
}

/** @throws {CommandError} if the report cannot be written. */
async function writeReport(
  file: string,
  workflows: readonly Workflow[],
  service: WorkflowService,
  world: World,
): Promise<void> {
  const { junitReport } = await import("../view/junit_report.ts");
  try {
    const report = await junitReport(workflows, (workflow, node) => lastLogLines(service, workflow, node));
    await world.writeFile(file, report);
  } catch (error) {
    throw new CommandError(`--junit: could not write ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Prints a link to the page, which opens the workflow if only one was started. */
async function printPageLink({ page }: LocalCluster, started: readonly Workflow[], dialog: UserDialog): Promise<void> {
  if (!page) return;
  const [{ metadata: { namespace = "", name = "" } } = { metadata: {} }] = started;
  const path = started.length === 1 ? `workflows/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}` : "";
  dialog.print(`To open the page, use this link:  ${await page.link(path)}`);
}

/** Keeps the page available until Ctrl-C, so that it can show the finished workflows. */
async function servePageUntilInterrupt(reported: Promise<void>, world: World): Promise<void> {
  const { promise: interrupted, resolve } = Promise.withResolvers<void>();
  using _listener = world.onInterrupt(() => resolve());
  // The caller throws the failure after this wait.
  await reported.catch(() => {});
  world.err("The page remains available. Press Ctrl-C to stop\n");
  await interrupted;
}

/**
 * Returns true if the documents refer to templates that the files do not contain: an earlier run may have created them.
 * @throws {CommandError} for problems that are independent of missing templates.
 */
function needsStoredTemplates(
  documents: readonly InputDocument[],
  files: readonly string[],
  needsNoWorkflow: boolean,
): boolean {
  refuseProblems(checkAsServer(documents, { allowMissingReferences: true }));
  if (!needsNoWorkflow && !documents.some((document) => isOfArgo(objectOf(document), "Workflow"))) {
    const kinds = [...new Set(documents.flatMap((document) => objectOf(document)?.kind ?? []))].join(", ");
    const found = kinds === "" ? "none" : kinds;
    throw badInput(
      [`Expected a Workflow in ${filesText(files)}, found ${found}`, ...documents.flatMap(howToRun)].join("\n"),
    );
  }
  for (const document of documents) resourceOf(objectOf(document) ?? {});
  return checkAsServer(documents).length > 0;
}

/** Returns the commands that run a template or schedule; empty for other objects. */
function howToRun(document: InputDocument): string[] {
  const object = objectOf(document);
  const { kind = "", metadata = {} } = object ?? {};
  if (!isOfArgo(object) || !["CronWorkflow", "WorkflowTemplate", "ClusterWorkflowTemplate"].includes(kind)) return [];
  const file = document.file;
  return [
    `To run the ${kind} once:  tiphys run ${file} --from ${kind.toLowerCase()}/${metadata.name}`,
    ...kind === "CronWorkflow"
      ? [`To keep its schedule:  tiphys local,  and in another terminal  tiphys cron create --local ${file}`]
      : [],
  ];
}

/** @throws {CommandError} for a text that is not `KIND/NAME` of a template or schedule. */
function readSource(text: string): WorkflowSource {
  try {
    return parseSource(text);
  } catch (error) {
    throw error instanceof ActionError ? badInput(`--from: ${error.message}`) : error;
  }
}

/** Creates all objects. Workflows come last, because they may refer to the others. */
async function create(
  service: ClusterService,
  namespace: string,
  documents: readonly InputDocument[],
): Promise<Workflow[]> {
  const isWorkflow = (document: InputDocument) => isOfArgo(objectOf(document), "Workflow");
  const made = documents.filter(isWorkflow).map(workflowOf);
  for (const document of documents.filter((inputDocument) => !isWorkflow(inputDocument))) {
    const object = objectOf(document)!;
    await service.createOrReplace(namespace, resourceOf(object), object);
  }
  const workflows: Workflow[] = [];
  for (const workflow of made) workflows.push(await createWorkflow(service, namespace, workflow));
  return workflows;
}

async function createWorkflow(service: ClusterService, namespace: string, workflow: Workflow): Promise<Workflow> {
  try {
    return await service.recreate(namespace, workflow);
  } catch (error) {
    if (!(error instanceof NameInUseError)) throw error;
    throw badInput(`${error.message}: set another name with --name`);
  }
}

async function retry(
  service: WorkflowService,
  namespace: string,
  which: string,
  { parameters }: SubmitOptions,
  world: World,
): Promise<Workflow> {
  const name = await resolveName(service, namespace, which);
  if (parameters?.size) warnOfUnknownToStarted(await service.get(namespace, name), parameters, world);
  return await service.retry(namespace, name, { parameters });
}

/** Wraps lines so that GitHub Actions does not interpret workflow commands in them: step logs are untrusted. */
function withCommandsStopped(lines: readonly string[]): string[] {
  const token = crypto.randomUUID();
  return [stopCommands(token), ...lines, resumeCommands(token)];
}

/** Returns the GitHub Actions annotation of a failed workflow. It names the file if only one was run. */
function annotationOf(workflow: Workflow, files: readonly string[]): string {
  const { metadata: { name = "" }, status } = workflow;
  const node = firstFailure(workflow);
  const [file, ...others] = files;
  return githubAnnotation(file === "-" || others.length > 0 ? undefined : file, {
    title: node ? `${name}: ${nodePath(node.name, name)}` : name,
    message: node?.message ?? status?.message ?? status?.phase ?? "",
  });
}

interface ReportOptions {
  readonly files: readonly string[];
  readonly service: WorkflowService;
  readonly flags: Flags;
  readonly world: World;
}

/** The maximum number of waiting nodes that are reported for a stopped workflow. */
const MAX_NAMED_NODES = 5;

/** Returns a line for each node that waited when the workflow was stopped. */
function waitingLines(nodes: readonly NodeStatus[]): string[] {
  const lines = nodes.slice(0, MAX_NAMED_NODES).map(({ displayName, name, message = "" }) =>
    `${escapeControls(displayName ?? name)} was waiting: ${escapeToOneLine(message)}`
  );
  const rest = nodes.length - lines.length;
  return rest > 0 ? [...lines, `${countText(rest, "more node")} waited`] : lines;
}

/**
 * Prints the workflows in the requested form, and the reason for each failure.
 * @throws {CommandError} with the exit code of a failure or interrupt, if a workflow did not succeed.
 */
async function report({ workflows, interrupted, waiting }: FollowResult, options: ReportOptions): Promise<void> {
  const { files, service, flags, world } = options;
  for (const workflow of workflows) {
    if (printObject(world, workflow, flags.output) || flags.output !== "wide") continue;
    const lines = describeWorkflow(workflow, { look: lookOf(flags, world), now: world.now(), wide: true });
    world.out(`\n${lines.join("\n")}\n`);
  }
  const failed = workflows.filter(({ status }) => status?.phase !== "Succeeded");
  if (failed.length === 0) return;
  for (const workflow of failed) {
    const { name, uid = "" } = workflow.metadata;
    for (const line of waitingLines(waiting.get(uid) ?? [])) world.err(`${line}\n`);
    if (!interrupted) {
      const lines = await failureReport(service, workflow);
      const shown = isGitHub(world) ? [...withCommandsStopped(lines), annotationOf(workflow, files)] : lines;
      world.err(`\n${shown.join("\n")}\n`);
    }
    const where = clusterFlagsText({ data: flags.data, namespace: flags.namespace });
    const word = interrupted ? `Workflow ${name} was stopped. To continue` : "To retry it from where it failed";
    world.err(`${word}:  tiphys run --retry ${name}${where}\n`);
  }
  throw endWith(interrupted === undefined ? EXIT_CODE.failed : EXIT_CODE[interrupted]);
}
