/** `tiphys cron backfill`: creates the workflows that a cron workflow would have created in a past range of time. */
import { Command } from "commander";
import { formatTime, GoTime, parseTime, RFC1123, RFC3339 } from "@tiphys/base/go";
import { planBackfill } from "@tiphys/engine/workflow_actions";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { readInteger } from "../flags/submit_flags.ts";
import { isBug } from "@tiphys/kube/errors";
import { badInput } from "../command_error.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly name?: string;
  readonly start?: string;
  readonly end?: string;
  readonly parallel?: boolean;
  readonly argname: string;
  readonly format: string;
  readonly maxworkflowcount: string;
}

/** Creates the command `backfill`. */
export function backfillCommand(world: World): Command {
  return new Command("backfill")
    .argument("<cronworkflow>", "name of the CronWorkflow")
    .option("--name <name>", "name of the backfill (default: five random letters)")
    .option("--start <time>", "start of the range")
    .option("--end <time>", "end of the range (default: now)")
    .option("--parallel", "run all workflows in parallel")
    .option("--argname <name>", "parameter that receives the scheduled time", "cronScheduleTime")
    .option("--format <layout>", "format of the times, as a Go layout; RFC 3339 is accepted too", RFC1123)
    .option("--maxworkflowcount <count>", "maximum number of workflows of one backfill workflow", "1000")
    .action((cron: string, _flags: unknown, self: Command) => backfill(cron, self.optsWithGlobals<Flags>(), world));
}

async function backfill(cronName: string, flags: Flags, world: World): Promise<void> {
  if (!flags.start) throw badInput("start date should not be empty");
  const start = readTime("--start", flags.start, flags.format);
  const end = flags.end ? readTime("--end", flags.end, flags.format) : GoTime.fromMilliseconds(world.now().getTime());
  const name = flags.name || randomSuffix();
  await withCluster(world, flags, async ({ service, namespace }) => {
    const cron = await service.cronWorkflows.get(namespace, cronName);
    const { workflows, instants } = planBackfill(cron, {
      name,
      start: new Date(start.seconds * 1000),
      end: new Date(end.seconds * 1000),
      zone: start.zone,
      parallel: flags.parallel,
      argName: flags.argname,
      maxWorkflowCount: readInteger("--maxworkflowcount", flags.maxworkflowcount),
    });
    if (workflows.length === 0) {
      world.out("There is no suitable scheduling time.\n");
      return;
    }
    const created: string[] = [];
    for (const workflow of workflows) {
      created.push((await service.create(namespace, workflow)).metadata.name ?? "");
    }
    const rule = "==================================================";
    const lines = [
      `Created ${name} Backfill task for Cronworkflow ${cronName}`,
      rule,
      "Backfill Period :",
      `Start Time : ${flags.start}`,
      `  End Time : ${flags.end ?? formatTime(end, RFC1123)}`,
      `Total Backfill Schedule: ${instants.length}`,
      rule,
      "Backfill Workflows:",
      "   NAMESPACE\t WORKFLOW:",
      ...created.map((workflow, index) => `${index + 1}. ${namespace} \t ${workflow}`),
    ];
    world.out(lines.map((line) => `${line}\n`).join(""));
  });
}

/** Parses a time in the given layout, or in RFC 3339. @throws {CommandError} that names the flag. */
function readTime(flag: string, text: string, layout: string): GoTime {
  const layouts = layout === RFC3339 ? [layout] : [layout, RFC3339];
  for (const candidate of layouts) {
    try {
      return parseTime(candidate, text);
    } catch (error) {
      if (isBug(error)) throw error;
    }
  }
  throw badInput(`${flag}: expected a time such as 2026-01-31T06:00:00Z or "${layout}", got ${JSON.stringify(text)}`);
}

function randomSuffix(): string {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return [...crypto.getRandomValues(new Uint8Array(5))].map((byte) => letters[byte % letters.length]).join("");
}
