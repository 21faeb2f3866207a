/** Features of workflows, templates and schedules. */
import { scenario } from "../engine_cases/places.ts";
import { better, different, type Features, same } from "./feature.ts";

const CRDS = "tests/foreign/crds_test.ts";
const SIMULATE = "simulate/simulate_test.ts";
const SCHEDULING = "lib/engine/pod/parts/scheduling_test.ts";

/** The kinds and the fields of their specs. */
export const KIND_FEATURES: Features = {
  "Workflow, WorkflowTemplate, ClusterWorkflowTemplate, CronWorkflow": same(
    "same group, version and fields; status field for field",
    "HK-11",
  ),
  "Argo's CRDs, full and minimal": same("work unchanged", [CRDS, "artifacts and logs arrive on Argo's"]),
  "Unknown fields": different(
    "refused with the place by `submit` and `lint`; a warning when the server creates or updates an object",
    ["cli/commands/scripted_test.ts", "--strict: submit, lint, create and update reject unknown fields"],
  ),
  "`workflowTemplateRef`, `templateRef`, inline templates": same(
    "merged in Argo's order",
    scenario("a_workflow_of_a_WorkflowTemplate"),
    scenario("template_of_another_object"),
  ),
  "Inline templates of one name in a WorkflowTemplate": better(
    "each call runs its own; Argo runs the first one for all",
    scenario("inline_templates_of_one_WorkflowTemplate"),
  ),
  "`workflowDefaults`, `templateDefaults`, `retryStrategy` of the workflow": same("merged as by Argo", [
    "lib/engine/spec/effective_spec_test.ts",
    "workflowDefaults: ",
  ], scenario("templateDefaults_and_retryStrategy_of_a_workflow")),
  "Defaults in stored workflows": different(
    "merged in every pass and not written into the spec, but for the time after the end",
    "LC-2",
  ),
  "Messages of failures": different(
    "those of DAGs, loops and steps name the cause",
    scenario("messages_name_the_child_that_failed_at_every_level"),
  ),
  "Scheduling fields": same("node selectors, affinity, tolerations, priority, host network, pull secrets", [
    SCHEDULING,
    "schedulingFields() copies the network",
  ]),
  "`podSpecPatch`": same("strategic merge, workflow before template", [
    "lib/engine/pod/parts/pod_spec_patch_test.ts",
    "`supervisor` refers to the aux container",
  ]),
  "`volumeClaimTemplates`, `volumeClaimGC`": same("same names, owners and moments of deletion", "LC-5"),
  "`podDisruptionBudget`": better("exists before the first pod", "LC-6"),
  "`podGC`": same("all strategies", scenario("podGC_OnPodSuccess"), scenario("podGC_OnWorkflowCompletion")),
  "`ttlStrategy`": same("times count from the last end", "LC-1"),
  "`activeDeadlineSeconds`, `timeout`": same(
    "of workflow, template and attempt",
    scenario("deadline_ends_the_step"),
    scenario("timeouts_end_attempts"),
  ),
  "`workflowMetadata`, `labelsFrom`": same(
    "set in the first pass",
    scenario("workflowMetadata_sets_labels_and_annotations"),
  ),
  "`shutdown`: Stop and Terminate": better(
    "suspended and waiting nodes end at once; Argo leaves some of them running",
    scenario("stop_runs_exit_handlers"),
    scenario("terminate_runs_no_exit_handler"),
  ),
  "`templateReferencing`: Strict and Secure": better(
    "decided at every depth; status fields that people write have no effect",
    "LC-22",
    "LC-23",
    "LC-24",
  ),
};

/** Templates and the flow between them. */
export const TEMPLATE_FEATURES: Features = {
  "`container`, `script`": same("exit codes, results and messages are Argo's", [
    "tests/e2e/cases/basics.ts",
    "hello world: succeeds, and its log contains its output",
  ], "HK-11"),
  "`steps`": better("each group starts milliseconds after the previous one", scenario("steps_run_in_order")),
  "`dag`: `depends`, `dependencies`, `failFast`, `target`": same(
    "all task results, AnySucceeded and AllFailed included",
    ["lib/language/template/depends_test.ts", "AnySucceeded and AllFailed check"],
    scenario("a_DAG_with_targets_runs_only_their_dependencies"),
  ),
  "A DAG whose task ended in an error after all its nodes succeeded": different(
    "`Error`; Argo ends it as `Succeeded`",
    scenario("a_task_that_errs_fails_its_DAG_although_its_pod_succeeded"),
  ),
  "`withItems`, `withParam`, `withSequence`": same(
    "names, order and aggregated results are Argo's",
    scenario("loops_expand_and_aggregate"),
  ),
  "`when`, `continueOn`": same(
    "same language",
    scenario("continueOn_of_steps_and_tasks"),
    scenario("loops_and_conditions_in_a_DAG"),
  ),
  "`retryStrategy`": same(
    "policies, expressions, backoff, affinity",
    scenario("retries_by_policy"),
    scenario("retries_with_expression_and_affinity"),
    scenario("retry_with_backoff"),
  ),
  "`retryStrategy.backoff` without `limit`": different(
    "waits before each retry; Argo retries at once",
    scenario("retry_with_backoff_without_a_limit"),
  ),
  "Exit handlers and hooks": better(
    "all run, also those of the last items of a loop",
    scenario("exit_handlers_of_the_calls_of_a_loop"),
    scenario("hooks_run_when_their_expression_holds"),
  ),
  "`suspend`": better(
    "a suspended workflow obeys its deadline and can be stopped",
    scenario("a_user_supplies_an_output"),
    scenario("a_suspended_workflow_obeys_its_deadline"),
  ),
  "`containerSet`": same("dependencies and retries of containers", scenario("report_of_a_container_set")),
  "`daemon`, `sidecars`, `initContainers`": better(
    "a daemon that dies is restarted by its retries, or fails",
    scenario("daemon_waits_until_it_is_ready"),
    scenario("a_daemon_with_retries_is_restarted_when_it_dies"),
  ),
  "`resource`": better("the object is watched, not polled", [
    "tests/e2e/cases/resources.ts",
    "apply, patch and delete",
  ]),
  "`resource` with several objects in its manifest": different("refused; Argo creates several, then fails", [
    "executor/resource/resource_test.ts",
    "resource: every action but delete requires one object, and unknown flags are rejected",
  ]),
  "`http`": same("run by the agent", "AG-3", "AG-30", "AG-33"),
  "`plugin` (executor plugins)": same("from ConfigMaps and from workflows", "AG-40", "AG-43", "AG-46"),
  "`data`": same("lists stores, transforms with expressions", "AR-130"),
  "`memoize`": same("same ConfigMaps", "ME-1", "ME-7"),
  "`synchronization`: mutexes and semaphores": same(
    "of ConfigMaps and of a database, together with Argo's controllers",
    "SY-3",
    "SY-60",
    "SY-62",
  ),
  "Deadlocks of locks": better(
    "found and ended with a message; Argo waits forever",
    scenario("two_mutexes_in_opposite_orders_are_a_reported_deadlock"),
  ),
  "`parallelism`": better(
    "a daemon that is up takes no place",
    scenario("parallelism_of_a_workflow_counts_its_pods"),
    scenario("a_ready_daemon_does_not_count_for_parallelism"),
  ),
  "`metrics`": same("custom metrics of workflows and templates", "MT-10", "MT-11"),
  "Template tags and expressions": better("the same language; errors name place and remedy", [
    "lib/language/template/errors_test.ts",
    "`depends` suggests the nearest",
  ], ["tests/language/tables_test.ts", ": ${title}"]),
  "Evaluations that are too expensive": different("bounded: they end with an error that names the limit", [
    "tests/scenarios/limits_test.ts",
    "arguments that double with each call",
  ]),
  "References to outputs that never come": different(
    "the node ends with an error; Argo waits forever",
    scenario("a_reference_to_a_missing_output_ends_its_step"),
  ),
};

/** Schedules. */
export const CRON_FEATURES: Features = {
  "Schedules, time zones, `@every`": same("robfig's syntax, with clock changes", "CR-1", "CR-2", "CR-23"),
  "`concurrencyPolicy`, history limits, `suspend`": same("", "CR-8", "CR-20", "CR-6"),
  "`startingDeadlineSeconds`": same("the latest missed run is made up for", "CR-24"),
  "`when`, `stopStrategy`": same("", "CR-5", "CR-7"),
  "Names of runs": same("a slot never runs twice, also after a crash or with two controllers", "CR-9", "CR-29"),
  "Backfill": same("", "CR-30"),
};

/** Actions of users. */
export const ACTION_FEATURES: Features = {
  "Stop, terminate, suspend, resume": same("", "SV-34", "OP-6"),
  "Retry": better("groups, loops and locks of any shape; no pod or reference is left behind", "OP-1", "OP-10"),
  "Resubmit, memoized too": better(
    "runs again what `retry` runs again: ends also after a failure in or after a DAG, restarts daemons",
    "OP-9",
  ),
  "Set outputs of suspended nodes": same("", "OP-8"),
  "`simulate`: tests of workflows without a cluster": better("does not exist in Argo", [
    SIMULATE,
    "simulate: an inline template has the name of its step",
  ]),
};
