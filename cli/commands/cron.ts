/** `tiphys cron`. */
import { Command } from "commander";
import type { CronWorkflow, Workflow } from "@tiphys/model/api";
import { elapsed, timestamp } from "@tiphys/model/status";
import { applyToManifest } from "@tiphys/engine/workflow_actions";
import { CommandError } from "../command_error.ts";
import { addSubmitFlags, type SubmitFlags, submitOptions } from "../flags/submit_flags.ts";
import { warnOfUnknownParameters } from "../input/submitted_documents.ts";
import type { KubeObject } from "@tiphys/kube";
import { backfillCommand } from "./backfill.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { type ResourceChanges, resourceCommand } from "../resource_command.ts";
import { nextRunText, nextTimeText } from "../view/next_run.ts";
import type { World } from "../world.ts";
import { fieldsOf, isObject } from "@tiphys/base/fields_of";

interface WriteFlags extends SubmitFlags {
  readonly schedule?: string;
}

/**
 * Applies the flags of `submit` to the `workflowSpec` of a CronWorkflow, and `--name` and `--labels` to the
 * CronWorkflow itself.
 */
const CHANGES: ResourceChanges = {
  add: (command) => addSubmitFlags(command).option("--schedule <cron>", "schedule, instead of those of the file"),
  async read(read, world) {
    const flags = read as WriteFlags;
    const options = await submitOptions(flags, world);
    return (object) => {
      if (!isObject(object.spec)) return object;
      const started = { metadata: object.metadata, spec: object.spec.workflowSpec };
      const { metadata: changed, spec: workflowSpec } = applyToManifest(started, options);
      const metadata = flags.generateName && !flags.name && isObject(changed) ? withoutName(changed) : changed;
      const schedules = flags.schedule ? { schedules: [flags.schedule] } : {};
      return { ...object, metadata, spec: { ...object.spec, ...schedules, workflowSpec } };
    };
  },
  async warn(object, templates, flags, world) {
    warnOfUnknownParameters(workflowOfCron(object), templates, await submitOptions(flags as WriteFlags, world), world);
  },
};

/** Returns the workflow that a cron workflow starts. */
function workflowOfCron(cron: KubeObject): Pick<Workflow, "spec"> {
  // The file is validated already.
  return { spec: fieldsOf(cron.spec).workflowSpec as Workflow["spec"] };
}

/** Removes the name of the file, so that `--generate-name` takes effect. */
function withoutName(metadata: Record<string, unknown>): Record<string, unknown> {
  const { name: _, ...rest } = metadata;
  return rest;
}

/** Creates the command `cron`. */
export function cronCommand(world: World): Command {
  const command = resourceCommand<CronWorkflow>(world, {
    name: "cron",
    store: ({ cronWorkflows }) => cronWorkflows,
    kind: "CronWorkflow",
    changes: CHANGES,
    columns: [
      { title: "AGE", cell: ({ metadata }, now) => elapsed(metadata.creationTimestamp, undefined, now) },
      { title: "LAST RUN", cell: ({ status }, now) => elapsed(status?.lastScheduledTime, undefined, now) || "N/A" },
      { title: "NEXT RUN", cell: (cron, now) => nextRunText(cron, now) ?? "N/A" },
      { title: "SCHEDULES", cell: schedulesText },
      { title: "TIMEZONE", cell: ({ spec }) => spec.timezone ?? "" },
      { title: "SUSPENDED", cell: suspendedText },
    ],
    facts: (cron, now) => [
      ["Schedules", schedulesText(cron)],
      ["Suspended", suspendedText(cron)],
      ["Timezone", cron.spec.timezone],
      ["StartingDeadlineSeconds", cron.spec.startingDeadlineSeconds?.toString()],
      ["ConcurrencyPolicy", cron.spec.concurrencyPolicy],
      ["LastScheduledTime", cron.status?.lastScheduledTime && timestamp(cron.status.lastScheduledTime, now)],
      ["NextScheduledTime", nextTimeText(cron, now)],
      ["Active Workflows", cron.status?.active?.map(({ name }) => name).join(", ") || undefined],
      ...conditionFacts(cron),
      ...parameterFacts(cron),
    ],
  });
  return command
    .addCommand(suspension(world, "suspend"))
    .addCommand(suspension(world, "resume"))
    .addCommand(backfillCommand(world));
}

function conditionFacts({ status }: CronWorkflow): Fact[] {
  if (!status?.conditions?.length) return [];
  const facts = status.conditions.map(({ type, status: holds, message }): Fact => [`✖ ${type}`, message || holds]);
  return [["Conditions", " "], ...facts];
}

function parameterFacts({ spec }: CronWorkflow): Fact[] {
  const withValue = (spec.workflowSpec.arguments?.parameters ?? []).filter(({ value }) => value !== undefined);
  if (withValue.length === 0) return [];
  return [["Workflow Parameters", " "], ...withValue.map(({ name, value }): Fact => [`  ${name}`, value])];
}

type Fact = readonly [string, string | undefined];

/** Returns `true`, `false`, or `Stopped` after the stop strategy has stopped the schedule. */
function suspendedText({ spec, status }: CronWorkflow): string {
  return status?.phase === "Stopped" ? "Stopped" : String(spec.suspend ?? false);
}

function schedulesText({ spec }: CronWorkflow): string {
  return (spec.schedules ?? []).join(",");
}

function suspension(world: World, verb: "suspend" | "resume"): Command {
  return new Command(verb).argument("<names...>", "names of CronWorkflows")
    .action((names: string[], _flags: unknown, self: Command) =>
      withCluster(world, self.optsWithGlobals<GlobalFlags>(), async ({ service, namespace }) => {
        const unchanged: string[] = [];
        for (const name of names) {
          const { spec: { suspend = false } } = await service.cronWorkflows.get(namespace, name);
          if (suspend === (verb === "suspend")) {
            unchanged.push(`CronWorkflow '${name}' is ${suspend ? "suspended already" : "not suspended"}`);
            continue;
          }
          await service.cronWorkflows[verb](namespace, name);
          world.out(`CronWorkflow '${name}' ${verb === "suspend" ? "suspended" : "resumed"}\n`);
        }
        if (unchanged.length > 0) throw new CommandError(unchanged.join("\n"));
      })
    );
}
