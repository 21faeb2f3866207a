/** Short names for the test files that many cases of the engine refer to. */
import type { TestReference } from "../case_coverage.ts";

/** A scenario: commands and the expected responses of the engine, in a text file that is named after its title. */
export function scenario(name: string): TestReference {
  return [`tests/scenarios/testdata/${name}.txt`];
}

/** A scenario of cron workflows. */
export function cronScenario(name: string): TestReference {
  return [`tests/scenarios/cron/testdata/${name}.txt`];
}

/** A workflow that the whole controller runs under seeds, with faults. */
export function simulated(name: string): TestReference {
  return [`tests/dst/cases/${name}.yaml`];
}

export const SYNC = "tests/controller/sync_test.ts";
export const DATABASE_LOCKS = "tests/controller/database_locks_test.ts";
export const LOCK_DATABASE = "lib/storage/lock_database/lock_database_test.ts";
export const LOCK_ITEM = "lib/engine/lock_table/lock_item_test.ts";
export const LOCK_TABLE = "lib/engine/lock_table/lock_table_test.ts";
export const LOCK_DEADLOCKS = "lib/engine/lock_table/deadlocks_test.ts";
export const DEADLOCKS_OF_WORKFLOWS = "tests/controller/deadlock_test.ts";
export const DEADLOCKS = "tests/scenarios/deadlock_test.ts";
export const RANDOM_WORKFLOWS = "tests/random_workflows/modes.ts";
export const FORGED_STATUS = "tests/scenarios/forged_status_test.ts";
export const LOCK_GRANTS = "tests/scenarios/lock_grants_test.ts";
export const SYNC_LIMITS = "lib/storage/sync_limits/sync_limits_test.ts";
export const MEMO_CACHE = "controller/workflow/apply/memo_cache_test.ts";
export const MEMOIZATION = "tests/controller/memoization_test.ts";
export const AGENT = "tests/controller/agent_test.ts";
export const AGENT_FACTS = "controller/workflow/observe/agent_facts_test.ts";
export const AGENT_POD = "lib/engine/pod/agent_pod_test.ts";
export const HTTP_REQUEST = "executor/agent/http_request_test.ts";
export const TASKS = "executor/agent/tasks_test.ts";
export const TASK_SET_WATCH = "executor/agent/task_set_watch_test.ts";
export const TOKENS = "executor/agent/tokens_test.ts";
export const AGENT_ON_CLUSTER = "tests/e2e/cases/agent.ts";
export const CRON = "tests/controller/cron_test.ts";
export const SCHEDULE = "lib/language/template/cron/schedule_test.ts";
export const CRON_CONDITIONS = "lib/language/template/cron/conditions_test.ts";
export const CRON_STATUS = "controller/cron/draft_test.ts";
export const SLOTS = "controller/cron/slots_test.ts";
export const BACKFILL = "lib/engine/workflow_actions/backfill_test.ts";
export const COUNTS = "tests/controller/counts_test.ts";
export const LIFECYCLE = "tests/controller/lifecycle_test.ts";
export const LIFE = "tests/controller/workflow_life_test.ts";
export const OWNERSHIP = "tests/controller/ownership_test.ts";
export const VOLUMES = "tests/controller/volumes_test.ts";
export const SURPLUS = "controller/workflow/retention/surplus_test.ts";
export const ARCHIVE_RUNS = "tests/controller/archive_test.ts";
export const ARCHIVE = "lib/storage/archive/workflow_archive_test.ts";
export const OFFLOAD = "tests/controller/offload_test.ts";
export const RESTRICTIONS = "tests/controller/restrictions_test.ts";
export const PERMITTED = "lib/language/restrictions/permitted_spec_test.ts";
export const STORED_NODES = "controller/workflow/record/stored_nodes_test.ts";
export const UNPACK = "lib/model/nodes/unpack_test.ts";
export const THROTTLE = "controller/loop/throttle_test.ts";
export const ELECTION = "tests/controller/election_test.ts";
export const HEALTH = "controller/health_test.ts";
export const METRICS = "lib/base/metrics/metrics_test.ts";
export const OWN_METRICS = "controller/metrics/own_metrics_test.ts";
export const METRICS_SERVER = "controller/metrics/metrics_server_test.ts";
export const METRICS_OF_RUNS = "tests/controller/metrics_test.ts";
export const METRIC_VALUES = "lib/engine/metrics/metric_values_test.ts";
export const EMIT_METRICS = "lib/engine/metrics/emit_metrics_test.ts";
export const PROMETHEUS = "tests/prometheus/prometheus_test.ts";
export const EXPORTER = "controller/telemetry/exporter_test.ts";
export const NODE_EVENTS = "lib/engine/nodes/node_events_test.ts";
export const BASELINES = "controller/workflow/observe/baselines_test.ts";
export const DURATIONS = "lib/engine/nodes/resources_duration_test.ts";
export const RETRY = "lib/engine/workflow_actions/retry_test.ts";
export const RESUBMIT = "lib/engine/workflow_actions/resubmit_test.ts";
export const SUSPENDED = "lib/engine/workflow_actions/suspended_nodes_test.ts";
export const ACTOR = "lib/engine/workflow_actions/actor_test.ts";
export const SUBMIT = "lib/engine/workflow_actions/submit_options_test.ts";
export const CONFIG = "controller/config/config_test.ts";
export const SETTLE = "controller/config/config_with_fallbacks_test.ts";
export const SETTINGS = "tests/controller/settings_test.ts";
export const ENVIRONMENT = "controller/config/environment_test.ts";
export const FLAGS = "controller/flags_test.ts";
export const SAME_AS_ARGO = "tests/same_as_argo/same_as_argo_test.ts";
