/** Cases of cron workflows. */
import type { CoveredCase } from "../case_coverage.ts";
import { BACKFILL, COUNTS, CRON, CRON_CONDITIONS, CRON_STATUS, cronScenario, SCHEDULE, SLOTS } from "./places.ts";

export const CRON_CASES: Readonly<Record<string, CoveredCase>> = {
  "CR-1": {
    behavior: "The time is the latest slot of all schedules, in the time zone.",
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
      "A local time that clocks skip does not come, one that they show twice comes twice; 7 and seconds are refused.",
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
    behavior: "The schedules that were used last are an annotation.",
    tests: [[CRON, "cron: each slot creates one workflow with Argo's name, labels and owner"]],
  },
  "CR-4": {
    behavior: "What is wrong with a cron workflow is a condition in Argo's words, and nothing is made.",
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
    behavior: "A condition to stop ends it for good, asked at each slot and each end.",
    tests: [cronScenario("a_stopStrategy_stops_the_schedule"), cronScenario("an_invalid_stopStrategy"), [
      CRON_CONDITIONS,
      "evaluateCronStop: sees counters and labels, and the labels again as annotations",
    ]],
  },
  "CR-6": { behavior: "One that is suspended makes nothing.", tests: [cronScenario("resumed_within_the_deadline")] },
  "CR-7": {
    behavior: "`when` is asked at each slot; one that is wrong is said, and is no failure.",
    tests: [cronScenario("when_is_evaluated_at_each_slot"), [CRON_CONDITIONS, "bare words fail"]],
  },
  "CR-8": {
    behavior: "Forbid skips, Replace ends those at work, and both are counted.",
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
    behavior: "A child is named, labelled and owned as Argo's.",
    tests: [[CRON, "cron: each slot creates one workflow with Argo's name, labels and owner"]],
  },
  "CR-10": {
    behavior: "A child that is there already is the slot's; somebody else's is not.",
    tests: [cronScenario("a_crash_before_the_status_is_written"), [
      CRON,
      "cron: an unrelated workflow with the slot's name is counted as a failure and left unchanged",
    ]],
  },
  "CR-11": {
    behavior: "A refusal is a failure of its slot, once; trouble of the world is waited out until the deadline.",
    tests: [
      [CRON, "without a storm"],
      cronScenario("a_refusal_is_a_failure_of_its_slot"),
      cronScenario(
        "transient_errors_are_retried",
      ),
      cronScenario("transient_errors_until_the_deadline"),
    ],
  },
  "CR-12": { behavior: "What was made is active.", tests: [cronScenario("each_slot_creates_a_workflow")] },
  "CR-13": {
    behavior: "Only differences are written; a status has the counters and a phase, which is empty at first.",
    tests: [
      cronScenario("each_slot_creates_a_workflow"),
      [CRON_STATUS, "both counters and a phase"],
      [CRON_STATUS, "cron status: a status in the form of Argo's controller is not"],
    ],
  },
  "CR-20": {
    behavior: "Old children go, as the limits of the history say.",
    tests: [cronScenario("the_history_limits_delete_the_oldest"), [
      CRON,
      "cron: workflows submitted manually from a cron workflow are counted, count for Forbid, and old ones are deleted",
    ]],
  },
  "CR-21": {
    behavior: "Children that ended are counted once, those that people made too.",
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
    behavior: "An interval counts from the last slot, whenever somebody looks.",
    tests: [cronScenario("every_25_minutes"), [
      SLOTS,
      "slots: @every counts from its anchor, independently of the time",
    ]],
  },
  "CR-24": {
    behavior: "Of missed slots the latest is made up for, within the deadline; none of schedules that were edited.",
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
    behavior: "An edit that is wrong stops the old schedule and says so.",
    tests: [cronScenario("an_invalid_edit_stops_the_schedule"), [
      CRON,
      "cron: an invalid edit stops the schedule with a condition; it resumes when the edit is corrected",
    ]],
  },
  "CR-26": {
    behavior: "One that stopped goes on when its label is taken away.",
    tests: [cronScenario("removing_the_completed_label_resumes_the_schedule")],
  },
  "CR-27": {
    behavior: "An object that is none says so by an event and keeps nothing else from work.",
    tests: [[CRON, "cron: a malformed object gets a condition and an event, and is scheduled once it is corrected"]],
  },
  "CR-28": {
    behavior: "Conditions know counters, labels, annotations and the last time, nil before the first.",
    tests: [[CRON_CONDITIONS, "the last scheduled time is nil"], [CRON_CONDITIONS, "counters need an expression"]],
  },
  "CR-29": {
    behavior: "Two schedules that meet make one child, also of two controllers and with a crash at any call.",
    tests: [cronScenario("two_schedules_with_the_same_time"), [CRON, "a crash at any request"], [
      CRON,
      "cron: two concurrent controllers create one workflow for each slot",
    ]],
  },
  "CR-30": {
    behavior: "A backfill makes a workflow for each instant of all schedules, one by one unless said otherwise.",
    tests: [[BACKFILL, "backfill: creates a workflow for each instant after its start, up to and including its end"], [
      BACKFILL,
      "backfill: sequential workflows wait for a mutex, the earliest with the highest priority",
    ], [
      BACKFILL,
      "backfill: combines all schedules in order, without duplicates, in their time zone",
    ], [
      BACKFILL,
      "backfill: a count that divides evenly leaves no empty workflow; no instants create none; too many are an error",
    ]],
  },
};
