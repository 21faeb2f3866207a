/** Cases of the life of workflows: their end, archive, limits and restrictions. */
import type { CoveredCase } from "../case_coverage.ts";
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

export const LIFECYCLE_CASES: Readonly<Record<string, CoveredCase>> = {
  "LC-1": {
    behavior: "A workflow is deleted when its TTL expires; one that ended in an error has the TTL for completion.",
    tests: [
      [LIFE, "TTL: a workflow that ended in an error has the TTL for completion, not the one for failure"],
      [LIFE, "TTL: an expired workflow is deleted with its pod"],
      scenario(
        "an_expired_TTL_deletes_the_workflow",
      ),
      scenario("secondsAfterSuccess_precedes_secondsAfterCompletion"),
      scenario("the_TTL_waits_for_the_archive"),
      simulated("time-to-live"),
    ],
  },
  "LC-2": {
    behavior: "The TTL is evaluated when it expires, and counts from the last end.",
    tests: [
      [LIFE, "TTL: defaults apply to a workflow that sets none, as they were when it ended"],
      scenario("an_expired_TTL_deletes_the_workflow"),
    ],
  },
  "LC-3": {
    behavior: "The newest finished workflows are kept, up to the limit of each phase, separately for each namespace.",
    tests: [[SURPLUS, "surplusWorkflows(): keeps the newest workflows of a phase, and none of a"], [
      SURPLUS,
      "of the same name in two namespaces",
    ], [
      LIFECYCLE,
      "retentionPolicy: keeps the newest finished workflows of each phase, up to its limits",
    ]],
  },
  "LC-5": {
    behavior: "Claims are created and deleted for their workflow; those of others are not touched.",
    tests: [
      scenario("claims_of_a_workflow"),
      scenario("claims_of_a_workflow_that_failed"),
      [VOLUMES, "(LC-5)"],
      [
        OWNERSHIP,
        "claim: a claim that a status names is deleted only if it was created for that workflow",
      ],
      [OWNERSHIP, "claim: deletion removes"],
      simulated("claims"),
    ],
  },
  "LC-6": {
    behavior:
      "A disruption budget exists before the first pod and is deleted at the end; a failed deletion does not affect the workflow.",
    tests: [scenario("a_disruption_budget_of_a_workflow"), [
      LIFECYCLE,
      "disruption budget: created before the first pod of a workflow that waited, and deleted at its end",
    ], [
      LIFECYCLE,
      "disruption budget: a budget that may not be deleted does not affect the end of its workflow",
    ]],
  },
  "LC-10": {
    behavior: "A finished workflow is archived according to the selector, and kept until then.",
    tests: [[
      ARCHIVE_RUNS,
      "archive: a finished workflow is stored unchanged and labeled as archived; one that the selector excludes is not",
    ], [
      ARCHIVE_RUNS,
      "archive: a workflow outlives its TTL until it is archived, also while the database is unreachable",
    ], [
      ARCHIVE_RUNS,
      "archive: a workflow that was pending when its controller stopped is archived by the next controller",
    ]],
  },
  "LC-11": {
    behavior:
      "A row is the complete workflow with its labels, written entirely or not at all; null characters are preserved.",
    tests: [[ARCHIVE, "get: returns the archived workflow with the label of persisted ones"], [
      ARCHIVE,
      "null characters, emoji",
    ], [
      ARCHIVE,
      "archive: a crash during a write leaves the previous version",
    ], [ARCHIVE, "archive: archiving again replaces the workflow and its labels"]],
  },
  "LC-12": {
    behavior: "Lists are filtered, and paged without gaps.",
    tests: [[ARCHIVE, "list: filters by namespace, name and times"], [ARCHIVE, "pages have no gap"], [
      ARCHIVE,
      "list: filters by every kind of label requirement, also for labels",
    ]],
  },
  "LC-13": {
    behavior: "Old rows are deleted in batches, one minute after the start.",
    tests: [[ARCHIVE_RUNS, "(T-LC-8)"]],
  },
  "LC-14": {
    behavior:
      "Nodes that are too large are stored in the database. If offloading is disabled, only requests that need nodes are refused.",
    tests: [
      [OFFLOAD, "(LC-14)"],
      [OFFLOAD, "offload: a workflow with offloaded nodes ends in an error when offloading is disabled"],
      ["server/workflows/offloaded_test.ts", "(LC-14)"],
    ],
  },
  "LC-15": {
    behavior: "A workflow whose nodes are missing reports that; the version is that of Go's hash.",
    tests: [[OFFLOAD, "(LC-15)"], ["lib/model/nodes/nodes_version_test.ts", "equals Go's hash"]],
  },
  "LC-16": { behavior: "Old versions without a reference are deleted.", tests: [[OFFLOAD, "(LC-16)"]] },
  "LC-17": {
    behavior:
      "Large node tables are compressed, in all of Argo's forms, which can be read; a table that is still too large is reported.",
    tests: [
      [STORED_NODES, "(LC-17)"],
      ["lib/model/nodes/compress_test.ts", "(LC-17)"],
      ["server/archive/routes_test.ts", "(LC-17)"],
      [STORED_NODES, "StoredNodes: compresses all nodes when they exceed the limit,"],
      [STORED_NODES, "StoredNodes: the error about a status that is too large"],
      [
        UNPACK,
        "unpackNodes: stops at the limit of bytes",
      ],
    ],
  },
  "LC-18": {
    behavior: "A database of Argo opens without changes.",
    tests: [[ARCHIVE, "prepareArchive: does not change existing tables, also of a newer"]],
  },
  "LC-20": {
    behavior: "Parallelism limits running workflows, by priority and age; the label of a namespace overrides it.",
    tests: [[THROTTLE, "Throttle: admits higher priorities first, then older objects,"], [
      LIFE,
      "parallelism: a workflow waits with a message while the limit is reached, and starts when another has finished",
    ], [
      LIFECYCLE,
      "namespace parallelism: the label of the namespace overrides the settings until it is removed",
    ]],
  },
  "LC-21": {
    behavior: "Pods are created at the configured rate.",
    tests: [[
      LIFECYCLE,
      "resourceRateLimit: limits the rate of pod creation, and a workflow stopped meanwhile gets no pod",
    ]],
  },
  "LC-22": {
    behavior: "Under restrictions, a workflow may only set permitted fields, at every depth.",
    tests: [[PERMITTED, "OVERRIDES: has a rule for each field of the schema at each depth"], [
      RESTRICTIONS,
      "a workflow with forbidden fields ends, and no pod of it is created",
    ], [
      ENVIRONMENT,
      "WORKFLOW_USER_OVERRIDE_ALLOWLIST",
    ]],
  },
  "LC-23": {
    behavior: "Secure: a workflow whose template changes ends; suspending and stopping are permitted.",
    tests: [[RESTRICTIONS, "Secure: a workflow whose template changes"], [
      RESTRICTIONS,
      "users can stop, suspend, resume and terminate running workflows",
    ]],
  },
  "LC-24": {
    behavior: "Content that users write to a status is not executed.",
    tests: [[RESTRICTIONS, "other fields that users submit have no effect, or a harmless one"], [
      RESTRICTIONS,
      "Strict: a seal is valid only for its own workflow",
    ]],
  },
  "LC-25": {
    behavior: "One of several controllers is active, by a lease; `/healthz` reports the actual state.",
    tests: [[ELECTION, "leader election: the second controller resumes where the first stopped"], [
      ELECTION,
      "leaseName: controllers with different instance IDs have different leases",
    ], [
      HEALTH,
      "health: a controller is unhealthy if passes are queued and none",
    ], [FLAGS, "readFlags(): accepts values after a space or an equals sign,"]],
  },
  "T-LC-1": {
    behavior: "A workflow in phase Error ignores the TTL for failure and has that for completion.",
    tests: [[LIFE, "TTL: a workflow that ended in an error has the TTL for completion, not the one for failure"]],
  },
  "T-LC-2": {
    behavior: "A TTL that is raised before it expires keeps the workflow.",
    tests: [scenario("a_TTL_raised_before_it_expires_keeps_the_workflow")],
  },
  "T-LC-3": {
    behavior: "The TTL waits for the archive.",
    tests: [scenario("the_TTL_waits_for_the_archive"), [
      ARCHIVE_RUNS,
      "archive: a workflow outlives its TTL until it is archived, also while the database is unreachable",
    ]],
  },
  "T-LC-4": {
    behavior: "Retention keeps the newest of each phase, counted separately for each namespace.",
    tests: [[LIFECYCLE, "retentionPolicy: keeps the newest finished workflows of each phase, up to its limits"], [
      SURPLUS,
      "of the same name in two namespaces",
    ]],
  },
  "T-LC-5": {
    behavior: "A workflow that waited first has a disruption budget; its deletion may be refused, or find nothing.",
    tests: [
      [LIFECYCLE, "disruption budget: created before the first pod of a workflow that waited, and deleted at its end"],
      [LIFECYCLE, "disruption budget: a budget that may not be deleted does not affect the end of its workflow"],
      [LIFECYCLE, "disruption budget: a deleted budget does not affect the end of its workflow"],
    ],
  },
  "T-LC-6": {
    behavior: "The protection of a claim is removed at the end.",
    tests: [[OWNERSHIP, "claim: deletion removes"]],
  },
  "T-LC-7": {
    behavior: "An archived row equals its workflow, also with null characters and when it is archived again.",
    tests: [
      [ARCHIVE, "get: returns the archived workflow with the label of persisted ones"],
      [ARCHIVE, "null characters, emoji"],
      [ARCHIVE, "archive: archiving again replaces the workflow and its labels"],
      [
        ARCHIVE_RUNS,
        "archive: a finished workflow is stored unchanged and labeled as archived; one that the selector excludes is not",
      ],
    ],
  },
  "T-LC-9": {
    behavior:
      "The version of offloaded nodes is Go's hash; the cleanup keeps current versions; missing rows are an error.",
    tests: [["lib/model/nodes/nodes_version_test.ts", "equals Go's hash"], [OFFLOAD, "(LC-15)"], [OFFLOAD, "(LC-16)"]],
  },
  "T-LC-10": {
    behavior:
      "Large statuses are compressed in each format and can be read; one that is still too large is an error with its size.",
    tests: [["lib/model/nodes/compress_test.ts", "(LC-17)"], [STORED_NODES, "(LC-17)"], [
      STORED_NODES,
      "StoredNodes: the error about a status that is too large",
    ]],
  },
  "T-LC-11": {
    behavior: "The label of a namespace overrides the limit of the settings until it is removed.",
    tests: [[
      LIFECYCLE,
      "namespace parallelism: the label of the namespace overrides the settings until it is removed",
    ]],
  },
  "T-LC-12": {
    behavior: "Each forbidden field is refused; the administrator can permit fields.",
    tests: [
      [PERMITTED, "OVERRIDES: has a rule for each field of the schema at each depth"],
      [RESTRICTIONS, "a workflow with forbidden fields ends, and no pod of it is created"],
      [RESTRICTIONS, "templateReferencing: fields that the administrator opened take effect"],
      [ENVIRONMENT, "WORKFLOW_USER_OVERRIDE_ALLOWLIST"],
    ],
  },
  "T-LC-13": {
    behavior: "Secure: an edit of the template ends the workflow; suspend and resume are permitted.",
    tests: [[RESTRICTIONS, "Secure: a workflow whose template changes"], [
      RESTRICTIONS,
      "users can stop, suspend, resume and terminate running workflows",
    ]],
  },
  "T-LC-14": {
    behavior: "Strict: a forged stored spec does not run.",
    tests: [[RESTRICTIONS, "other fields that users submit have no effect, or a harmless one"], [
      RESTRICTIONS,
      "Strict: a seal is valid only for its own workflow",
    ]],
  },
  "T-LC-15": {
    behavior: "Each setting takes effect; an invalid change has no effect.",
    tests: [["controller/config/effects_test.ts", "the key ${name} ${effect}"], [
      "controller/config/config_with_fallbacks_test.ts",
      "configWithFallbacks(): an invalid change of a key has no effect, and the other keys are used",
    ], [
      "controller/config/config_with_fallbacks_test.ts",
      "configWithFallbacks(): an unknown key that resembles no setting is reported and ignored",
    ]],
  },
  "T-LC-16": {
    behavior: "A database of Argo opens here with all its rows, and keeps Argo's tables.",
    tests: [[
      "lib/storage/archive/earlier_tables_test.ts",
      "prepareArchive: opens Argo's tables (DB-02) and upgrades those of",
    ], ["lib/storage/archive/earlier_tables_test.ts", "prepareArchive: creates the same tables as Argo (DB-01)"]],
  },
};
