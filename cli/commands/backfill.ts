/** `tiphys cron backfill`: creates the workflows that a cron workflow would have created in a past range of time. */
import { Command } from "commander";
import { formatTime, GoTime, parseTime, RFC1123 } from "@tiphys/base/go";
import { planBackfill } from "@tiphys/engine/workflow_actions";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { readInteger } from "../flags/submit_flags.ts";
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
    .option("--format <layout>", "format of the time, as a Go layout", RFC1123)
    .option("--maxworkflowcount <count>", "maximum number of workflows of one backfill workflow", "1000")
    .action((cron: string, _flags: unknown, self: Command) => backfill(cron, self.optsWithGlobals<Flags>(), world));
}

async function backfill(cronName: string, flags: Flags, world: World): Promise<void> {
  if (!flags.start) throw badInput("start date should not be empty");
  const start = parseTime(flags.format, flags.start);
  const end = flags.end ? parseTime(flags.format, flags.end) : GoTime.fromMilliseconds(world.now().getTime());
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

function randomSuffix(): string {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return [...crypto.getRandomValues(new Uint8Array(5))].map((byte) => letters[byte % letters.length]).join("");
}
