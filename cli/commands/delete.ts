/** `tiphys delete`. */
import { Command } from "commander";
import { badInput } from "../command_error.ts";
import { classifyError } from "@tiphys/kube";
import { listAll, resolveName, type WorkflowService } from "@tiphys/service";
import { addFilterFlags, queryOf, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { readInteger } from "../flags/submit_flags.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly all?: boolean;
  readonly allNamespaces?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly queryChunkSize?: string;
}

interface Key {
  readonly namespace: string;
  readonly name: string;
  /** Whether a list contained it, so that it exists. */
  readonly isListed?: boolean;
}

/** Creates the command `delete`. */
export function deleteCommand(world: World): Command {
  return addFilterFlags(new Command("delete").argument("[workflows...]", "names; @latest is the newest"))
    .option("--all", "all workflows")
    .option("-A, --all-namespaces", "workflows of all namespaces")
    .option("--query-chunk-size <number>", "maximum number of workflows that each request returns")
    .option("--dry-run", "print the workflows without deleting them")
    .option("--force", "remove finalizers that prevent the deletion")
    .addHelpText(
      "after",
      "\nA workflow that does not exist is reported as `not found`, and the exit code is still 0, as with `argo delete`.",
    )
    .action((requestedNames: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      if (requestedNames.length === 0 && !hasSelection(flags)) {
        throw badInput("requires either a workflow or other argument");
      }
      return withCluster(world, flags, async ({ service, namespace }) => {
        const keys = await chooseKeys(service, namespace, requestedNames, flags, world.now());
        if (keys.length === 0) world.out("No resources found\n");
        for (const key of keys) await remove(service, key, flags, world);
      });
    });
}

/** Whether the flags select workflows. */
function hasSelection(flags: Flags): boolean {
  const { all, completed, resubmitted, prefix, selector, fieldSelector, older, status } = flags;
  return [all, completed, resubmitted, prefix, selector, fieldSelector, older, status].some(Boolean);
}

async function chooseKeys(
  service: WorkflowService,
  namespace: string,
  requestedNames: readonly string[],
  flags: Flags,
  now: Date,
): Promise<Key[]> {
  const named = await Promise.all(
    requestedNames.map(async (name) => ({ namespace, name: await resolveName(service, namespace, name) })),
  );
  if (!hasSelection(flags)) return named;
  const chunk = flags.queryChunkSize === undefined ? 0 : readInteger("--query-chunk-size", flags.queryChunkSize);
  const where = flags.allNamespaces ? undefined : namespace;
  const listed = await listAll(service, where, queryOf(flags, now), chunk > 0 ? chunk : undefined);
  return [
    ...named,
    ...listed.map(({ metadata }) => ({
      namespace: metadata.namespace ?? namespace,
      name: metadata.name ?? "",
      isListed: true,
    })),
  ];
}

async function remove(service: WorkflowService, key: Key, flags: Flags, world: World): Promise<void> {
  const { namespace, name } = key;
  try {
    if (!flags.dryRun) await service.delete(namespace, name, { force: flags.force });
    else if (!key.isListed) await service.get(namespace, name);
    world.out(`Workflow '${name}' deleted${flags.dryRun ? " (dry-run)" : ""}\n`);
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
    world.out(`Workflow '${name}' not found\n`);
  }
}
