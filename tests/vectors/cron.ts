/** Checkers of the vectors of cron workflows. */
import { type CronFacts, evaluateCronStop, evaluateCronWhen } from "../../lib/language/template/cron/conditions.ts";
import { RFC3339 } from "@tiphys/base/go/layout";
import { parseTime } from "@tiphys/base/go/layout_parse";
import { inTimezone, parseSchedule } from "@tiphys/language/template/cron/schedule";
import { type Check, checkOutcome, type Vector } from "./vector.ts";

function times(vector: Vector): string[] {
  const schedule = parseSchedule(inTimezone(vector.schedule, vector.timezone), parseTime(RFC3339, vector.from).zone);
  const found: string[] = [];
  for (let time: Date | undefined = new Date(vector.from); time && found.length < vector.count;) {
    time = schedule.next(time);
    found.push(time ? time.toISOString().replace(".000Z", "Z") : "");
  }
  return found;
}

function factsOf(vector: Vector): CronFacts {
  return { ...vector.cronWorkflow, lastScheduledTime: vector.lastScheduledTime };
}

export const CRON: Record<string, Check> = {
  cron: (vector) => checkOutcome(vector, () => times(vector)),
  cronwhen: (vector) => checkOutcome(vector, () => evaluateCronWhen(vector.when ?? "", factsOf(vector))),
  cronstop: (vector) => checkOutcome(vector, () => evaluateCronStop(vector.expression ?? "", factsOf(vector))),
};
