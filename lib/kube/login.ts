/** The login of a context of a kubeconfig, whoever read it, and what a person says in place of its parts. */
import { basicAuthorization } from "../basic_authorization.ts";
import type { Credentials } from "./credentials.ts";

/** A context of a kubeconfig, whoever read it. */
export interface Login {
  readonly context: string;
  readonly namespace: string | undefined;
  /** Undefined when the context names none. */
  readonly cluster: LoginCluster | undefined;
  /**
   * Reads files anew with every call, and runs what the user entry asks for where its credentials have expired; `rejected`
   * says that the last ones were answered with 401.
   */
  credentials(rejected: boolean): Promise<Credentials>;
}

/** A cluster as a kubeconfig describes it, but for its authority, which belongs to the credentials. */
export interface LoginCluster {
  readonly name: string;
  readonly server: string;
  readonly skipTLSVerify?: boolean | undefined;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
}

/** Parts of a login that a person names in place of those of a context. */
export interface LoginChoice {
  /** The names of entries of the kubeconfig. */
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  /** The address of the API server, with which no kubeconfig is needed. */
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Certificates as PEM text. */
  readonly caCert?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly tlsServerName?: string | undefined;
}

/** The login of nobody at an address. */
export function loginAt(server: string): Login {
  return {
    context: "",
    namespace: undefined,
    cluster: { name: server, server },
    credentials: () => Promise.resolve({}),
  };
}

/** The login with the parts that were named; a user of whom a token or a password is told does not log in otherwise. */
export function chosenLogin(login: Login, choice: LoginChoice = {}): Login {
  const { server, proxyUrl, tlsServerName, token, username, password, caCert, cert, key } = choice;
  const cluster = login.cluster ?? (server ? { name: server, server } : undefined);
  return {
    ...login,
    cluster: cluster && {
      ...cluster,
      // The name in the certificate was that of the other address.
      ...(server && { server, tlsServerName: undefined }),
      ...(caCert && { skipTLSVerify: false }),
      ...(proxyUrl && { proxyUrl }),
      ...(tlsServerName && { tlsServerName }),
    },
    async credentials(rejected) {
      const { headers, tls } = await login.credentials(rejected);
      const says = token ? `Bearer ${token}` : username ? basicAuthorization(username, password) : undefined;
      return {
        headers: says === undefined ? headers ?? {} : { authorization: says },
        tls: { ...tls, ...(caCert && { caCerts: [caCert] }), ...(cert && key && { cert, key }) },
      };
    },
  };
}
