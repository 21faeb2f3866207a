/** Cases of memoization. */
import type { CoveredCase } from "../case_coverage.ts";
import { MEMO_CACHE, MEMOIZATION, scenario } from "./places.ts";

export const MEMOIZATION_CASES: Readonly<Record<string, CoveredCase>> = {
  "ME-1": { behavior: "An entry is a key of a ConfigMap, in Argo's form.", tests: [[MEMO_CACHE, "(ME-1, ME-11)"]] },
  "ME-2": {
    behavior: "A cache in the workflow's namespace has priority, if it may be read.",
    tests: [[MEMO_CACHE, "(ME-2)"]],
  },
  "ME-3": { behavior: "An invalid key is refused.", tests: [scenario("invalid_memoization")] },
  "ME-4": {
    behavior: "A ConfigMap that is not a cache is refused and not written to; a missing one is a miss.",
    tests: [scenario("invalid_memoization"), [MEMO_CACHE, "(ME-4, ME-11)"]],
  },
  "ME-5": {
    behavior: "An expired entry is a miss; an invalid age is refused.",
    tests: [scenario("memoized_outputs_are_reused"), scenario("invalid_memoization")],
  },
  "ME-6": {
    behavior: "An invalid cache is the error of its node, which has its own type; continueOn ignores it.",
    tests: [scenario("invalid_memoization")],
  },
  "ME-7": {
    behavior: "A hit ends its node: no pod, attempts or children; global outputs are set, too.",
    tests: [scenario("memoized_outputs_are_reused"), scenario("memoized_steps_dags_and_retries")],
  },
  "ME-8": {
    behavior:
      "The cache is read when a node is new or has its locks, and written when it succeeded, also for suspended nodes.",
    tests: [scenario("memoized_steps_dags_and_retries"), scenario("a_lock_is_acquired_before_the_cache_is_read"), [
      MEMOIZATION,
      "(T-ME-7)",
    ]],
  },
  "ME-9": {
    behavior: "A hit updates the time of the last hit; a refusal of that write is not an error.",
    tests: [[MEMO_CACHE, "(ME-9)"], [MEMO_CACHE, "cache: a refused write does not affect concurrent lookups"]],
  },
  "ME-10": {
    behavior: "A node succeeds even if its outputs cannot be saved.",
    tests: [[MEMOIZATION, "(T-ME-8)"]],
  },
  "ME-11": {
    behavior: "A new cache is created with its label; labels of the owner and entries of others are kept.",
    tests: [[MEMO_CACHE, "(ME-1, ME-11)"], [MEMO_CACHE, "(ME-4, ME-11)"], [MEMO_CACHE, "(T-ME-11)"]],
  },
  "ME-12": {
    behavior: "A full cache drops the entries with the oldest hits; an entry that fits into no cache is refused.",
    tests: [[MEMO_CACHE, "(ME-12)"], [MEMO_CACHE, "cache: outputs that do not fit into a ConfigMap are refused,"]],
  },
  "ME-13": {
    behavior: "Concurrent calls with the same key that miss all run.",
    tests: [[MEMO_CACHE, "cache: concurrent requests cost one read and one write, and a"]],
  },
  "ME-14": {
    behavior: "Entries without hits expire, and only our own empty caches are deleted.",
    tests: [[MEMO_CACHE, "(ME-14)"]],
  },
  "T-ME-1": {
    behavior: "The second call of a template hits, and the time of the last hit moves.",
    tests: [scenario("memoized_outputs_are_reused"), [MEMO_CACHE, "(ME-1, ME-11)"], [MEMO_CACHE, "(ME-9)"]],
  },
  "T-ME-2": {
    behavior: "An entry older than `maxAge` is a miss, and is replaced.",
    tests: [scenario("memoized_steps_dags_and_retries"), [MEMO_CACHE, "(ME-1, ME-11)"]],
  },
  "T-ME-3": {
    behavior: "Each invalid key, cache, entry and age has Argo's message.",
    tests: [scenario("invalid_memoization")],
  },
  "T-ME-4": {
    behavior: "A hit of a template with retries is that of the Retry node, which has no attempts.",
    tests: [scenario("memoized_steps_dags_and_retries")],
  },
  "T-ME-5": {
    behavior:
      "A hit of steps or a DAG has no inner nodes; the next step starts, and of the hooks only the exit handler.",
    tests: [scenario("memoized_steps_dags_and_retries"), scenario("a_memo_hit_exports_its_global_outputs")],
  },
  "T-ME-6": {
    behavior: "Outputs of a failed node are not saved.",
    tests: [scenario("memoized_outputs_are_reused"), scenario("memoized_steps_dags_and_retries")],
  },
  "T-ME-9": { behavior: "The cleanup removes old entries only.", tests: [[MEMO_CACHE, "(ME-14)"]] },
  "T-ME-10": {
    behavior: "Global outputs of a hit are outputs of the workflow.",
    tests: [scenario("a_memo_hit_exports_its_global_outputs")],
  },
};
