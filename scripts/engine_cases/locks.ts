/** Cases of locks: mutexes and semaphores, of ConfigMaps and of databases. */
import type { CoveredCase } from "../case_coverage.ts";
import {
  DATABASE_LOCKS,
  DEADLOCKS,
  DEADLOCKS_OF_WORKFLOWS,
  FORGED_STATUS,
  LOCK_DATABASE,
  LOCK_DEADLOCKS,
  LOCK_GRANTS,
  LOCK_ITEM,
  LOCK_TABLE,
  RANDOM_WORKFLOWS,
  scenario,
  simulated,
  SYNC,
  SYNC_LIMITS,
} from "./places.ts";

export const LOCK_CASES: Readonly<Record<string, CoveredCase>> = {
  "SY-1": {
    behavior:
      "The key of a lock consists of namespace, kind and name; a mutex and a semaphore with the same key are two locks.",
    tests: [[
      LOCK_ITEM,
      "parseLockItems() returns semaphores before mutexes, in the namespace of each lock or else of the workflow",
    ], [LOCK_ITEM, "lockIdOf() distinguishes a mutex and a semaphore of a database with the same key"]],
  },
  "SY-2": {
    behavior: "The key of a holder names its workflow, or its node in the workflow; older forms are upgraded.",
    tests: [[
      LOCK_ITEM,
      "parseHolderKey() parses the key of a workflow or node, and returns undefined for older formats",
    ], [LOCK_ITEM, "(SY-2)"]],
  },
  "SY-3": {
    behavior:
      "Semaphores are acquired before mutexes. A duplicate key, and two or no sources, are refused with Argo's messages.",
    tests: [
      [
        LOCK_ITEM,
        "parseLockItems() returns semaphores before mutexes, in the namespace of each lock or else of the workflow",
      ],
      [LOCK_ITEM, "parseLockItems() rejects ${what}"],
      [
        LOCK_ITEM,
        "parseLockKey() rejects ${JSON.stringify(text)}",
      ],
      scenario("invalid_locks_fail_their_workflow"),
    ],
  },
  "SY-4": {
    behavior: "Names of locks may contain tags, which are resolved before the lock is requested or released.",
    tests: [scenario("lock_names_with_inputs")],
  },
  "SY-5": {
    behavior: "Rows of a database have Argo's names.",
    tests: [[LOCK_DATABASE, "a node may overtake others of the same workflow"]],
  },
  "SY-10": {
    behavior: "A waiting workflow is Pending with the reason. A permanent error fails it, a transient one is retried.",
    tests: [scenario("a_workflow_waits_for_its_locks"), [SYNC, "(T-SY-1)"], [
      DATABASE_LOCKS,
      "database lock: a waiting workflow reports that the database is unreachable and resumes later; others are not delayed",
    ]],
  },
  "SY-11": {
    behavior: "A waiting node is Pending with the first unavailable lock, before its cache is read.",
    tests: [scenario("nodes_wait_for_their_locks"), scenario("a_lock_is_acquired_before_the_cache_is_read"), [
      SYNC,
      "(T-SY-2)",
    ]],
  },
  "SY-12": {
    behavior: "A lock is held for all attempts of a retry.",
    tests: [scenario("a_lock_is_held_for_all_attempts"), scenario("a_retry_waits_for_its_lock")],
  },
  "SY-13": {
    behavior: "A daemon releases its lock when it is ready; a suspended node keeps its own.",
    tests: [
      scenario("a_daemon_releases_its_lock_when_it_is_ready"),
      scenario("nodes_of_every_type_wait_for_locks"),
    ],
  },
  "SY-15": {
    behavior: "Locks are released at the end of their node or workflow, at its deletion, and at that of its namespace.",
    tests: [[SYNC, "(T-SY-8, T-SY-10)"], simulated("locks"), simulated("lock-of-a-workflow"), [
      "controller/workflow/sync/synchronizer_test.ts",
      "(SY-15)",
    ]],
  },
  "SY-16": {
    behavior: "Waiting nodes fail with the message of the shutdown; those of exit handlers only with Terminate.",
    tests: [scenario("stop_of_nodes_that_wait_for_locks"), [SYNC, "(SY-16)"]],
  },
  "SY-17": {
    behavior: "Stop and Terminate end a waiting workflow at once.",
    tests: [scenario("a_waiting_workflow_is_stopped_at_once"), [
      SYNC,
      "ends a waiting workflow at once and removes it from the queue (T-SY-8)",
    ]],
  },
  "SY-20": {
    behavior: "The next holder is the one with the highest priority, then the oldest.",
    tests: [[LOCK_TABLE, "(T-SY-4)"], [LOCK_DATABASE, "the higher priority is next, then the older workflow"]],
  },
  "SY-21": {
    behavior:
      "All locks of a level are acquired at once or not at all; a waiter for a second lock blocks later waiters for the first.",
    tests: [[
      LOCK_TABLE,
      "LockTable: a claim that waits for a second lock blocks the first, which claims behind it see as free",
    ], [
      LOCK_DATABASE,
      "several locks: are granted all or none",
    ]],
  },
  "SY-22": { behavior: "The order is total: no two waiters wait for each other.", tests: [[LOCK_TABLE, "(T-SY-3)"]] },
  "SY-23": {
    behavior:
      "Nodes of one workflow may overtake each other, those of workflows with the same name in other namespaces may not.",
    tests: [[LOCK_TABLE, "(SY-23)"], [LOCK_DATABASE, "not of a namesake elsewhere"]],
  },
  "SY-25": {
    behavior: "A release wakes the next holders, and writes no other workflow.",
    tests: [
      [
        SYNC,
        "lock: a waiting workflow is not written at each grant to others, but names the current holder eventually",
      ],
      [SYNC, "(T-SY-14)"],
      [
        LOCK_TABLE,
        "LockTable: workflowsWithOutdatedHolders() finds waiting workflows whose answer names other holders, a few at a time, in order",
      ],
      [LOCK_GRANTS, "only those that release or acquire a semaphore are evaluated"],
      [LOCK_GRANTS, "request their semaphore in one decision"],
    ],
    lacks:
      "the pace of a thousand who wait: a measurement, `deno task bench --load semaphore:1000` (docs/performance.md)",
  },
  "SY-30": {
    behavior: "The message of a waiter names the lock, and how many of its places are free.",
    tests: [[SYNC, "(T-SY-1)"], scenario("nodes_wait_for_their_locks")],
  },
  "SY-31": {
    behavior: "The message about a database lock has the number of places in use.",
    tests: [[LOCK_DATABASE, "a node may overtake others of the same workflow"]],
  },
  "SY-32": {
    behavior: "A limit of 0 pauses. A limit that never existed, or is not a number, fails the workflow with the cause.",
    tests: [[SYNC, "(T-SY-7)"], [LOCK_TABLE, "(T-SY-7)"], [
      DATABASE_LOCKS,
      "database lock: a workflow fails with the reason when there is no database, or no limit for its semaphore",
    ]],
  },
  "SY-33": { behavior: "A limit that becomes unreadable keeps its last value.", tests: [[SYNC, "(T-SY-7)"]] },
  "SY-34": {
    behavior:
      "Without its database, or with a hold that cannot be parsed, a lock is not granted, and the waiter has the reason.",
    tests: [[
      DATABASE_LOCKS,
      "database lock: a workflow fails with the reason when there is no database, or no limit for its semaphore",
    ], [SYNC, "(SY-52)"]],
  },
  "SY-40": {
    behavior: "`status.synchronization` lists held and awaited locks in Argo's form.",
    tests: [scenario("a_workflow_waits_for_its_locks"), scenario("nodes_wait_for_their_locks")],
  },
  "SY-41": {
    behavior: "The status lists the current locks; leftovers of Argo are ignored.",
    tests: [[LOCK_ITEM, "(SY-41)"], [
      SYNC,
      "lock: a waiting workflow is not written at each grant to others, but names the current holder eventually",
    ]],
  },
  "SY-42": {
    behavior:
      "No pod is created under a lock that is not written to the status; a lock that cannot be written is released.",
    tests: [[SYNC, "(T-SY-15)"], [
      SYNC,
      "lock: a waiter whose write is refused permanently returns its grant to the next",
    ], [
      LOCK_TABLE,
      "LockTable: an unrecorded grant can be revoked and passes to the next claim; a recorded one cannot",
    ]],
  },
  "SY-50": {
    behavior: "After a restart, all locks of unfinished workflows count, even beyond the limit.",
    tests: [[SYNC, "(T-SY-5)"], [
      LOCK_TABLE,
      "LockTable: recorded holds count beyond the limit, and nothing is granted until all claims are registered",
    ]],
  },
  "SY-51": {
    behavior: "The order of the queues survives a restart, whatever arrives meanwhile.",
    tests: [[SYNC, "(T-SY-5)"]],
  },
  "SY-52": {
    behavior: "A hold that cannot be parsed keeps its lock until its workflow is gone or corrected.",
    tests: [[LOCK_ITEM, "(SY-52)"], [LOCK_TABLE, "a poisoned lock is granted to nobody"], [SYNC, "(SY-52)"]],
  },
  "SY-53": {
    behavior: "A workflow whose database row is missing fails.",
    tests: [[DATABASE_LOCKS, "(SY-53)"]],
  },
  "SY-54": {
    behavior:
      "A raised limit starts more workflows at once, a lowered one lets the running ones finish. Limits are watched unless configured otherwise.",
    tests: [[SYNC, "(T-SY-6)"], [LOCK_TABLE, "(T-SY-6)"], [SYNC, "a limit in a ConfigMap that is not watched"]],
  },
  "SY-60": {
    behavior: "The database tables are Argo's.",
    tests: [[LOCK_DATABASE, "prepareLocks: keeps tables of Argo's version"]],
  },
  "SY-61": {
    behavior: "A waiter keeps its place as long as its controller lives; held locks stay held.",
    tests: [[LOCK_DATABASE, "dead controller: its requests expire"], [
      DATABASE_LOCKS,
      "of six workflows of two controllers",
    ]],
  },
  "SY-62": {
    behavior: "Racing controllers never exceed the limit of a lock.",
    tests: [[LOCK_DATABASE, "semaphore: two racing controllers never exceed its limit (T-SY-13)"]],
  },
  "SY-63": {
    behavior: "Polls and heartbeats have the intervals of Argo's code, and a controller has a name.",
    tests: [[LOCK_DATABASE, "dead controller: its requests expire"]],
  },
  "SY-64": {
    behavior: "The waiters and holders of another controller are left to it while it lives, and no longer.",
    tests: [[LOCK_DATABASE, "a lock that another live controller decides about is not granted"]],
  },
  "SY-65": {
    behavior: "A controller with unusable tables reports that and keeps running.",
    tests: [[
      DATABASE_LOCKS,
      "database lock: a controller with unusable tables reports that and keeps running; a stopped waiter leaves no row",
    ]],
  },
  "SY-70": {
    behavior: "Limits are created, read, changed and deleted through the API, with Argo's messages for refusals.",
    tests: [
      [SYNC_LIMITS, "sync limits: create adds the ConfigMap or a key"],
      [SYNC_LIMITS, "sync limits: an invalid request fails with Argo's message"],
      [
        SYNC_LIMITS,
        "sync limits: the error of a missing permission names the verb",
      ],
      [LOCK_DATABASE, "DatabaseLimits: creation is exclusive"],
    ],
  },
  "deadlocks of locks": {
    behavior: "Nodes in a deadlock report it, within a workflow and between several.",
    tests: [
      [DEADLOCKS, "deadlock: the message is removed even if an earlier decision that removed it was not written"],
      scenario("two_mutexes_in_opposite_orders_are_a_reported_deadlock"),
      scenario("a_nested_semaphore_is_a_deadlock_until_its_limit_is_raised"),
      [
        LOCK_DEADLOCKS,
        "deadlocks: each workflow in a cycle names the cycle, starting with the workflow that it waits for",
      ],
      [LOCK_DEADLOCKS, "deadlocks: a cycle ends when one of its workflows does"],
      [LOCK_DEADLOCKS, "deadlocks: the messages do not depend on the order of events"],
      [
        DEADLOCKS_OF_WORKFLOWS,
        "deadlock: three workflows report it until one of them is stopped, also under a new controller",
      ],
      [DEADLOCKS_OF_WORKFLOWS, "deadlock: found in a few passes, after which no pass is made"],
    ],
  },
  "what is left behind": {
    behavior:
      "Nodes within an ended node end with it; a status with a cycle of boundaries is an error that names the node.",
    tests: [
      [FORGED_STATUS, "with a finished Retry node, ends the workflow with a message that names the node"],
      [RANDOM_WORKFLOWS, "random workflows: each ends, without waiting nodes in an ended node, and without held locks"],
    ],
  },
  "T-SY-12": {
    behavior: "A template that needs a lock of its own workflow is an error, where Argo waits forever.",
    tests: [scenario("a_lock_that_an_enclosing_node_holds_is_an_error")],
  },
  "T-SY-9": {
    behavior: "A retry holds its mutex while it backs off; another workflow waits for the end of the Retry node.",
    tests: [scenario("a_lock_is_held_for_all_attempts")],
  },
  "T-SY-11": {
    behavior: "A daemon's lock is released when it is ready.",
    tests: [scenario("a_daemon_releases_its_lock_when_it_is_ready")],
  },
};
