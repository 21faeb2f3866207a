/** Which workflows a command means: by name, or by what is true of them. */
import type { Command } from "commander";
import type { Workflow } from "../lib/api/mod.ts";
import { LABEL } from "../lib/constants.ts";
import { type KubeClient, WORKFLOWS } from "../lib/kube/mod.ts";
import { badInput, CommandError } from "./command_error.ts";
import { parseAge } from "./elapsed.ts";

/** What must be true of a workflow. */
export interface WorkflowFilter {
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly status?: string;
  readonly completed?: boolean;
  readonly running?: boolean;
  readonly resubmitted?: boolean;
  readonly prefix?: string;
  readonly older?: string;
  readonly since?: string;
}

/** Adds the two selectors of Kubernetes. */
export function addSelectorFlags(command: Command): Command {
  return command
    .option("-l, --selector <labels>", "only workflows with these labels: `a=b,c!=d`")
    .option("--field-selector <fields>", "only workflows with these fields: `metadata.name=a`");
}

/** Adds the flags that narrow a list. */
export function addFilterFlags(command: Command): Command {
  return addSelectorFlags(command)
    .option("--status <phases>", "only workflows in one of these phases, with commas between")
    .option("--completed", "only workflows that have ended")
    .option("--resubmitted", "only workflows that were made by resubmit")
    .option("--prefix <text>", "only workflows whose name begins so")
    .option("--older <age>", "only workflows that ended longer ago: `10m`, `3h`, `1d`");
}

const PAGE = 500;

/** Lists a namespace, or all of them: what runs first, then what ended last. */
export async function listWorkflows(
  client: KubeClient,
  namespace: string | undefined,
  filter: WorkflowFilter,
  now: Date,
): Promise<Workflow[]> {
  if (filter.completed && filter.running) throw badInput("--completed and --running cannot be used together");
  const query = { labelSelector: labelSelectorOf(filter) || undefined, fieldSelector: filter.fieldSelector };
  const passes = passesOf(filter, now);
  const found: Workflow[] = [];
  let next: string | undefined;
  do {
    const page = await client.list<Workflow>(WORKFLOWS, namespace, { ...query, limit: PAGE, continue: next });
    found.push(...page.items.filter(passes));
    next = page.metadata.continue;
  } while (next);
  return found.sort(inOrder);
}

/**
 * The names that a command was given, or those of the workflows that its selectors mean.
 * @throws {CommandError} when it got neither.
 */
export async function chooseNames(
  client: KubeClient,
  namespace: string,
  names: readonly string[],
  filter: WorkflowFilter,
  now: Date,
): Promise<string[]> {
  if (!filter.selector && !filter.fieldSelector) {
    if (names.length === 0) throw badInput("Expected the name of a workflow, or a selector");
    return await Promise.all(names.map((name) => resolveName(client, namespace, name)));
  }
  const chosen = await listWorkflows(client, namespace, filter, now);
  return [...new Set([...names, ...chosen.map(({ metadata }) => metadata.name ?? "")])];
}

/** The name of a workflow; `@latest` means the one that was created last. Throws CommandError when there is none. */
export async function resolveName(client: KubeClient, namespace: string, name: string): Promise<string> {
  if (name !== "@latest") return name;
  const { items } = await client.list<Workflow>(WORKFLOWS, namespace);
  const created = ({ metadata }: Workflow) => Date.parse(metadata.creationTimestamp ?? "") || 0;
  const version = ({ metadata }: Workflow) => Number(metadata.resourceVersion ?? 0);
  const [latest] = items.sort((a, b) => created(b) - created(a) || version(b) - version(a));
  if (!latest) throw new CommandError("No workflows found");
  return latest.metadata.name ?? "";
}

function labelSelectorOf({ selector, status, completed, running, resubmitted }: WorkflowFilter): string {
  return [
    selector,
    status && `${LABEL.phase} in (${status})`,
    completed && `${LABEL.completed}=true`,
    running && `${LABEL.completed}!=true`,
    resubmitted && LABEL.resubmittedFrom,
  ].filter(Boolean).join(",");
}

function passesOf({ prefix, older, since }: WorkflowFilter, now: Date): (workflow: Workflow) => boolean {
  const endedBefore = older ? now.getTime() - readAge("--older", older) : undefined;
  const createdAfter = since ? now.getTime() - readAge("--since", since) : undefined;
  return ({ metadata, status }) => {
    if (prefix && !metadata.name?.startsWith(prefix)) return false;
    if (endedBefore !== undefined && !(Date.parse(status?.finishedAt ?? "") < endedBefore)) return false;
    return createdAfter === undefined || Date.parse(metadata.creationTimestamp ?? "") > createdAfter;
  };
}

function readAge(flag: string, text: string): number {
  const millis = parseAge(text);
  if (millis === undefined) throw badInput(`Expected an age such as 10m, 3h or 1d for ${flag}, got "${text}"`);
  return millis;
}

function inOrder(a: Workflow, b: Workflow): number {
  const end = ({ status }: Workflow) => status?.finishedAt ? Date.parse(status.finishedAt) : Infinity;
  const start = ({ status, metadata }: Workflow) =>
    Date.parse(status?.startedAt ?? metadata.creationTimestamp ?? "") || 0;
  return end(a) === end(b) ? start(b) - start(a) : end(b) - end(a);
}
