/** Advice for the name of a workflow, template or schedule that does not exist. */
import { didYouMean } from "@tiphys/base/nearest_name";
import { isBug, KubeError } from "@tiphys/kube/errors";
import type { NameQuery, WorkflowName, WorkflowService } from "@tiphys/service";
import { CommandError } from "../command_error.ts";
import { type ClusterFlags, clusterFlagsText } from "../view/cluster_flags.ts";

/** Words that kubectl and its users write before a name. */
const KIND_WORDS = ["wf", "workflow", "workflows", "workflow.argoproj.io", "workflows.argoproj.io"];

/** The commands that list other kinds, by plural. */
const LIST_COMMANDS: Readonly<Record<string, string>> = {
  workflowtemplates: "template list",
  clusterworkflowtemplates: "cluster-template list",
  cronworkflows: "cron list",
};

/** Maximum number of workflows whose names are compared. */
const COMPARED = 500;

/** Time limit for each search, in milliseconds: the error is more important than the advice. */
const SEARCH_MILLIS = 3000;

/** Returns the error of an object that was not found with the next step; any other error unchanged. */
export async function withNameAdvice(
  error: unknown,
  { service, namespace }: { readonly service: WorkflowService; readonly namespace: string },
  flags: ClusterFlags,
): Promise<unknown> {
  if (!(error instanceof KubeError) || error.status !== 404) return error;
  const { message } = error;
  const [, plural = "", name = ""] = /^(\w+)\.argoproj\.io "([^"]+)" not found$/.exec(message) ?? [];
  const toSeeAll = (command: string) =>
    new CommandError(`${message}\nTo see all:  tiphys ${command}${clusterFlagsText(flags)}`);
  if (Object.hasOwn(LIST_COMMANDS, plural)) return toSeeAll(LIST_COMMANDS[plural]!);
  if (plural !== "workflows") return error;
  if (KIND_WORDS.includes(name)) return new CommandError(`${message}\nWrite the name without the kind`);
  const [elsewhere] = await namesOf(service, undefined, { fieldSelector: `metadata.name=${name}`, limit: 1 });
  if (elsewhere !== undefined) {
    return new CommandError(`${message}\nIt is in namespace ${elsewhere.namespace}: set  -n ${elsewhere.namespace}`);
  }
  const names = (await namesOf(service, namespace, { limit: COMPARED })).map((workflow) => workflow.name);
  const longer = names.find((candidate) => candidate.startsWith(name));
  const similar = longer === undefined ? didYouMean(name, names) : `; did you mean ${JSON.stringify(longer)}?`;
  if (similar !== "") return new CommandError(`${message}${similar}`);
  return toSeeAll("list");
}

/** The names of workflows; empty if they cannot be listed in time. */
async function namesOf(
  service: WorkflowService,
  namespace: string | undefined,
  query: NameQuery,
): Promise<readonly WorkflowName[]> {
  try {
    return await service.names(namespace, query, AbortSignal.timeout(SEARCH_MILLIS));
  } catch (error) {
    if (isBug(error)) throw error;
    return [];
  }
}
