/** The plugins that a workflow brings along for its agent. */
import type { ExecutorPlugin } from "@tiphys/model/api";
import type { Place, Report } from "./report.ts";

/** Checks that each plugin has a name, and its sidecar what the agent's pod cannot do without. */
export function checkExecutorPlugins(report: Report, plugins: readonly ExecutorPlugin[], place: Place): void {
  plugins.forEach((plugin, index) => {
    const problem = executorPluginProblem(plugin);
    if (problem !== undefined) report.add(place.at("executorPlugins", index), `spec.executorPlugins: ${problem}`);
  });
}

/** The error message for the first thing that a plugin lacks; undefined when it lacks nothing. */
export function executorPluginProblem({ metadata, spec }: ExecutorPlugin): string | undefined {
  const { ports, resources, securityContext } = spec.sidecar.container;
  if (!metadata?.name) return "executor plugin metadata name is mandatory";
  if (!ports?.length) return "at least one port is mandatory";
  if (!resources?.requests) return "resources requests are mandatory";
  if (!resources?.limits) return "resources limits are mandatory";
  return securityContext ? undefined : "security context is mandatory";
}
