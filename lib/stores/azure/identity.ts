/**
 * The identity of a program in Azure, in the order of Azure's libraries: a client with a secret, a workload identity in
 * Kubernetes, the managed identity of an app, and that of the machine.
 */
import { type DriverEnvironment, StoreError } from "@tiphys/model/artifact";
import { type CachedToken, getOrFetchToken, type IssuedToken } from "../cached_tokens.ts";
import { send } from "@tiphys/artifacts/store_request";
import { parseTokenResponse } from "../token_answer.ts";

/** The scope of tokens for storage. */
const STORAGE = "https://storage.azure.com/.default";
const AUTHORITY = "https://login.microsoftonline.com/";
const IMDS = "http://169.254.169.254";

/**
 * Returns a token for storage, or for another scope.
 * @throws {StoreError} when no identity is available.
 */
export function identityToken(
  environment: DriverEnvironment,
  stop: AbortSignal,
  scope = STORAGE,
): Promise<CachedToken> {
  const { env } = environment;
  const client = env("AZURE_CLIENT_ID");
  const tenant = env("AZURE_TENANT_ID");
  const secret = env("AZURE_CLIENT_SECRET");
  const file = env("AZURE_FEDERATED_TOKEN_FILE");
  const name = `azure ${JSON.stringify([scope, client, tenant, secret, file, env("IDENTITY_ENDPOINT")])}`;
  return getOrFetchToken(environment, name, async () => {
    if (client && tenant && secret) {
      return await fetchClientToken(
        environment,
        { tenant, scope, form: { client_id: client, client_secret: secret } },
        stop,
      );
    }
    if (client && tenant && file) {
      const form = {
        client_id: client,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: (await readAssertion(file)).trim(),
      };
      return await fetchClientToken(environment, { tenant, scope, form }, stop);
    }
    return await fetchManagedToken(environment, { client, scope }, stop);
  });
}

async function readAssertion(file: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    const message = `azure: AZURE_FEDERATED_TOKEN_FILE names ${file}, which cannot be read`;
    throw new StoreError(message, "final", undefined, { cause: error });
  }
}

interface Client {
  readonly tenant: string;
  readonly scope: string;
  readonly form: Readonly<Record<string, string>>;
}

async function fetchClientToken(
  environment: DriverEnvironment,
  { tenant, scope, form }: Client,
  stop: AbortSignal,
): Promise<IssuedToken> {
  const authority = environment.env("AZURE_AUTHORITY_HOST") ?? AUTHORITY;
  const url = URL.parse(
    `${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    authority.endsWith("/") ? authority : `${authority}/`,
  );
  if (!url) throw new StoreError("azure: AZURE_AUTHORITY_HOST is not a valid URL", "final");
  const body = new URLSearchParams({ grant_type: "client_credentials", scope, ...form }).toString();
  return await fetchToken(environment, {
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new TextEncoder().encode(body),
    stop,
  });
}

async function fetchManagedToken(
  environment: DriverEnvironment,
  { client, scope }: { readonly client: string | undefined; readonly scope: string },
  stop: AbortSignal,
): Promise<IssuedToken> {
  const endpoint = environment.env("IDENTITY_ENDPOINT");
  const header = environment.env("IDENTITY_HEADER");
  const host = environment.env("AZURE_POD_IDENTITY_AUTHORITY_HOST") ?? IMDS;
  const isApp = endpoint !== undefined && header !== undefined;
  const url = URL.parse(isApp ? endpoint : `${host}/metadata/identity/oauth2/token`);
  if (!url) throw new StoreError("azure: the endpoint of the managed identity is not a valid URL", "final");
  url.searchParams.set("api-version", isApp ? "2019-08-01" : "2018-02-01");
  url.searchParams.set("resource", scope.replace(/\.default$/, ""));
  if (client) url.searchParams.set("client_id", client);
  const headers: Record<string, string> = isApp ? { "x-identity-header": header } : { metadata: "true" };
  return await fetchToken(environment, { method: "GET", url, headers, stop });
}

async function fetchToken(environment: DriverEnvironment, request: Parameters<typeof send>[1]): Promise<IssuedToken> {
  const what = "azure: fetching a token of the default credentials";
  return await parseTokenResponse(await send(environment.net, request, what), what, environment.now);
}
