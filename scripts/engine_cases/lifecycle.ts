/** Cases of the life of workflows: their end, archive, limits and restrictions. */
import type { AskedCase } from "../case_coverage.ts";
import {
  ARCHIVE,
  ARCHIVE_RUNS,
  ELECTION,
  ENVIRONMENT,
  FLAGS,
  HEALTH,
  LIFE,
  LIFECYCLE,
  OFFLOAD,
  OWNERSHIP,
  PERMITTED,
  RESTRICTIONS,
  scenario,
  simulated,
  STORED_NODES,
  SURPLUS,
  THROTTLE,
  UNPACK,
  VOLUMES,
} from "./places.ts";

export const LIFECYCLE_CASES: Readonly<Record<string, AskedCase>> = {
  "LC-1": {
    says: "A workflow goes when its time is over; one that ended in an error is kept as any end is.",
    tests: [
      [LIFE, "ended in an error is kept"],
      [LIFE, "a workflow whose time is over goes"],
      scenario(
        "time_to_live_is_over",
      ),
      scenario("time_to_live_after_success"),
      scenario("the_time_to_live_waits_for_the_archive"),
      simulated("time-to-live"),
    ],
  },
  "LC-2": {
    says: "The time is asked for when it is over, and counts from the last end.",
    tests: [[LIFE, "defaults for the time after the end hold"], scenario("time_to_live_is_over")],
  },
  "LC-3": {
    says: "The newest finished workflows are kept, of each phase as many as is set, namesakes counted apart.",
    tests: [[SURPLUS, "keeps the newest of a phase"], [SURPLUS, "of the same name in two namespaces"], [
      LIFECYCLE,
      "as many as retentionPolicy says",
    ]],
  },
  "LC-5": {
    says: "Claims are made and deleted for their workflow; another's is not touched.",
    tests: [
      scenario("claims_of_a_workflow"),
      scenario("claims_of_a_workflow_that_failed"),
      [VOLUMES, "(LC-5)"],
      [
        OWNERSHIP,
        "a claim that a status names is deleted only",
      ],
      [OWNERSHIP, "of a claim that is deleted"],
      simulated("claims"),
    ],
  },
  "LC-6": {
    says: "A disruption budget is there before the first pod and gone at the end, whatever becomes of that.",
    tests: [scenario("a_disruption_budget_of_a_workflow"), [
      LIFECYCLE,
      "has its disruption budget before its first pod",
    ], [
      LIFECYCLE,
      "a budget that may not be deleted",
    ]],
  },
  "LC-10": {
    says: "A finished workflow is archived as the selector says, and kept until it is.",
    tests: [[ARCHIVE_RUNS, "is archived as it is"], [ARCHIVE_RUNS, "the time to live waits"], [
      ARCHIVE_RUNS,
      "that was waiting when its controller ended",
    ]],
  },
  "LC-11": {
    says: "A row is the workflow, with its labels, written whole or not at all; null characters come back.",
    tests: [[ARCHIVE, "get: returns the archived workflow with the label of persisted ones"], [
      ARCHIVE,
      "null characters, emoji",
    ], [
      ARCHIVE,
      "archive: a crash during a write leaves the previous version",
    ], [ARCHIVE, "archive: archiving again replaces the workflow and its labels"]],
  },
  "LC-12": {
    says: "Lists are filtered and paged without a gap.",
    tests: [[ARCHIVE, "list: filters by namespace, name and times"], [ARCHIVE, "pages have no gap"], [
      ARCHIVE,
      "list: filters by every kind of label requirement, also for labels",
    ]],
  },
  "LC-13": { says: "Old rows go in batches, a minute after the start.", tests: [[ARCHIVE_RUNS, "(T-LC-8)"]] },
  "LC-14": {
    says: "Nodes that are too large lie in the database; where it is disabled, only what is about nodes is refused.",
    tests: [
      [OFFLOAD, "(LC-14)"],
      [OFFLOAD, "is not worked without them where offloading is off"],
      ["server/workflows/offloaded_test.ts", "(LC-14)"],
    ],
  },
  "LC-15": {
    says: "A workflow whose nodes are gone says so; the version is that of Go's hash.",
    tests: [[OFFLOAD, "(LC-15)"], ["lib/model/nodes/nodes_version_test.ts", "equals Go's hash"]],
  },
  "LC-16": { says: "Versions that nobody names go when they are old.", tests: [[OFFLOAD, "(LC-16)"]] },
  "LC-17": {
    says:
      "Nodes that are too many are compressed, in each of Argo's forms, and all are read; what is too large even so is said.",
    tests: [
      [STORED_NODES, "(LC-17)"],
      ["lib/model/nodes/compress_test.ts", "(LC-17)"],
      ["server/archive/routes_test.ts", "(LC-17)"],
      [STORED_NODES, "compresses all nodes when they outgrow"],
      [STORED_NODES, "says how large is too large"],
      [
        UNPACK,
        "unpackNodes: stops at the limit of bytes",
      ],
    ],
  },
  "LC-18": {
    says: "A database of Argo's opens as it is.",
    tests: [[ARCHIVE, "prepareArchive: does not change existing tables, also of a newer"]],
  },
  "LC-20": {
    says:
      "As many workflows are at work as may be, the more important and the older first; a namespace's label counts.",
    tests: [[THROTTLE, "starts higher priorities first"], [LIFE, "a workflow waits while as many are at work"], [
      LIFECYCLE,
      "the label of a namespace is its limit",
    ]],
  },
  "LC-21": { says: "Pods are made as fast as is set.", tests: [[LIFECYCLE, "as fast as resourceRateLimit allows"]] },
  "LC-22": {
    says: "Under restrictions a workflow may say what is allowed and nothing else, at every depth.",
    tests: [[PERMITTED, "OVERRIDES: has a rule for each field of the schema at each depth"], [
      RESTRICTIONS,
      "asks for more than it may ends",
    ], [
      ENVIRONMENT,
      "WORKFLOW_USER_OVERRIDE_ALLOWLIST",
    ]],
  },
  "LC-23": {
    says: "Secure: a workflow whose template changes ends; suspending and stopping are allowed.",
    tests: [[RESTRICTIONS, "Secure: a workflow whose template changes"], [
      RESTRICTIONS,
      "people can stop, suspend, resume and terminate",
    ]],
  },
  "LC-24": {
    says: "What people write into a status does not run.",
    tests: [[RESTRICTIONS, "what people write beside the template has no effect"], [
      RESTRICTIONS,
      "a seal is good for its own workflow only",
    ]],
  },
  "LC-25": {
    says: "One of several controllers works, by a lease; `/healthz` tells the truth.",
    tests: [[ELECTION, "of two controllers one works"], [ELECTION, "leaseName() keeps controllers"], [
      HEALTH,
      "a controller is sick when passes wait",
    ], [FLAGS, "takes values behind a space"]],
  },
};
