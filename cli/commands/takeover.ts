/**
 * `tiphys takeover`: replaces the images of an installed Argo by ours, verifies the result, and can restore the old
 * images.
 */
import { Command } from "commander";
import { countText, listText } from "@tiphys/base/count_text";
import { systemClock } from "@tiphys/base/clock";
import type { InstalledProgram, Manager, Replacement, Takeover, TakeoverFailure } from "@tiphys/installation/takeover";
import { VERSION } from "@tiphys/base/version";
import { badInput, CommandError, EXIT_CODE } from "../command_error.ts";
import { durationMillis, type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { escapeControls } from "../view/plain.ts";
import type { Connection, World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly controllerNamespace: string;
  readonly configmap?: string;
  readonly managedNamespace?: string;
  readonly registry: string;
  readonly tag: string;
  readonly canaryNamespace?: string;
  readonly canaryServiceAccount: string;
  readonly timeout: string;
  readonly apply?: true;
  readonly back?: true;
  readonly force?: true;
}

/** Creates the command `takeover`. */
export function takeoverCommand(world: World): Command {
  return new Command("takeover")
    .option("--controller-namespace <name>", "namespace of the installed controller", "argo")
    .option("--configmap <name>", "ConfigMap of the installed controller (default: the one that its arguments name)")
    .option("--managed-namespace <name>", "namespace that the controller manages (default: according to its arguments)")
    .option("--registry <address>", "registry and path of the images", "docker.io/tiphys")
    .option("--tag <tag>", "tag of the images", `v${VERSION}`)
    .option(
      "--canary-namespace <name>",
      "namespace of the workflow that verifies the takeover (default: a managed one)",
    )
    .option("--canary-service-account <name>", "service account of that workflow", "default")
    .option("--timeout <duration>", "timeout of each rollout and of that workflow", "5m")
    .option("--apply", "replace the images, verify, and roll back if that fails")
    .option("--back", "restore the installation from before the takeover")
    .option("--force", "restore even if pods of HTTP and plugin templates are running")
    .addHelpText(
      "after",
      "\nWithout --apply and --back it prints the plan and changes nothing. It never deletes anything." +
        "\nExit code: 0 if the plan can be applied or was applied; 1 otherwise",
    )
    .action((_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, (connection) => takeover(world, flags, connection));
    });
}

async function takeover(world: World, flags: Flags, connection: Connection): Promise<void> {
  if (!connection.takeover || !connection.preflight) {
    throw new CommandError("takeover requires direct access to the cluster: unset --argo-server and ARGO_SERVER");
  }
  if (flags.apply && flags.back) throw badInput("--apply and --back cannot be used together");
  const timeoutMillis = durationMillis("--timeout", flags.timeout);
  if (timeoutMillis === 0) {
    throw badInput(`--timeout: expected a duration greater than 0, got ${JSON.stringify(flags.timeout)}`);
  }
  checkImageNames(flags);
  const service = await connection.takeover();
  const programs = await service.programs(flags.controllerNamespace);
  if (programs.length === 0) {
    const others = await service.namespaces();
    throw new CommandError(
      `No workflow-controller or argo-server in namespace ${flags.controllerNamespace}: set --controller-namespace` +
        (others.length > 0 ? `; found in ${listText(others)}` : ""),
    );
  }
  if (flags.back) return await rollBack(world, flags, { service, programs, timeoutMillis });
  const { controllerNamespace, configmap, managedNamespace } = flags;
  const findings = await connection.preflight({ controllerNamespace, configMap: configmap, managedNamespace });
  const problems = findings.filter(({ severity }) => severity === "problem");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const say = (line: string) => world.out(`${escapeControls(line)}\n`);
  say(`Preflight: ${countText(problems.length, "problem")}, ${countText(warnings.length, "warning")}`);
  const missingRights = warnings.filter(({ check }) => check === "rights");
  for (const { severity, subject, path, message } of [...problems, ...missingRights]) {
    say(`  ${severity}: ${[subject, path].filter(Boolean).join(" ")}: ${message}`);
  }
  if (warnings.length > missingRights.length) say("  To list all warnings, run: tiphys preflight");
  await followPlan(world, flags, { service, programs, timeoutMillis, hasProblem: problems.length > 0 });
}

/** The programs of an installation, and the means to change them. */
interface TakeoverContext {
  readonly service: Takeover;
  readonly programs: readonly InstalledProgram[];
  readonly timeoutMillis: number;
}

async function followPlan(
  world: World,
  flags: Flags,
  context: TakeoverContext & { readonly hasProblem: boolean },
): Promise<void> {
  const { imagesOf, instructionsFor, planOf } = await import("@tiphys/installation/takeover");
  const { service, programs, timeoutMillis } = context;
  const say = (line: string) => world.out(`${escapeControls(line)}\n`);
  const namespace = flags.controllerNamespace;
  const images = imagesOf(flags.registry, flags.tag);
  const exchanges = planOf(programs, images);
  const canaries = await service.canaries(programs, {
    home: namespace,
    configMap: flags.configmap,
    namespace: flags.canaryNamespace ?? flags.managedNamespace,
    account: flags.canaryServiceAccount,
    executorImage: images.executor,
    instanceId: flags.instanceid,
  });
  say(exchanges.length === 0 ? "Plan: nothing to change" : "Plan:");
  for (const line of planLines(exchanges, namespace)) say(`  ${line}`);
  for (const canary of exchanges.length > 0 ? canaries : []) {
    const instance = canary.instanceId ? ` for instance ID ${canary.instanceId}` : "";
    say(`  Workflow in namespace ${canary.namespace}${instance}: a canary verifies the takeover`);
  }
  const owner = decisiveManager(exchanges);
  const isGitOps = owner === "argocd" || owner === "flux";
  if (owner !== "manifests" && exchanges.length > 0) {
    say("");
    say(OWNED[owner]);
    for (const line of instructionsFor(owner, { exchanges, images, namespace })) say(line);
  }
  if (flags.apply && isGitOps) throw new CommandError("Nothing was changed: change the repository as printed above");
  const missing = isGitOps
    ? []
    : await service.missingCallerRights(namespace, canaries.map((canary) => canary.namespace));
  const options = { namespace, canaries, timeoutMillis };
  const rehearsed = isGitOps || missing.length > 0 ? undefined : await service.rehearse(exchanges, options);
  const problems = [...missing, ...rehearsed?.problems ?? []];
  for (const problem of problems) say(`problem: ${problem}`);
  for (const warning of rehearsed?.warnings ?? []) say(`warning: ${warning}`);
  if (context.hasProblem || problems.length > 0) {
    throw new CommandError("Nothing was changed: solve the problems above first");
  }
  if (!flags.apply) {
    if (!isGitOps && exchanges.length > 0) {
      say("\nTo do this, run the command with --apply; --back returns to the earlier state");
    }
    return;
  }
  const stop = new AbortController();
  // A second interrupt ends the program.
  using listener = world.onInterrupt((signal) => {
    listener[Symbol.dispose]();
    stop.abort(new CommandError(`interrupted by ${signal}`, EXIT_CODE[signal]));
  });
  const failure = await service.apply(exchanges, options, {
    clock: world.clock ?? systemClock,
    report: say,
    signal: stop.signal,
  });
  if (failure !== undefined) {
    const { exitCode } = stop.signal.aborted ? stop.signal.reason as CommandError : { exitCode: undefined };
    throw new CommandError(failureText(failure), exitCode);
  }
  say("The takeover is done; to return to the earlier state, run: tiphys takeover --back");
}

/** @throws {CommandError} for a registry or tag that cannot be part of an image's name. */
function checkImageNames({ registry, tag }: Flags): void {
  if (!/^[a-z0-9]([\w.-]*[a-zA-Z0-9])?(:\d+)?(\/[a-z0-9]([a-z0-9._-]*[a-z0-9])?)*$/.test(registry)) {
    throw badInput(`--registry: expected an address such as docker.io/tiphys, got ${JSON.stringify(registry)}`);
  }
  if (!/^\w[\w.-]{0,127}$/.test(tag)) {
    throw badInput(`--tag: expected a tag such as v1.2.3, got ${JSON.stringify(tag)}`);
  }
}

function failureText({ reason, rollbackProblems }: TakeoverFailure): string {
  if (rollbackProblems.length === 0) return `The takeover was rolled back: ${reason}`;
  return `The takeover failed: ${reason}\nThe rollback failed, too: ${rollbackProblems.join("; ")}\n` +
    "To restore the remaining Deployments, run: tiphys takeover --back";
}

const OWNED: Readonly<Record<Exclude<Manager, "manifests">, string>> = {
  helm: "Helm manages this installation: its next upgrade undoes the takeover unless its values name the images.",
  argocd: "Argo CD manages this installation and undoes changes of the cluster.",
  flux: "Flux manages this installation and undoes changes of the cluster.",
};

/**
 * Returns the decisive manager: those that revert changes immediately before Helm, which reverts them at the next
 * upgrade.
 */
function decisiveManager(exchanges: readonly Replacement[]): Manager {
  const managers = exchanges.map(({ program }) => program.manager);
  return (["argocd", "flux", "helm"] as const).find((manager) => managers.includes(manager)) ?? "manifests";
}

function planLines(exchanges: readonly Replacement[], namespace: string): string[] {
  return exchanges.flatMap(({ program, to }) => [
    `Deployment/${namespace}/${program.name}: image ${program.image} becomes ${to.image}`,
    ...(JSON.stringify(program.args) === JSON.stringify(to.args) ? [] : [`  arguments: ${to.args.join(" ")}`]),
  ]);
}

async function rollBack(
  world: World,
  flags: Flags,
  { service, programs, timeoutMillis }: TakeoverContext,
): Promise<void> {
  if (!programs.some(({ before }) => before !== undefined)) {
    throw new CommandError(
      `No Deployment in namespace ${flags.controllerNamespace} has a record of a takeover: nothing to restore`,
    );
  }
  const report = (line: string) => world.out(`${escapeControls(line)}\n`);
  const pods = await service.podsInFlight(programs, flags.controllerNamespace, flags.managedNamespace);
  if (pods === undefined && !flags.force) {
    throw new CommandError(
      "Nothing was changed: you may not list pods, so pods in flight are unknown. To restore anyway, set --force",
    );
  }
  const { agents, others } = pods ?? { agents: [], others: [] };
  if (others.length > 0) {
    report(
      `${countText(others.length, "pod")} in flight: they end under Argo; the messages of those that fail are JSON`,
    );
  }
  if (agents.length > 0) {
    const problem =
      `${countText(agents.length, "agent")} in flight (${listText(agents)}): their HTTP and plugin templates ` +
      "would stay pending under Argo";
    if (!flags.force) {
      throw new CommandError(`Nothing was changed: ${problem}. Wait until they have finished, or set --force`);
    }
    report(problem);
  }
  const options = { namespace: flags.controllerNamespace, timeoutMillis };
  const problem = await service.goBack(programs, options, { clock: world.clock ?? systemClock, report });
  if (problem !== undefined) throw new CommandError(problem);
  world.out("The installation is in its state before the takeover\n");
}
