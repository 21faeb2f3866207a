/** The modules that support browsers, as one bundle. */
export * as nodes from "@tiphys/model/nodes";
export * as status from "@tiphys/model/status";
export * as workflowActions from "@tiphys/engine/workflow_actions";
export * from "../../mod.ts";
