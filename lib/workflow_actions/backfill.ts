/** Backfill: the workflows that a cron workflow would have made in a time that has passed, made now. */
import type { CronWorkflow, Parameter, Workflow } from "../api/mod.ts";
import { API_VERSION } from "../api/mod.ts";
import { LABEL } from "../constants.ts";
import { formatTime, GoTime, type GoZone, TIME_STRING } from "../go/mod.ts";
import { LIMITS } from "../limits.ts";
import { backfillPrefix } from "../status/mod.ts";
import { inTimezone, parseSchedule, type Schedule } from "../template/cron/schedule.ts";
import { ActionError } from "./error.ts";
import { workflowFromCron } from "./from_template.ts";

/** The time that a backfill makes up for, and the way in which it does. */
export interface BackfillOptions {
  /** The name of the backfill: part of its workflows' names, and its mutex. */
  readonly name: string;
  /** After this moment. */
  readonly start: Date;
  /** Up to this moment, and at it. */
  readonly end: Date;
  /** The zone in which the instants are written. */
  readonly zone?: GoZone | undefined;
  /** All at once; else one after the other, the earliest first. */
  readonly parallel?: boolean | undefined;
  /** The argument of the workflows that has their instant. */
  readonly argName: string;
  /** Instants of one workflow of the backfill at most. */
  readonly maxWorkflowCount: number;
}

/** A backfill: the workflows that make those of the instants, and the instants, as Go writes times. */
export interface Backfill {
  readonly workflows: readonly Workflow[];
  readonly instants: readonly string[];
}

const INSTANT = "backfillscheduletime";
const PRIORITY = "backfillpriority";
/** Stands in the manifest where the priority's tag will: a number cannot be written as one. */
const PRIORITY_MARK = 2_147_483_646;
const MOST_PRIORITY = 2_147_483_647;

/**
 * Plans a backfill over all schedules of a cron workflow. No workflow where no schedule fires.
 * @throws {ActionError} for more instants than one backfill may have, or a count of none for each.
 * @throws {CronError} when a schedule cannot be read.
 */
export function planBackfill(cron: CronWorkflow, options: BackfillOptions): Backfill {
  const { maxWorkflowCount, parallel } = options;
  if (!(maxWorkflowCount >= 1)) throw new ActionError(`Expected a count of at least 1, got ${maxWorkflowCount}`);
  const instants = instantsOf(cron, options);
  const items = instants.map((time, index) => ({ [INSTANT]: time, [PRIORITY]: MOST_PRIORITY - index }));
  const manifest = manifestOf(cron, options);
  const workflows: Workflow[] = [];
  for (let from = 0; from < items.length; from += maxWorkflowCount) {
    const part = parallel ? instants.slice(from, from + maxWorkflowCount) : items.slice(from, from + maxWorkflowCount);
    workflows.push(makerOf(cron, manifest, JSON.stringify(part), parallel === true));
  }
  return { workflows, instants };
}

/** The moments at which one of the schedules fires, in order, each once. */
function instantsOf(cron: CronWorkflow, { start, end, zone }: BackfillOptions): string[] {
  const { schedules = [], timezone } = cron.spec;
  const read = schedules.map((text) => parseSchedule(inTimezone(text, timezone)));
  const found = new Set<number>();
  for (const schedule of read) {
    for (let at = nextOf(schedule, start); at !== undefined && at <= end; at = nextOf(schedule, at)) {
      found.add(at.getTime());
      if (found.size > LIMITS.backfillInstants) {
        throw new ActionError(
          `The schedules fire more than ${LIMITS.backfillInstants} times in that time: choose a shorter one`,
        );
      }
    }
  }
  return [...found].sort((a, b) => a - b).map((at) => formatTime(inZone(at, zone), TIME_STRING));
}

/** The first instant after a moment; one that repeats counts from there. */
function nextOf(schedule: Schedule, after: Date): Date | undefined {
  const { everySeconds } = schedule;
  if (everySeconds === undefined) return schedule.next(after);
  return new Date((Math.floor(after.getTime() / 1000) + everySeconds) * 1000);
}

function inZone(millis: number, zone: GoZone | undefined): GoTime {
  const { seconds, nanosecond } = GoTime.fromMilliseconds(millis);
  return new GoTime(seconds, nanosecond, zone);
}

/** The workflow of an instant, as a manifest with tags. */
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
      // A lock goes to the highest priority first: so the workflows run in their order.
      ...(parallel ? {} : { priority: PRIORITY_MARK, synchronization: { mutexes: [{ name }] } }),
    },
  };
  const text = JSON.stringify(workflow, undefined, 2);
  return parallel
    ? text
    : text.replace(`"priority": ${PRIORITY_MARK}`, `"priority": {{inputs.parameters.${PRIORITY}}}`);
}

/** The workflow that makes those of a list of instants, and succeeds with them. */
function makerOf(cron: CronWorkflow, manifest: string, withParam: string, parallel: boolean): Workflow {
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
