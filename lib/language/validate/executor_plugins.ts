/** Checks the executor plugins in a workflow. */
import type { ExecutorPlugin } from "@tiphys/model/api";
import type { FieldLocation, Report } from "./report.ts";

/** Checks that each plugin has a name, and that its sidecar has the fields that the agent's pod requires. */
export function checkExecutorPlugins(
  report: Report,
  plugins: readonly ExecutorPlugin[],
  fieldPath: FieldLocation,
): void {
  plugins.forEach((plugin, index) => {
    const problem = executorPluginProblem(plugin);
    if (problem !== undefined) {
      report.add(fieldPath.pathTo("executorPlugins", index), `spec.executorPlugins: ${problem}`);
    }
  });
}

/** Returns the error message for the first missing field of a plugin. */
export function executorPluginProblem({ metadata, spec }: ExecutorPlugin): string | undefined {
  const { ports, resources, securityContext } = spec.sidecar.container;
  if (!metadata?.name) return "executor plugin metadata name is mandatory";
  if (!ports?.length) return "at least one port is mandatory";
  if (!resources?.requests) return "resources requests are mandatory";
  if (!resources?.limits) return "resources limits are mandatory";
  return securityContext ? undefined : "security context is mandatory";
}
