/**
 * Logins with cloud tokens instead of a password: for AWS, a signed connection request; for Azure, a token of the
 * identity in this process's environment. A token is needed only to open a connection; a token that is still valid is
 * reused.
 */
import type { PostgresqlSettings } from "@tiphys/model/api";
import { type DriverEnvironment, StoreError } from "@tiphys/model/artifact";
import { identityToken } from "@tiphys/stores/azure/identity";
import { credentialsOf } from "@tiphys/stores/s3/credentials";
import { presignUrl } from "@tiphys/stores/s3/signature";
import { openNet } from "@tiphys/base/net";
import { UserError } from "@tiphys/base/user_error";
import { DatabaseError } from "./database_error.ts";

/** The environment and clock for tokens. */
export interface CloudEnvironment {
  readonly env: (name: string) => string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the timeout for fetching a token. Default: fifteen seconds. */
  readonly deadline?: (() => AbortSignal) | undefined;
}

/** Fetches tokens and caches them until they are rejected. */
export interface CloudTokens extends Disposable {
  /** @throws {DatabaseError} without credentials for a token. */
  token(user: string): Promise<string>;
  /** Reports that the last token was rejected, so that the next one is fetched again. */
  onRejected(): void;
}

/** Returns the source of tokens for the settings. */
export function cloudTokens(
  settings: PostgresqlSettings,
  { env, now, deadline = () => AbortSignal.timeout(FETCH_TIMEOUT_MILLIS) }: CloudEnvironment,
): CloudTokens {
  const net = openNet({ env });
  const none = () => Promise.reject(new TypeError("no secret is needed"));
  const limits = { parts: 1, objects: 1 };
  const secrets = { secret: none, secretBytes: none, configMap: none };
  const environment: DriverEnvironment = { env, mayUseIdentity: true, net, now, limits, ...secrets };
  const source = settings.azureToken?.enabled ? azureTokens(settings, environment) : rdsTokens(settings, environment);
  return {
    async token(user) {
      try {
        return await source.token(user, deadline());
      } catch (error) {
        // The deadline may be that of another caller that shares the request.
        if (error instanceof DOMException && error.name === "TimeoutError") {
          throw new DatabaseError("No token to log in with: the token service did not respond", "unreachable");
        }
        if (!(error instanceof StoreError)) throw error;
        const sort = error.kind === "transient" ? "unreachable" : "credentials";
        throw new DatabaseError(`No token to log in with: ${error.message}`, sort);
      }
    },
    onRejected: () => source.refused(),
    [Symbol.dispose]: () => net.close(),
  };
}

const FETCH_TIMEOUT_MILLIS = 15_000;

interface TokenSource {
  token(user: string, stop: AbortSignal): Promise<string>;
  refused(): void;
}

/** The OAuth scope of Azure's databases. */
const AZURE_SCOPE = "https://ossrdbms-aad.database.windows.net/.default";

function azureTokens({ azureToken }: PostgresqlSettings, environment: DriverEnvironment): TokenSource {
  let forget = () => {};
  return {
    async token(_user, stop) {
      const found = await identityToken(environment, stop, azureToken?.scope || AZURE_SCOPE);
      forget = found.forget;
      return found.value;
    },
    refused: () => forget(),
  };
}

/** The validity of a signed connection request at AWS, in seconds. */
const RDS_SECONDS = 900;

const RDS_TEXTS = {
  prefix: "aws",
  notFound: "there are no credentials of AWS in the environment, in a file, of this pod or of this machine",
};

function rdsTokens(
  { host, port = 5432, awsRDSToken }: PostgresqlSettings,
  environment: DriverEnvironment,
): TokenSource {
  const { env, now } = environment;
  const [, ofHost] = /\.([a-z]{2}(?:-[a-z]+)+-\d+)\.rds\.amazonaws\.com(?:\.cn)?$/.exec(host) ?? [];
  const region = awsRDSToken?.region || env("AWS_REGION") || env("AWS_DEFAULT_REGION") || ofHost;
  let keys: ReturnType<typeof credentialsOf> | undefined;
  return {
    async token(user, stop) {
      if (!region) throw new UserError("postgresql.awsRDSToken: name the region, here or as AWS_REGION");
      keys ??= credentialsOf({ useSDKCreds: true, region }, environment, RDS_TEXTS);
      const current = await (await keys).get(stop);
      const request = {
        host: `${host}:${port}`,
        path: "/",
        query: [["Action", "connect"], ["DBUser", user]] as const,
        seconds: RDS_SECONDS,
      };
      return presignUrl(request, current, { service: "rds-db", region, at: now() });
    },
    refused: () => keys = undefined,
  };
}
