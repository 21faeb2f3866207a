/** `tiphys local`: the embedded cluster as a place that stays. */
import { Command, InvalidArgumentError } from "commander";
import { unfinishedWorkflows, type WorkflowService } from "@tiphys/service";
import { kubeconfigFile, kubeconfigOf } from "../../local/kubeconfig.ts";
import { CommandError } from "../command_error.ts";
import { addLocalClusterFlags, type LocalClusterFlags, localClusterOptions } from "../flags/local_cluster_flags.ts";
import { dataDirOf, type GlobalFlags } from "../flags/global_flags.ts";
import { plain } from "../view/plain.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, LocalClusterFlags {
  readonly port?: number;
  readonly ui: boolean;
  readonly uiPort?: number;
}

/** Makes the command. */
export function localCommand(world: World): Command {
  return addLocalClusterFlags(new Command("local"))
    .option("--port <number>", "port on 127.0.0.1 (default: any free port)", parsePort)
    .option("--ui-port <number>", "port of the page (default: 2747, or any free port)", parsePort)
    .option("--no-ui", "do not serve the page")
    .action((_flags: unknown, self: Command) => stay(self.optsWithGlobals<Flags>(), world))
    .addCommand(
      new Command("status")
        .action((_flags: unknown, self: Command) => status(self.optsWithGlobals<Flags>(), world)),
    )
    .addCommand(
      new Command("kubeconfig")
        .action((_flags: unknown, self: Command) => printKubeconfig(self.optsWithGlobals<Flags>(), world)),
    )
    .addCommand(
      new Command("reset")
        .option("--yes", "do not ask for confirmation")
        .action((_flags: unknown, self: Command) => reset(self.optsWithGlobals<Flags & { yes?: boolean }>(), world)),
    );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("Expected a number from 0 to 65535.");
  return port;
}

/** Runs it until the first Ctrl-C; workflows that have not ended go on at the next start. */
async function stay(flags: Flags, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const say = (line: string) => world.err(`${plain(line)}\n`);
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>();
  using _listener = world.onInterrupt(() => interrupt());
  const cluster = await world.startLocalCluster({
    ...localClusterOptions(flags),
    dataDir,
    tls: true,
    port: flags.port,
    ...(flags.ui ? { page: { port: flags.uiPort } } : {}),
    log: say,
    onNotice: say,
  });
  try {
    const running = await world.findEngine(dataDir);
    world.out(`The embedded cluster runs at ${running?.url}, containers by the ${cluster.runtime} back end\n`);
    world.out(`Its data: ${dataDir}\n`);
    if (cluster.page) {
      world.out(`\nThe page, by a link that lets in once, within a minute (tiphys ui prints another):\n\n`);
      world.out(`  ${await cluster.page.link()}\n\n`);
    }
    await tellWorkflows(cluster.service, world, "go on from where they were");
    world.out(`For kubectl and other tools:\n\n  export KUBECONFIG=${shellWord(kubeconfigFile(dataDir))}\n\n`);
    world.out(`tiphys finds it with ${clusterFlag(flags)}. Ctrl-C ends it\n`);
    await interrupted;
    say("Ending; workflows that have not ended go on at the next start");
  } finally {
    await cluster.close();
  }
}

async function status(flags: Flags, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const running = await world.findEngine(dataDir);
  if (!running) throw new CommandError(`No embedded cluster runs over ${dataDir}: start one by  tiphys local`);
  world.out(`The embedded cluster runs at ${running.url}, process ${running.pid}\nIts data: ${dataDir}\n`);
  const { service, close } = await world.connect({ dataDir });
  try {
    await tellWorkflows(service, world, "have not ended");
  } finally {
    await close();
  }
}

async function printKubeconfig(flags: Flags, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const running = await world.findEngine(dataDir);
  if (!running) throw new CommandError(`No embedded cluster runs over ${dataDir}: start one by  tiphys local`);
  world.out(kubeconfigOf(running));
}

async function reset(flags: Flags & { yes?: boolean }, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const isMeant = flags.yes || world.confirm(`Remove all workflows, logs, claims and artifacts in ${dataDir}?`);
  if (!isMeant) throw new CommandError("Nothing was removed: say yes when asked, or give --yes");
  await world.removeData(dataDir);
  world.out(`Removed what was in ${dataDir}\n`);
}

async function tellWorkflows(service: WorkflowService, world: World, what: string): Promise<void> {
  const names = await unfinishedWorkflows(service);
  if (names.length > 0) world.out(`Workflows that ${what}: ${names.join(", ")}\n`);
}

function clusterFlag({ data }: Flags): string {
  return data === undefined ? "--local" : `--data ${shellWord(data)}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
