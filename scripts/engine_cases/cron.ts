/** Cases of cron workflows. */
import type { CoveredCase } from "../case_coverage.ts";
import { BACKFILL, COUNTS, CRON, CRON_CONDITIONS, CRON_STATUS, cronScenario, SCHEDULE, SLOTS } from "./places.ts";

export const CRON_CASES: Readonly<Record<string, CoveredCase>> = {
  "CR-1": {
    behavior: "The due time is the latest slot of all schedules, in the time zone.",
    tests: [[SLOTS, "slots: the latest slot is the same as the last one found by"], [
      SCHEDULE,
      "parseSchedule: time zones are named as in the zone database",
    ], [
      SCHEDULE,
      "parseSchedule: accepts descriptors, and an interval in seconds from the last time",
    ], [SCHEDULE, "parseSchedule: the zone Local is the zone of schedules without a time zone"]],
  },
  "CR-2": {
    behavior:
      "A local time that clocks skip does not occur, one that they show twice occurs twice; 7 and seconds are refused.",
    tests: [
      [SCHEDULE, "a time that clocks skip"],
      [SCHEDULE, "a time that clocks show twice"],
      [SCHEDULE, "parseSchedule: rejects 7 as Sunday, and a field for seconds"],
      [SLOTS, "a schedule that never fires"],
      cronScenario("daylight_saving_ends_in_Berlin"),
      cronScenario("daylight_saving_begins_in_Berlin"),
      cronScenario("daylight_saving_ends_in_New_York"),
      cronScenario("daylight_saving_begins_in_New_York"),
      cronScenario("half_hourly_schedule_while_daylight_saving_begins"),
      cronScenario("half_hourly_schedule_while_daylight_saving_ends"),
      cronScenario("half_hour_daylight_saving_ends_on_Lord_Howe"),
      cronScenario("a_skipped_midnight_in_Sao_Paulo"),
    ],
  },
  "CR-3": {
    behavior: "An annotation has the schedules that were used last.",
    tests: [[CRON, "cron: each slot creates one workflow with Argo's name, labels and owner"]],
  },
  "CR-4": {
    behavior: "An invalid cron workflow has a condition with Argo's message, and creates nothing.",
    tests: [
      [CRON, "cron: an invalid edit stops the schedule with a condition; it resumes when the edit is corrected"],
      [CRON, "cron: a missing template is reported at once, and the condition is removed when it exists"],
      [
        SCHEDULE,
        "parseSchedule: an invalid schedule fails with the reason",
      ],
      cronScenario("names_may_have_52_characters"),
    ],
  },
  "CR-5": {
    behavior: "A stop condition, evaluated at each slot and each end, stops the schedule permanently.",
    tests: [cronScenario("a_stopStrategy_stops_the_schedule"), cronScenario("an_invalid_stopStrategy"), [
      CRON_CONDITIONS,
      "evaluateCronStop: sees counters and labels, and the labels again as annotations",
    ]],
  },
  "CR-6": {
    behavior: "A suspended cron workflow creates nothing.",
    tests: [cronScenario("resumed_within_the_deadline")],
  },
  "CR-7": {
    behavior: "`when` is evaluated at each slot; an invalid expression is reported and is not a failure.",
    tests: [cronScenario("when_is_evaluated_at_each_slot"), [CRON_CONDITIONS, "bare words fail"]],
  },
  "CR-8": {
    behavior: "Forbid skips slots, Replace stops running workflows, and both are counted.",
    tests: [
      [CRON, "cron: Replace stops the previous workflow, Forbid waits until it has finished"],
      cronScenario("Forbid_skips_while_a_workflow_runs"),
      cronScenario(
        "Replace_stops_running_workflows",
      ),
      [COUNTS, "metrics: slots of a cron workflow, its concurrency policy and its errors are counted"],
    ],
  },
  "CR-9": {
    behavior: "A child has Argo's name, labels and owner.",
    tests: [[CRON, "cron: each slot creates one workflow with Argo's name, labels and owner"]],
  },
  "CR-10": {
    behavior: "An existing child belongs to the slot; an unrelated workflow does not.",
    tests: [cronScenario("a_crash_before_the_status_is_written"), [
      CRON,
      "cron: an unrelated workflow with the slot's name is counted as a failure and left unchanged",
    ]],
  },
  "CR-11": {
    behavior: "A refusal fails its slot once; transient errors are retried until the deadline.",
    tests: [
      [CRON, "without a storm"],
      cronScenario("a_refusal_is_a_failure_of_its_slot"),
      cronScenario(
        "transient_errors_are_retried",
      ),
      cronScenario("transient_errors_until_the_deadline"),
    ],
  },
  "CR-12": { behavior: "Created workflows are active.", tests: [cronScenario("each_slot_creates_a_workflow")] },
  "CR-13": {
    behavior: "Only differences are written; a status has the counters and a phase, which is empty at first.",
    tests: [
      cronScenario("each_slot_creates_a_workflow"),
      [CRON_STATUS, "both counters and a phase"],
      [CRON_STATUS, "cron status: a status in the form of Argo's controller is not"],
    ],
  },
  "CR-20": {
    behavior: "Old children are deleted according to the history limits.",
    tests: [cronScenario("the_history_limits_delete_the_oldest"), [
      CRON,
      "cron: workflows submitted manually from a cron workflow are counted, count for Forbid, and old ones are deleted",
    ]],
  },
  "CR-21": {
    behavior: "Children that ended are counted once, including those that users submitted.",
    tests: [
      [CRON, "a workflow that ends leaves `active`"],
      [
        CRON,
        "cron: workflows submitted manually from a cron workflow are counted, count for Forbid, and old ones are deleted",
      ],
      cronScenario(
        "a_workflow_submitted_manually",
      ),
    ],
  },
  "CR-22": {
    behavior: "A child that is deleted as soon as it ended is counted.",
    tests: [cronScenario("a_workflow_that_is_deleted_at_once_counts"), [
      CRON,
      "cron: a workflow that ends leaves `active` and is counted once, even when it is deleted at once",
    ]],
  },
  "CR-23": {
    behavior: "An interval counts from the last slot, whenever a pass runs.",
    tests: [cronScenario("every_25_minutes"), [
      SLOTS,
      "slots: @every counts from its anchor, independently of the time",
    ]],
  },
  "CR-24": {
    behavior: "The latest missed slot is run later, within the deadline, but none of edited schedules.",
    tests: [
      [CRON, "cron: the latest run missed while no controller ran is started, within the deadline"],
      cronScenario("missed_slots_with_a_deadline"),
      cronScenario("missed_slots_without_a_deadline"),
      cronScenario("missed_slots_beyond_the_deadline"),
      cronScenario("missed_slots_of_an_edited_schedule"),
      cronScenario("resumed_within_the_deadline"),
    ],
  },
  "CR-25": {
    behavior: "An invalid edit stops the old schedule, with a condition.",
    tests: [cronScenario("an_invalid_edit_stops_the_schedule"), [
      CRON,
      "cron: an invalid edit stops the schedule with a condition; it resumes when the edit is corrected",
    ]],
  },
  "CR-26": {
    behavior: "A stopped schedule resumes when its label is removed.",
    tests: [cronScenario("removing_the_completed_label_resumes_the_schedule")],
  },
  "CR-27": {
    behavior: "A malformed object has an event and does not affect others.",
    tests: [[CRON, "cron: a malformed object gets a condition and an event, and is scheduled once it is corrected"]],
  },
  "CR-28": {
    behavior: "Conditions can use counters, labels, annotations and the last time, which is nil before the first run.",
    tests: [[CRON_CONDITIONS, "the last scheduled time is nil"], [CRON_CONDITIONS, "counters need an expression"]],
  },
  "CR-29": {
    behavior:
      "Two schedules with the same time create one child, even with two controllers and a crash at any request.",
    tests: [cronScenario("two_schedules_with_the_same_time"), [CRON, "a crash at any request"], [
      CRON,
      "cron: two concurrent controllers create one workflow for each slot",
    ]],
  },
  "CR-30": {
    behavior: "A backfill creates a workflow for each time of all schedules, one by one unless configured otherwise.",
    tests: [[BACKFILL, "backfill: creates a workflow for each instant after its start, up to and including its end"], [
      BACKFILL,
      "backfill: sequential workflows wait for a mutex, the earliest with the highest priority",
    ], [
      BACKFILL,
      "backfill: combines all schedules in order, without duplicates, in their time zone",
    ], [
      BACKFILL,
      "backfill: creates no empty workflow, also if the count divides evenly or is 0, and rejects too many",
    ]],
  },
  "T-CR-1": {
    behavior: "A child has Argo's name, labels, annotation and owner; the status lists it.",
    tests: [
      [CRON, "cron: each slot creates one workflow with Argo's name, labels and owner"],
      cronScenario("each_slot_creates_a_workflow"),
    ],
  },
  "T-CR-2": {
    behavior: "Two schedules with the same time create one child.",
    tests: [cronScenario("two_schedules_with_the_same_time")],
  },
  "T-CR-3": {
    behavior: "Forbid skips a slot and Replace terminates the running child; both are counted.",
    tests: [cronScenario("Forbid_skips_while_a_workflow_runs"), cronScenario("Replace_stops_running_workflows"), [
      COUNTS,
      "metrics: slots of a cron workflow, its concurrency policy and its errors are counted",
    ]],
  },
  "T-CR-4": {
    behavior: "Times that clocks skip or repeat.",
    tests: [
      cronScenario("daylight_saving_ends_in_Berlin"),
      cronScenario("daylight_saving_begins_in_Berlin"),
      cronScenario("daylight_saving_ends_in_New_York"),
      cronScenario("daylight_saving_begins_in_New_York"),
      cronScenario("half_hourly_schedule_while_daylight_saving_begins"),
      cronScenario("half_hourly_schedule_while_daylight_saving_ends"),
      cronScenario("half_hour_daylight_saving_ends_on_Lord_Howe"),
      cronScenario("a_skipped_midnight_in_Sao_Paulo"),
      [SCHEDULE, "parseSchedule: rejects 7 as Sunday, and a field for seconds"],
    ],
  },
  "T-CR-5": {
    behavior:
      "After a downtime, the latest slot within the deadline runs once; none without a deadline or after an edit.",
    tests: [
      cronScenario("missed_slots_with_a_deadline"),
      cronScenario("missed_slots_without_a_deadline"),
      cronScenario("missed_slots_beyond_the_deadline"),
      cronScenario("missed_slots_of_an_edited_schedule"),
    ],
  },
  "T-CR-6": {
    behavior: "A stop condition stops after the first success; an invalid one is reported.",
    tests: [cronScenario("a_stopStrategy_stops_the_schedule"), cronScenario("an_invalid_stopStrategy")],
  },
  "T-CR-7": {
    behavior: "The history limits 1 and 0 keep exactly the newest.",
    tests: [cronScenario("the_history_limits_delete_the_oldest")],
  },
  "T-CR-8": {
    behavior: "An invalid edit has a condition and creates nothing until it is corrected.",
    tests: [cronScenario("an_invalid_edit_stops_the_schedule"), [
      CRON,
      "cron: an invalid edit stops the schedule with a condition; it resumes when the edit is corrected",
    ]],
  },
  "T-CR-9": {
    behavior: "A refused creation has a condition, counts once and causes no storm; success removes the condition.",
    tests: [[CRON, "without a storm"], cronScenario("a_refusal_is_a_failure_of_its_slot")],
  },
  "T-CR-10": {
    behavior: "An existing child becomes active, and the next slot runs.",
    tests: [cronScenario("a_crash_before_the_status_is_written")],
  },
  "T-CR-11": { behavior: "`@every 25m` fires.", tests: [cronScenario("every_25_minutes")] },
  "T-CR-12": {
    behavior: "Resumed within the deadline, one workflow is created.",
    tests: [cronScenario("resumed_within_the_deadline")],
  },
  "T-CR-13": {
    behavior: "`when` sees nil as the last time before the first run.",
    tests: [cronScenario("when_is_evaluated_at_each_slot"), [CRON_CONDITIONS, "the last scheduled time is nil"]],
  },
  "T-CR-14": {
    behavior: "A child that is deleted at once counts.",
    tests: [cronScenario("a_workflow_that_is_deleted_at_once_counts")],
  },
  "T-CR-15": { behavior: "A name has at most 52 characters.", tests: [cronScenario("names_may_have_52_characters")] },
  "T-CR-16": {
    behavior: "A backfill of three instants: sequential, with names and the text of the parameter.",
    tests: [[BACKFILL, "backfill: creates a workflow for each instant after its start, up to and including its end"], [
      BACKFILL,
      "backfill: sequential workflows wait for a mutex, the earliest with the highest priority",
    ]],
  },
};
