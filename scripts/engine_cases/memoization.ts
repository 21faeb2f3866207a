/** Cases of memoization. */
import type { CoveredCase } from "../case_coverage.ts";
import { MEMO_CACHE, MEMOIZATION, scenario } from "./places.ts";

export const MEMOIZATION_CASES: Readonly<Record<string, CoveredCase>> = {
  "ME-1": { behavior: "An entry is a key of a ConfigMap, as Argo writes it.", tests: [[MEMO_CACHE, "(ME-1, ME-11)"]] },
  "ME-2": {
    behavior: "A cache of the workflow's namespace comes first, where it may be read.",
    tests: [[MEMO_CACHE, "(ME-2)"]],
  },
  "ME-3": { behavior: "A key that is none is refused.", tests: [scenario("invalid_memoization")] },
  "ME-4": {
    behavior: "A ConfigMap that is no cache is refused, and not written to; what is not there is a miss.",
    tests: [scenario("invalid_memoization"), [MEMO_CACHE, "(ME-4, ME-11)"]],
  },
  "ME-5": {
    behavior: "An entry that is too old is a miss; an age that is none is refused.",
    tests: [scenario("memoized_outputs_are_reused"), scenario("invalid_memoization")],
  },
  "ME-6": {
    behavior:
      "What is wrong with a cache is the error of its node, which has its own type; continueOn goes on after it.",
    tests: [scenario("invalid_memoization")],
  },
  "ME-7": {
    behavior: "A hit is the end of its node: no pod, no attempts, nothing below it, outputs of the workflow too.",
    tests: [scenario("memoized_outputs_are_reused"), scenario("memoized_steps_dags_and_retries")],
  },
  "ME-8": {
    behavior: "Looked up when a node is new or has its locks, saved when it succeeded, also what was suspended.",
    tests: [scenario("memoized_steps_dags_and_retries"), scenario("a_lock_is_acquired_before_the_cache_is_read"), [
      MEMOIZATION,
      "(T-ME-7)",
    ]],
  },
  "ME-9": {
    behavior: "A hit moves the moment of the last hit; that this is refused is no error.",
    tests: [[MEMO_CACHE, "(ME-9)"], [MEMO_CACHE, "cache: a refused write does not affect concurrent lookups"]],
  },
  "ME-10": {
    behavior: "A node keeps its success where its outputs cannot be saved.",
    tests: [[MEMOIZATION, "(T-ME-8)"]],
  },
  "ME-11": {
    behavior: "A new cache has its label from the first; labels of its owner stay, as do entries that others save.",
    tests: [[MEMO_CACHE, "(ME-1, ME-11)"], [MEMO_CACHE, "(ME-4, ME-11)"], [MEMO_CACHE, "(T-ME-11)"]],
  },
  "ME-12": {
    behavior: "A full cache loses the entries that were hit longest ago; what fits into none is refused.",
    tests: [[MEMO_CACHE, "(ME-12)"], [MEMO_CACHE, "cache: outputs that do not fit into a ConfigMap are refused,"]],
  },
  "ME-13": {
    behavior: "Calls of one key that miss at once all run.",
    tests: [[MEMO_CACHE, "cache: concurrent requests cost one read and one write, and a"]],
  },
  "ME-14": {
    behavior: "Entries that nobody hits go after a time, and only caches of ours that are empty.",
    tests: [[MEMO_CACHE, "(ME-14)"]],
  },
};
