/** `tiphys delete`. */
import { Command } from "commander";
import { type KubeClient, sortError, WORKFLOWS } from "../../lib/kube/mod.ts";
import { addFilterFlags, listWorkflows, resolveName, type WorkflowFilter } from "../choose_workflows.ts";
import { badInput } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly all?: boolean;
  readonly allNamespaces?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

interface Key {
  readonly namespace: string;
  readonly name: string;
}

/** Makes the command. */
export function deleteCommand(world: World): Command {
  return addFilterFlags(new Command("delete").argument("[workflows...]", "names; @latest is the newest"))
    .option("--all", "all workflows")
    .option("-A, --all-namespaces", "of all namespaces")
    .option("--dry-run", "only say which workflows would be deleted")
    .option("--force", "also where a finalizer holds a workflow back: it is removed")
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ client, namespace }) => {
        const keys = await choose(client, namespace, given, flags, world.now());
        if (keys.length === 0) world.out("No resources found\n");
        for (const key of keys) await remove(client, key, flags, world);
      });
    });
}

async function choose(
  client: KubeClient,
  namespace: string,
  given: readonly string[],
  flags: Flags,
  now: Date,
): Promise<Key[]> {
  const { all, completed, resubmitted, prefix, selector, fieldSelector, older, status } = flags;
  const named = await Promise.all(
    given.map(async (name) => ({ namespace, name: await resolveName(client, namespace, name) })),
  );
  if (!all && !completed && !resubmitted && !prefix && !selector && !fieldSelector && !older && !status) {
    if (named.length === 0) throw badInput("Expected names of workflows, --all, or what is true of those to delete");
    return named;
  }
  const listed = await listWorkflows(client, flags.allNamespaces ? undefined : namespace, flags, now);
  return [
    ...named,
    ...listed.map(({ metadata }) => ({ namespace: metadata.namespace ?? namespace, name: metadata.name ?? "" })),
  ];
}

async function remove(client: KubeClient, { namespace, name }: Key, flags: Flags, world: World): Promise<void> {
  if (flags.dryRun) return world.out(`Workflow '${name}' deleted (dry-run)\n`);
  try {
    if (flags.force) await client.patch(WORKFLOWS, namespace, name, { metadata: { finalizers: null } });
    await client.delete(WORKFLOWS, namespace, name, { propagationPolicy: "Background" });
    world.out(`Workflow '${name}' deleted\n`);
  } catch (error) {
    if (sortError(error) !== "notFound") throw error;
    world.out(`Workflow '${name}' not found\n`);
  }
}
