/** Backfill: creates the workflows that a cron workflow would have created in a past period. */
import { API_VERSION, type CronWorkflow, type Parameter, type Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { formatTime, GoTime, type GoZone, TIME_STRING } from "@tiphys/base/go";
import { LIMITS } from "@tiphys/base/limits";
import { backfillPrefix } from "@tiphys/model/status";
import { inTimezone, parseSchedule, type Schedule } from "@tiphys/language/template/cron/schedule";
import { ActionError } from "./error.ts";
import { workflowFromCron } from "./from_template.ts";

/** The period of a backfill, and its options. */
export interface BackfillOptions {
  /** The name of the backfill. It is part of its workflows' names, and its mutex. */
  readonly name: string;
  /** Start of the period, exclusive. */
  readonly start: Date;
  /** End of the period, inclusive. */
  readonly end: Date;
  /** The time zone in which instants are formatted. */
  readonly zone?: GoZone | undefined;
  /** Whether all workflows run at once. By default they run one after the other, the earliest first. */
  readonly parallel?: boolean | undefined;
  /** The argument of the workflows that contains their instant. */
  readonly argName: string;
  /** Maximum number of instants of one workflow of the backfill. */
  readonly maxWorkflowCount: number;
}

/** A backfill: the workflows that create those of the instants, and the instants, formatted like Go's times. */
export interface Backfill {
  readonly workflows: readonly Workflow[];
  readonly instants: readonly string[];
}

const INSTANT = "backfillscheduletime";
const PRIORITY = "backfillpriority";
/** Placeholder in the manifest for the tag of the priority, because a tag cannot be written as a number. */
const PRIORITY_PLACEHOLDER = 2_147_483_646;
const MAX_PRIORITY = 2_147_483_647;

/**
 * Plans a backfill over all schedules of a cron workflow. Returns no workflows if no schedule fires in the period.
 * @throws {ActionError} for more instants than one backfill may have, or a maxWorkflowCount less than 1.
 * @throws {CronError} when a schedule cannot be parsed.
 */
export function planBackfill(cron: CronWorkflow, options: BackfillOptions): Backfill {
  const { maxWorkflowCount, parallel } = options;
  if (!(maxWorkflowCount >= 1)) throw new ActionError(`Expected a count of at least 1, got ${maxWorkflowCount}`);
  const instants = instantsOf(cron, options);
  const items = instants.map((time, index) => ({ [INSTANT]: time, [PRIORITY]: MAX_PRIORITY - index }));
  const manifest = manifestOf(cron, options);
  const workflows: Workflow[] = [];
  for (let from = 0; from < items.length; from += maxWorkflowCount) {
    const part = parallel ? instants.slice(from, from + maxWorkflowCount) : items.slice(from, from + maxWorkflowCount);
    workflows.push(creatorWorkflow(cron, manifest, JSON.stringify(part), parallel === true));
  }
  return { workflows, instants };
}

/** Returns the times at which one of the schedules fires, sorted, without duplicates. */
function instantsOf(cron: CronWorkflow, { start, end, zone }: BackfillOptions): string[] {
  const { schedules = [], timezone } = cron.spec;
  const parsed = schedules.map((text) => parseSchedule(inTimezone(text, timezone)));
  const found = new Set<number>();
  for (const schedule of parsed) {
    for (let time = nextOf(schedule, start); time !== undefined && time <= end; time = nextOf(schedule, time)) {
      found.add(time.getTime());
      if (found.size > LIMITS.backfillInstants) {
        throw new ActionError(
          `The schedules fire more than ${LIMITS.backfillInstants} times in that time: choose a shorter one`,
        );
      }
    }
  }
  return [...found].sort((a, b) => a - b).map((time) => formatTime(inZone(time, zone), TIME_STRING));
}

/** Returns the first instant after a time. An interval counts from that time. */
function nextOf(schedule: Schedule, after: Date): Date | undefined {
  const { intervalSeconds: everySeconds } = schedule;
  if (everySeconds === undefined) return schedule.next(after);
  return new Date((Math.floor(after.getTime() / 1000) + everySeconds) * 1000);
}

function inZone(millis: number, zone: GoZone | undefined): GoTime {
  const { seconds, nanosecond } = GoTime.fromMilliseconds(millis);
  return new GoTime(seconds, nanosecond, zone);
}

/** Returns the workflow of an instant, as a manifest with tags. */
function manifestOf(cron: CronWorkflow, { name, argName, parallel }: BackfillOptions): string {
  const { metadata: { ownerReferences: _none, ...metadata }, spec } = workflowFromCron(cron);
  const instant: Parameter = { name: argName, value: `{{inputs.parameters.${INSTANT}}}` };
  const others = (spec.arguments?.parameters ?? []).filter((parameter) => parameter.name !== argName);
  const workflow: Workflow = {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { ...metadata, generateName: `${backfillPrefix(cron.metadata.name ?? "", name)}-` },
    spec: {
      ...spec,
      arguments: { ...spec.arguments, parameters: [...others, instant] },
      // A mutex is granted to the highest priority first, so the workflows run in order.
      ...(parallel ? {} : { priority: PRIORITY_PLACEHOLDER, synchronization: { mutexes: [{ name }] } }),
    },
  };
  const text = JSON.stringify(workflow, undefined, 2);
  return parallel
    ? text
    : text.replace(`"priority": ${PRIORITY_PLACEHOLDER}`, `"priority": {{inputs.parameters.${PRIORITY}}}`);
}

/** Returns the workflow that creates those of a list of instants, and succeeds when they do. */
function creatorWorkflow(cron: CronWorkflow, manifest: string, withParam: string, parallel: boolean): Workflow {
  const names = parallel ? [INSTANT] : [INSTANT, PRIORITY];
  const tagOf = (name: string) => parallel ? "{{item}}" : `{{item.${name}}}`;
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { generateName: "backfill-wf-", labels: { [LABEL.backfill]: cron.metadata.name ?? "" } },
    spec: {
      entrypoint: "main",
      templates: [
        {
          name: "main",
          steps: [[{
            name: "create-workflow",
            template: "create-workflow",
            arguments: { parameters: names.map((name) => ({ name, value: tagOf(name) })) },
            withParam,
          }]],
        },
        {
          name: "create-workflow",
          inputs: { parameters: names.map((name) => ({ name })) },
          resource: { action: "create", successCondition: "status.phase == Succeeded", manifest },
        },
      ],
    },
  };
}
