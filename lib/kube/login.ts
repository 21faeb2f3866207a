/** The login of a context of a kubeconfig, whoever read it. */
import type { Credentials } from "./credentials.ts";

/** A context of a kubeconfig, whoever read it. */
export interface Login {
  readonly context: string;
  readonly namespace: string | undefined;
  /** Undefined when the context names none. */
  readonly cluster: LoginCluster | undefined;
  /** Reads files and runs what the user entry asks for, anew with every call. */
  credentials(): Promise<Credentials>;
}

/** A cluster as a kubeconfig describes it, but for its authority, which belongs to the credentials. */
export interface LoginCluster {
  readonly name: string;
  readonly server: string;
  readonly skipTLSVerify?: boolean | undefined;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
}
