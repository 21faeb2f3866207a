/** Credentials of a request, and how long they may be remembered. */

/** Certificates as PEM text, and whom they must name. */
export interface TlsMaterial {
  readonly caCerts?: string[];
  readonly cert?: string;
  readonly key?: string;
  /** The name that the certificate of the server must have, where that is not the one it is reached by. */
  readonly serverName?: string;
}

/** Headers and certificates of one request. Never logged, never part of an error. */
export interface Credentials {
  readonly headers?: Record<string, string>;
  readonly tls?: TlsMaterial;
}

/** Gives the current credentials; `rejected` says that the last ones were answered with 401. */
export type CredentialSource = (rejected: boolean) => Promise<Credentials>;

/** Files and plugins replace a token long before it ends; a minute is how often clients of Kubernetes look. */
const AGE_MS = 60_000;

/** Remembers what `load` gives for a minute, or until the server refuses it, which the next one is told. */
export function rememberedCredentials(
  load: (rejected: boolean) => Promise<Credentials>,
  now: () => number = Date.now,
): CredentialSource {
  let current: Promise<Credentials> | undefined;
  let loadedAt = 0;
  return (rejected) => {
    if (current === undefined || rejected || now() - loadedAt >= AGE_MS) {
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
