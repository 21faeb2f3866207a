/** `tiphys local`: keeps the embedded cluster running. */
import { Command, InvalidArgumentError } from "commander";
import { unfinishedWorkflows, type WorkflowService } from "@tiphys/service";
import { kubeconfigFile, kubeconfigOf } from "../../local/kubeconfig.ts";
import { CommandError } from "../command_error.ts";
import { addLocalClusterFlags, type LocalClusterFlags, localClusterOptions } from "../flags/local_cluster_flags.ts";
import { dataDirOf, type GlobalFlags } from "../flags/global_flags.ts";
import { clusterFlagsText, shellWord } from "../view/cluster_flags.ts";
import { escapeControls } from "../view/plain.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, LocalClusterFlags {
  readonly port?: number;
  readonly ui: boolean;
  readonly uiPort?: number;
  readonly open: boolean;
}

/** Creates the command `local`. */
export function localCommand(world: World): Command {
  return addLocalClusterFlags(new Command("local"))
    .option("--port <number>", "port on 127.0.0.1 (default: any free port)", parsePort)
    .option("--ui-port <number>", "port of the page (default: 2747, or any free port)", parsePort)
    .option("--no-ui", "do not serve the page")
    .option("--no-open", "do not open the page in a browser")
    .action((_flags: unknown, self: Command) => runUntilInterrupt(self.optsWithGlobals<Flags>(), world))
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

/** Runs the cluster until the first Ctrl-C. Unfinished workflows continue at the next start. */
async function runUntilInterrupt(flags: Flags, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const report = (line: string) => world.err(`${escapeControls(line)}\n`);
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>();
  using _listener = world.onInterrupt(() => interrupt());
  const cluster = await world.startLocalCluster({
    ...localClusterOptions(flags),
    dataDir,
    tls: true,
    port: flags.port,
    ...(flags.ui ? { page: { port: flags.uiPort } } : {}),
    log: report,
    onNotice: report,
  });
  try {
    const running = await world.findEngine(dataDir);
    world.out(`The embedded cluster runs at ${running?.url} with container runtime ${cluster.runtime}\n`);
    world.out(`Data folder: ${dataDir}\n`);
    if (cluster.page) {
      const link = await cluster.page.link();
      world.out(`\nThe page (the link is valid until the cluster ends):\n\n  ${link}\n\n`);
      // Without a browser, the printed link is enough.
      if (flags.open && world.terminal()) void world.openLink(link, interrupted).catch(() => {});
    }
    await printUnfinished(cluster.service, world);
    world.out(`For kubectl and other tools:\n\n  export KUBECONFIG=${shellWord(kubeconfigFile(dataDir))}\n\n`);
    world.out(
      `To use it with tiphys, set${clusterFlagsText({ local: true, data: flags.data })}. Press Ctrl-C to stop it\n`,
    );
    await interrupted;
    report("Stopping; unfinished workflows continue at the next start");
  } finally {
    await cluster.close();
  }
}

async function status(flags: Flags, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const running = await world.findEngine(dataDir);
  if (!running) throw notRunning(dataDir);
  world.out(`The embedded cluster runs at ${running.url}, process ${running.pid}\nData folder: ${dataDir}\n`);
  const { service, close } = await world.connect({ dataDir });
  try {
    await printUnfinished(service, world);
  } finally {
    await close();
  }
}

async function printKubeconfig(flags: Flags, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const running = await world.findEngine(dataDir);
  if (!running) throw notRunning(dataDir);
  world.out(kubeconfigOf(running));
}

async function reset(flags: Flags & { yes?: boolean }, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const isMeant = flags.yes || world.confirm(`Remove all workflows, logs, claims and artifacts in ${dataDir}?`);
  if (!isMeant) throw new CommandError("Nothing was removed: confirm the question, or set --yes");
  await world.removeData(dataDir);
  world.out(`Removed the data in ${dataDir}\n`);
}

async function printUnfinished(service: WorkflowService, world: World): Promise<void> {
  const names = await unfinishedWorkflows(service);
  if (names.length > 0) world.out(`Unfinished workflows: ${names.join(", ")}\n`);
}

function notRunning(dataDir: string): CommandError {
  const start = `tiphys local${clusterFlagsText({ data: dataDir })}`;
  return new CommandError(`No embedded cluster runs with data folder ${dataDir}: start one with  ${start}`);
}
