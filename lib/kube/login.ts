/** The login of a kubeconfig's context, independent of its reader, and the user's overrides. */
import { basicAuthorization } from "@tiphys/base/basic_authorization";
import type { Credentials } from "./credentials.ts";

/** A context of a kubeconfig. */
export interface Login {
  readonly context: string;
  readonly namespace: string | undefined;
  /** Undefined when the context names no cluster. */
  readonly cluster: LoginCluster | undefined;
  /**
   * Returns the credentials. Reads files again at every call, and runs the login program if its credentials have
   * expired. `rejected` means that the last ones were rejected with 401.
   */
  credentials(rejected: boolean): Promise<Credentials>;
}

/** A cluster of a kubeconfig without its certificate authority, which belongs to the credentials. */
export interface LoginCluster {
  readonly name: string;
  readonly server: string;
  readonly skipTLSVerify?: boolean | undefined;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
}

/** Options that override parts of a context. */
export interface LoginChoice {
  /** The names of entries of the kubeconfig. */
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  /** The address of the API server. No kubeconfig is needed then. */
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

/** Returns a login without credentials at an address. */
export function loginAt(server: string): Login {
  return {
    context: "",
    namespace: undefined,
    cluster: { name: server, server },
    credentials: () => Promise.resolve({}),
  };
}

/** Returns the login with overridden parts. A given token or password replaces the user's other credentials. */
export function chosenLogin(login: Login, choice: LoginChoice = {}): Login {
  const { server, proxyUrl, tlsServerName, token, username, password, caCert, cert, key } = choice;
  const cluster = login.cluster ?? (server ? { name: server, server } : undefined);
  return {
    ...login,
    cluster: cluster && {
      ...cluster,
      // The server name in the kubeconfig belongs to the other address.
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
