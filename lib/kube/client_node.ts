/** The part of @kubernetes/client-node that is used: loaded for the few kubeconfigs that need it, and bundled apart. */
export { KubeConfig } from "@kubernetes/client-node";
