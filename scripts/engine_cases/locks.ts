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
    behavior: "A lock's key names namespace, kind and name; a mutex and a semaphore of one key are two locks.",
    tests: [[
      LOCK_ITEM,
      "lockItems() requests semaphores before mutexes, in the namespace of each lock or else of the workflow",
    ], [LOCK_ITEM, "idOf() distinguishes a mutex and a semaphore of a database with the same key"]],
  },
  "SY-2": {
    behavior: "A holder's key names its workflow, or its node in it; older forms are upgraded.",
    tests: [[
      LOCK_ITEM,
      "parseHolderKey() parses the key of a workflow or node, and returns undefined for older formats",
    ], [LOCK_ITEM, "(SY-2)"]],
  },
  "SY-3": {
    behavior: "Semaphores come before mutexes; a key twice, two sources or none are refused in Argo's words.",
    tests: [
      [
        LOCK_ITEM,
        "lockItems() requests semaphores before mutexes, in the namespace of each lock or else of the workflow",
      ],
      [LOCK_ITEM, "lockItems() rejects ${what}"],
      [
        LOCK_ITEM,
        "parseLockKey() rejects ${JSON.stringify(text)}",
      ],
      scenario("invalid_locks_fail_their_workflow"),
    ],
  },
  "SY-4": {
    behavior: "Names of locks may hold tags, which are filled in before they are asked for and given back.",
    tests: [scenario("lock_names_with_inputs")],
  },
  "SY-5": {
    behavior: "Rows of a database are named as Argo's.",
    tests: [[LOCK_DATABASE, "nodes of one workflow overtake each other"]],
  },
  "SY-10": {
    behavior: "A workflow waits Pending with the reason; a definite error fails it; the world's trouble is waited out.",
    tests: [scenario("a_workflow_waits_for_its_locks"), [SYNC, "(T-SY-1)"], [
      DATABASE_LOCKS,
      "database lock: a waiting workflow reports that the database is unreachable and resumes later; others are not delayed",
    ]],
  },
  "SY-11": {
    behavior: "A node waits Pending with the first lock that refused it, before its cache is looked at.",
    tests: [scenario("nodes_wait_for_their_locks"), scenario("a_lock_is_acquired_before_the_cache_is_read"), [
      SYNC,
      "(T-SY-2)",
    ]],
  },
  "SY-12": {
    behavior: "One hold spans all attempts of a retry.",
    tests: [scenario("a_lock_is_held_for_all_attempts"), scenario("a_retry_waits_for_its_lock")],
  },
  "SY-13": {
    behavior: "A daemon gives its lock back when it is ready; what is suspended keeps its own.",
    tests: [
      scenario("a_daemon_releases_its_lock_when_it_is_ready"),
      scenario("nodes_of_every_type_wait_for_locks"),
    ],
  },
  "SY-15": {
    behavior: "Locks go with the end of their node or workflow, its deletion, and that of its namespace.",
    tests: [[SYNC, "(T-SY-8, T-SY-10)"], simulated("locks"), simulated("lock-of-a-workflow"), [
      "controller/workflow/sync/synchronizer_test.ts",
      "(SY-15)",
    ]],
  },
  "SY-16": {
    behavior: "Nodes that wait fail with the shutdown that ended them; those of exit handlers by Terminate only.",
    tests: [scenario("stop_of_nodes_that_wait_for_locks"), [SYNC, "(SY-16)"]],
  },
  "SY-17": {
    behavior: "Stop and Terminate end a workflow that waits at once.",
    tests: [scenario("a_waiting_workflow_is_stopped_at_once"), [
      SYNC,
      "ends a waiting workflow at once and removes it from the queue (T-SY-8)",
    ]],
  },
  "SY-20": {
    behavior: "The next holder is that of the highest priority, then the oldest.",
    tests: [[LOCK_TABLE, "(T-SY-4)"], [LOCK_DATABASE, "the higher priority is next"]],
  },
  "SY-21": {
    behavior: "All locks of a level at once or none; who waits for a second keeps those behind from the first.",
    tests: [[
      LOCK_TABLE,
      "LockTable: a claim that waits for a second lock blocks the first, which claims behind it see as free",
    ], [
      LOCK_DATABASE,
      "who asks for several gets all or none",
    ]],
  },
  "SY-22": { behavior: "The order is total: no two wait for each other.", tests: [[LOCK_TABLE, "(T-SY-3)"]] },
  "SY-23": {
    behavior: "Nodes of one workflow may overtake each other, those of a namesake elsewhere may not.",
    tests: [[LOCK_TABLE, "(SY-23)"], [LOCK_DATABASE, "and those of a namesake elsewhere do not"]],
  },
  "SY-25": {
    behavior: "A release wakes those whose turn it is, and writes no others.",
    tests: [
      [
        SYNC,
        "lock: a waiting workflow is not written at each grant to others, but names the current holder eventually",
      ],
      [SYNC, "(T-SY-14)"],
      [
        LOCK_TABLE,
        "LockTable: outdated() finds waiting workflows whose answer names other holders, a few at a time, in order",
      ],
      [LOCK_GRANTS, "only those that release or acquire a semaphore are evaluated"],
      [LOCK_GRANTS, "request their semaphore in one decision"],
    ],
    lacks:
      "the pace of a thousand who wait: a measurement, `deno task bench --load semaphore:1000` (docs/performance.md)",
  },
  "SY-30": {
    behavior: "Who waits says for which lock, and how many of it are free.",
    tests: [[SYNC, "(T-SY-1)"], scenario("nodes_wait_for_their_locks")],
  },
  "SY-31": {
    behavior: "A lock of a database says how many of it are taken.",
    tests: [[LOCK_DATABASE, "nodes of one workflow overtake each other"]],
  },
  "SY-32": {
    behavior: "A limit of 0 is a pause; one that was never there, or is no number, fails with the cause.",
    tests: [[SYNC, "(T-SY-7)"], [LOCK_TABLE, "(T-SY-7)"], [
      DATABASE_LOCKS,
      "database lock: a workflow fails with the reason when there is no database, or no limit for its semaphore",
    ]],
  },
  "SY-33": { behavior: "A limit that cannot be read any more stays as it was.", tests: [[SYNC, "(T-SY-7)"]] },
  "SY-34": {
    behavior: "Without its database, or poisoned, a lock is nobody's, and that is said.",
    tests: [[
      DATABASE_LOCKS,
      "database lock: a workflow fails with the reason when there is no database, or no limit for its semaphore",
    ], [SYNC, "(SY-52)"]],
  },
  "SY-40": {
    behavior: "`status.synchronization` names what is held and what is waited for, as Argo's.",
    tests: [scenario("a_workflow_waits_for_its_locks"), scenario("nodes_wait_for_their_locks")],
  },
  "SY-41": {
    behavior: "The status lists what is so now; leftovers of Argo's are read as nothing.",
    tests: [[LOCK_ITEM, "(SY-41)"], [
      SYNC,
      "lock: a waiting workflow is not written at each grant to others, but names the current holder eventually",
    ]],
  },
  "SY-42": {
    behavior: "Nothing is made under a hold that is not written; one that cannot be is given back.",
    tests: [[SYNC, "(T-SY-15)"], [
      SYNC,
      "lock: a waiter whose write is refused permanently returns its grant to the next",
    ], [
      LOCK_TABLE,
      "LockTable: an unrecorded grant can be taken back and goes to the next claim; a recorded one cannot",
    ]],
  },
  "SY-50": {
    behavior: "After a restart all holds of workflows that are not over count, beyond the limit too.",
    tests: [[SYNC, "(T-SY-5)"], [
      LOCK_TABLE,
      "LockTable: recorded holds count beyond the limit, and nothing is granted until all claims are registered",
    ]],
  },
  "SY-51": { behavior: "The queues are as before a restart, whoever comes meanwhile.", tests: [[SYNC, "(T-SY-5)"]] },
  "SY-52": {
    behavior: "A hold that cannot be read keeps its lock from all until its workflow is gone or mended.",
    tests: [[LOCK_ITEM, "(SY-52)"], [LOCK_TABLE, "a poisoned lock is granted to nobody"], [SYNC, "(SY-52)"]],
  },
  "SY-53": {
    behavior: "A hold of a database that has no row any more fails its workflow.",
    tests: [[DATABASE_LOCKS, "(SY-53)"]],
  },
  "SY-54": {
    behavior:
      "A limit that grows lets more start at once, one that shrinks lets them drain; all watched unless said otherwise.",
    tests: [[SYNC, "(T-SY-6)"], [LOCK_TABLE, "(T-SY-6)"], [SYNC, "a limit in a ConfigMap that is not watched"]],
  },
  "SY-60": {
    behavior: "The tables of a database are Argo's.",
    tests: [[LOCK_DATABASE, "tables are left as they are at Argo's version"]],
  },
  "SY-61": {
    behavior: "Who waits waits as long as its controller lives; what is held stays held.",
    tests: [[LOCK_DATABASE, "of a controller that died"], [DATABASE_LOCKS, "of six workflows of two controllers"]],
  },
  "SY-62": {
    behavior: "Controllers that race never give a lock to too many.",
    tests: [[LOCK_DATABASE, "however they race (T-SY-13)"]],
  },
  "SY-63": {
    behavior: "Polls and heartbeats have the times of Argo's code, and a controller has a name.",
    tests: [[LOCK_DATABASE, "of a controller that died"]],
  },
  "SY-64": {
    behavior: "What another controller decides about is left to it as long as it lives, and no longer.",
    tests: [[LOCK_DATABASE, "a lock that another controller decides about is left alone"]],
  },
  "SY-65": {
    behavior: "A controller whose tables cannot be used says so and works on.",
    tests: [[
      DATABASE_LOCKS,
      "database lock: a controller with unusable tables reports that and keeps running; a stopped waiter leaves no row",
    ]],
  },
  "SY-70": {
    behavior: "Limits are made, read, changed and deleted through the API, refused in Argo's words.",
    tests: [
      [SYNC_LIMITS, "sync limits: create adds the ConfigMap or a key"],
      [SYNC_LIMITS, "sync limits: an invalid request fails with Argo's message"],
      [
        SYNC_LIMITS,
        "sync limits: the error of a missing permission names the verb",
      ],
      [LOCK_DATABASE, "limits are created once"],
    ],
  },
  "deadlocks of locks": {
    behavior: "Nodes that wait for each other for ever say so, within a workflow and between several.",
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
      "What lies in a node that ended ends with it; a status in which it lies in itself is an error with its place.",
    tests: [
      [FORGED_STATUS, "with a finished Retry node, ends the workflow with a message that names the node"],
      [RANDOM_WORKFLOWS, "random workflows: each ends, without waiting nodes in an ended node, and without held locks"],
    ],
  },
  "T-SY-12": {
    behavior: "A template that needs a lock its workflow holds is an error, where Argo waits for ever.",
    tests: [scenario("a_lock_that_an_enclosing_node_holds_is_an_error")],
  },
};
