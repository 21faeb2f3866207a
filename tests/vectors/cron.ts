/** Checkers of the vectors of cron workflows. */
import { type CronFacts, evaluateCronStop, evaluateCronWhen } from "../../lib/language/template/cron/conditions.ts";
import { RFC3339 } from "@tiphys/base/go/layout";
import { parseTime } from "@tiphys/base/go/layout_parse";
import { inTimezone, parseSchedule } from "@tiphys/language/template/cron/schedule";
import { type Check, checkOutcome, type Vector } from "./vector.ts";

function times(v: Vector): string[] {
  const schedule = parseSchedule(inTimezone(v.schedule, v.timezone), parseTime(RFC3339, v.from).zone);
  const found: string[] = [];
  for (let time: Date | undefined = new Date(v.from); time && found.length < v.count;) {
    time = schedule.next(time);
    found.push(time ? time.toISOString().replace(".000Z", "Z") : "");
  }
  return found;
}

function factsOf(v: Vector): CronFacts {
  return { ...v.cronWorkflow, lastScheduledTime: v.lastScheduledTime };
}

export const CRON: Record<string, Check> = {
  cron: (v) => checkOutcome(v, () => times(v)),
  cronwhen: (v) => checkOutcome(v, () => evaluateCronWhen(v.when ?? "", factsOf(v))),
  cronstop: (v) => checkOutcome(v, () => evaluateCronStop(v.expression ?? "", factsOf(v))),
};
