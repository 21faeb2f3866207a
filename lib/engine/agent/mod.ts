/** Templates that the workflow's agent runs (HTTP and plugin): the facts about its task set and its results. */
export type { AgentFacts, AgentPluginResult, TaskSetFacts } from "./facts.ts";
export { AGENT_KEY } from "./results.ts";
