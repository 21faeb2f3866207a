/** All that runs in browsers, for one bundle. */
export * as nodes from "../../lib/nodes/mod.ts";
export * as status from "../../lib/status/mod.ts";
export * as workflowActions from "../../lib/workflow_actions/mod.ts";
export * from "../../mod.ts";
