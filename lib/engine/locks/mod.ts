/** Locks of decisions: which ones a decision requests and releases, and the answers that it is repeated with. */
export { LOCK_FACT, type LockChanges, lockFact, type LockFacts } from "./lock_facts.ts";
