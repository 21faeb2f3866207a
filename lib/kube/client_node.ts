/** The used part of @kubernetes/client-node. Only loaded for kubeconfigs that need it, and bundled separately. */
export { KubeConfig } from "@kubernetes/client-node";
