/** Cases of what people do to workflows, and of templates. */
import type { AskedCase } from "../case_coverage.ts";
import { ACTOR, RESUBMIT, RETRY, SAME_AS_ARGO, scenario, SUBMIT, SUSPENDED, SYNC } from "./places.ts";

export const OPERATION_CASES: Readonly<Record<string, AskedCase>> = {
  "OP-1": {
    says: "A retry begins at every failed node below which none failed; one that had no nodes begins anew.",
    tests: [[RETRY, "a node that could not even start"], [RETRY, "in which no node failed has nothing to retry"], [
      RETRY,
      "a suspended node that was stopped waits again",
    ], [RETRY, "ended before it had nodes begins anew"]],
  },
  "OP-2": {
    says: "A suspended node waits again with the outputs that its template declares.",
    tests: [[RETRY, "with the outputs that its template declares"]],
  },
  "OP-3": {
    says: "A retried workflow is as before its end, its exit handler and the pods of what goes gone; namesakes stay.",
    tests: [[RETRY, "the workflow is as before its end"], [RETRY, "the exit handler runs again"], [
      RETRY,
      "a task whose name begins like the exit handler's",
    ]],
  },
  "OP-4": {
    says: "Other arguments count, also where the workflow has stored what it runs.",
    tests: [[RETRY, "other arguments also count"], [RETRY, "with other arguments, loops are expanded anew"], [
      SUBMIT,
      "parseParameterValues() splits",
    ]],
  },
  "OP-5": {
    says: "What cannot be is refused in Argo's words.",
    tests: [[RETRY, "a workflow is retried only when it has ended"], [RESUBMIT, "is not resubmitted memoized"], [
      SUSPENDED,
      "refuses what the nodes do not wait for",
    ], [SUSPENDED, "resume gives outputs that nobody supplied"]],
  },
  "OP-6": {
    says: "Each resumed node says who resumed it.",
    tests: [[SUSPENDED, "each resumed node says who"], [ACTOR, "resumedBy() names the known claims"]],
  },
  "OP-7": {
    says: "A changed workflow says by labels who changed it.",
    tests: [[ACTOR, "the labels of an actor are safe"], [ACTOR, "an anonymous change takes the labels"]],
  },
  "OP-8": {
    says: "Chosen nodes alone are stopped, resumed and set.",
    tests: [[SUSPENDED, "resume with a selector"], [SUSPENDED, "setNodes() changes only the waiting nodes"]],
  },
  "OP-9": {
    says: "A resubmitted workflow renames nodes by their beginning; memoized, it skips what succeeded.",
    tests: [[RESUBMIT, "nodes are renamed by their beginning"], [RESUBMIT, "a memoized one skips"], [
      RETRY,
      "locks are taken again",
    ]],
  },
  "OP-10": {
    says: "No retry leaves a pod or a reference behind, in trees of any shape.",
    tests: [[RETRY, "nothing refers to a node that was taken away"], [RETRY, "groups within groups"], [
      "tests/scenarios/retry_test.ts",
      "after a retry of any workflow nothing refers",
    ]],
  },
  "HK-1": { says: "A display name is checked.", tests: [scenario("display_names_of_templates")] },
  "HK-3": {
    says: "A report that another controller waited for is waited for.",
    tests: [scenario("reports_that_another_controller_waited_for")],
  },
  "HK-4": {
    says: "A child that people make of a cron workflow has its time, its instance and its finalizers.",
    tests: [[SUBMIT, "started from a cron workflow by hand"]],
  },
  "HK-6": {
    says: "The agent does what an exit handler asks for also after a Stop.",
    tests: [scenario("http_templates_that_are_stopped")],
  },
  "HK-8": {
    says: "Hooks of a node begin in the order of their names.",
    tests: [scenario("hooks_of_a_step_begin_in_the_order_of_their_names")],
  },
  "HK-9": {
    says: "No field of a workflow is passed over in silence: each is the engine's, or somebody else's who is named.",
    tests: [["tests/scenarios/features_test.ts", "every field that the engine answers for"]],
  },
  "HK-10": {
    says: "A workflow that Argo's controller began holds its locks here.",
    tests: [[SYNC, "(HK-10)"]],
  },
  "HK-11": {
    says: "Workflows of every kind of template end as in Argo, field by field.",
    tests: [[SAME_AS_ARGO, "small workflows of every kind"]],
  },
};
