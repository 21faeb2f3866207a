/** Cases of memoization. */
import type { AskedCase } from "../case_coverage.ts";
import { MEMO_CACHE, MEMOIZATION, scenario } from "./places.ts";

export const MEMOIZATION_CASES: Readonly<Record<string, AskedCase>> = {
  "ME-1": { says: "An entry is a key of a ConfigMap, as Argo writes it.", tests: [[MEMO_CACHE, "(ME-1, ME-11)"]] },
  "ME-2": {
    says: "A cache of the workflow's namespace comes first, where it may be read.",
    tests: [[MEMO_CACHE, "(ME-2)"]],
  },
  "ME-3": { says: "A key that is none is refused.", tests: [scenario("invalid_memoization")] },
  "ME-4": {
    says: "A ConfigMap that is no cache is refused, and not written to; what is not there is a miss.",
    tests: [scenario("invalid_memoization"), [MEMO_CACHE, "(ME-4, ME-11)"]],
  },
  "ME-5": {
    says: "An entry that is too old is a miss; an age that is none is refused.",
    tests: [scenario("memoized_outputs_are_reused"), scenario("invalid_memoization")],
  },
  "ME-6": {
    says: "What is wrong with a cache is the error of its node, which has its own type; continueOn goes on after it.",
    tests: [scenario("invalid_memoization")],
  },
  "ME-7": {
    says: "A hit is the end of its node: no pod, no attempts, nothing below it, outputs of the workflow too.",
    tests: [scenario("memoized_outputs_are_reused"), scenario("memoized_steps_dags_and_retries")],
  },
  "ME-8": {
    says: "Looked up when a node is new or has its locks, saved when it succeeded, also what was suspended.",
    tests: [scenario("memoized_steps_dags_and_retries"), scenario("a_lock_is_acquired_before_the_cache_is_read"), [
      MEMOIZATION,
      "(T-ME-7)",
    ]],
  },
  "ME-9": {
    says: "A hit moves the moment of the last hit; that this is refused is no error.",
    tests: [[MEMO_CACHE, "(ME-9)"], [MEMO_CACHE, "cache: a refused write does not affect concurrent lookups"]],
  },
  "ME-10": { says: "A node keeps its success where its outputs cannot be saved.", tests: [[MEMOIZATION, "(T-ME-8)"]] },
  "ME-11": {
    says: "A new cache has its label from the first; labels of its owner stay, as do entries that others save.",
    tests: [[MEMO_CACHE, "(ME-1, ME-11)"], [MEMO_CACHE, "(ME-4, ME-11)"], [MEMO_CACHE, "(T-ME-11)"]],
  },
  "ME-12": {
    says: "A full cache loses the entries that were hit longest ago; what fits into none is refused.",
    tests: [[MEMO_CACHE, "(ME-12)"], [MEMO_CACHE, "cache: outputs that do not fit into a ConfigMap are refused,"]],
  },
  "ME-13": {
    says: "Calls of one key that miss at once all run.",
    tests: [[MEMO_CACHE, "cache: concurrent requests cost one read and one write, and a"]],
  },
  "ME-14": {
    says: "Entries that nobody hits go after a time, and only caches of ours that are empty.",
    tests: [[MEMO_CACHE, "(ME-14)"]],
  },
};
