/** Credentials of a request, and how long they are cached. */

/** Certificates as PEM text, and the server name that they must match. */
export interface TlsMaterial {
  readonly caCerts?: string[];
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have, if it differs from the host in the URL. */
  readonly serverName?: string;
}

/** Headers and certificates of one request. They must never be logged or included in an error. */
export interface Credentials {
  readonly headers?: Record<string, string>;
  readonly tls?: TlsMaterial;
}

/** Returns the current credentials. `rejected` means that the last ones were rejected with 401. */
export type CredentialSource = (rejected: boolean) => Promise<Credentials>;

/** Files and plugins replace a token long before it expires. Kubernetes clients check about once a minute. */
const MAX_AGE_MS = 60_000;

/**
 * Caches the result of `load` for a minute, or until the server rejects it. The next call of `load` then gets
 * `rejected`.
 */
export function cachedCredentials(
  load: (rejected: boolean) => Promise<Credentials>,
  now: () => number = Date.now,
): CredentialSource {
  let current: Promise<Credentials> | undefined;
  let loadedAt = 0;
  return (rejected) => {
    if (current === undefined || rejected || now() - loadedAt >= MAX_AGE_MS) {
      loadedAt = now();
      const loading = load(rejected);
      current = loading;
      loading.catch(() => {
        if (current === loading) current = undefined;
      });
    }
    return current;
  };
}
