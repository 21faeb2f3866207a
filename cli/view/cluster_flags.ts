/** The flags of suggested commands: those with which the user selected the cluster and namespace. */

/** The flags that select a cluster and a namespace. Credentials are left out. */
export interface ClusterFlags {
  readonly local?: boolean;
  readonly data?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly argoServer?: string;
  readonly namespace?: string;
}

/** Returns the flags for the end of a command line, with a leading space; empty without flags. */
export function clusterFlagsText({ local, data, kubeconfig, context, argoServer, namespace }: ClusterFlags): string {
  const words = [
    ...data !== undefined ? ["--data", data] : local ? ["--local"] : [],
    ...kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig],
    ...context === undefined ? [] : ["--context", context],
    ...argoServer === undefined ? [] : ["--argo-server", argoServer],
    ...namespace === undefined ? [] : ["-n", namespace],
  ];
  return words.map((word) => ` ${shellWord(word)}`).join("");
}

/** A word as a shell reads it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
