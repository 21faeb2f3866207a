/**
 * Test files that `deno task ok` leaves out because they take servers, containers, many seeds or whole bundles. `deno
 * task all` runs them as `deno task test --long`.
 */

const BUNDLES = "bundles whole programs";
const CALLS = "calls each function of the template language a million times";
const CONTAINERS = "runs containers in every back end";
const DATABASES = "starts database servers";
const PROGRAMS = "starts many processes of programs that others wrote";
const SEEDS = "runs the whole controller, or the engine, under many seeds";
const SERVERS = "starts servers or whole embedded clusters as processes";

/** Test files that run fewer repetitions in the quick gate (`repetitions.ts`), and all of them as long tests. */
export const SHORTENED_TESTS: readonly string[] = [
  "tests/scenarios/laws_test.ts",
  "tests/simulate/values_are_data_test.ts",
];

/** The long test files, each with the reason. */
export const LONG_TESTS: Readonly<Record<string, string>> = {
  "cli/full_disk_test.ts": SERVERS,
  "cli/second_shell_test.ts": SERVERS,
  "executor/surroundings_test.ts": PROGRAMS,
  "lib/storage/archive/argo_rows_test.ts": DATABASES,
  "lib/storage/archive/earlier_tables_test.ts": DATABASES,
  "lib/storage/archive/many_labels_test.ts": DATABASES,
  "lib/storage/archive/own_rows_test.ts": DATABASES,
  "lib/artifacts/formats/foreign_archives_test.ts": PROGRAMS,
  "lib/stores/git/git_test.ts": PROGRAMS,
  "lib/stores/git/ssh_test.ts": SERVERS,
  "lib/storage/database/connections_test.ts": DATABASES,
  "lib/storage/database/database_test.ts": DATABASES,
  "lib/storage/lock_database/lock_database_test.ts": DATABASES,
  "lib/portable/bundle_test.ts": BUNDLES,
  "local/kubelet/hostile_pods_test.ts": CONTAINERS,
  "local/kubelet/kubelet_test.ts": CONTAINERS,
  "local/kubelet/runtime/engine/engine_test.ts": CONTAINERS,
  "local/kubelet/runtime/host_test.ts": CONTAINERS,
  "local/kubelet/runtime/sandbox_test.ts": CONTAINERS,
  "local/kubelet/secrets_test.ts": CONTAINERS,
  "lib/language/template/expr/prices_test.ts": CALLS,
  "scripts/build_git_test.ts": PROGRAMS,
  "scripts/gen_kustomize_test.ts": PROGRAMS,
  "server/hostile_requests_test.ts": SERVERS,
  "server/page/page_test.ts": BUNDLES,
  "tests/argo_cli/commands_test.ts": SERVERS,
  "tests/argo_cli/database_test.ts": DATABASES,
  "tests/crash/crash_test.ts": SERVERS,
  "tests/descriptors/descriptors_test.ts": SERVERS,
  "tests/dst/fences_test.ts": SEEDS,
  "tests/dst/simulation_test.ts": SEEDS,
  "tests/hostile/hostile_test.ts": SERVERS,
  "tests/install/npm_package_test.ts": BUNDLES,
  "tests/install/permissions_test.ts": BUNDLES,
  "tests/install/server_components_test.ts": BUNDLES,
  "tests/random_workflows/many_seeds_test.ts": SEEDS,
  "tests/prometheus/prometheus_test.ts": SERVERS,
  "tests/ui/bench/sizes_test.ts": BUNDLES,
};
