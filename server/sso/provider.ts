/** The OpenID Connect provider: discovery, the login URL, and verification of its response. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  type ServerMetadata,
} from "openid-client";
import { z } from "zod";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import type { Claims } from "../gate/caller.ts";
import type { Attempt } from "./attempt.ts";
import type { ProviderFetch } from "./provider_fetch.ts";
import type { SsoSettings } from "./settings.ts";

/** The provider, as the login uses it. */
export interface Provider {
  /** Returns the URL of the provider at which a user logs in. */
  loginUrl(attempt: Attempt): Promise<URL>;
  /**
   * Verifies the provider's response and returns the user.
   * @throws if anything is invalid. The error is logged, and contains no secrets.
   */
  userOf(attempt: Attempt, answer: URLSearchParams): Promise<Claims>;
}

/** The settings and secrets of a provider. */
export interface ProviderOptions {
  readonly settings: SsoSettings;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: ProviderFetch;
  readonly log: Log;
}

const WELL_KNOWN = "/.well-known/openid-configuration";

const Metadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});

/**
 * Discovers the provider.
 * @throws {UserError} if it cannot be reached, or has another issuer than the setting.
 */
export async function findProvider(options: ProviderOptions): Promise<Provider> {
  const { settings, clientId, clientSecret, fetch } = options;
  const metadata = await discover(settings, fetch);
  // A configuration caches the provider's keys for minutes. Each login gets a new one, so that new keys are found.
  const configuration = () => {
    const config = new Configuration(
      metadata,
      clientId,
      { client_secret: clientSecret },
      authenticationOf(metadata, clientSecret),
    );
    config[customFetch] = (url, init) => fetch(url, { ...init, body: init.body });
    // Verifies the signature of ID tokens, even if they come directly from the provider over TLS.
    enableNonRepudiationChecks(config);
    if (metadata.token_endpoint.startsWith("http:")) allowInsecureRequests(config);
    return config;
  };
  return {
    async loginUrl({ state, nonce, verifier, redirectUri }) {
      return buildAuthorizationUrl(configuration(), {
        redirect_uri: redirectUri,
        scope: [...new Set([...settings.scopes, "openid"])].join(" "),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
    },
    async userOf({ state, nonce, verifier, redirectUri }, answer) {
      const url = new URL(redirectUri);
      url.search = answer.toString();
      const tokens = await authorizationCodeGrant(configuration(), url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = IdClaims.parse(tokens.claims());
      const groups = await groupsOf(claims, tokens.access_token, options);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        groups: filterGroups(groups, options),
        name: claims.name,
        email: claims.email,
        emailVerified: claims.email_verified === true || claims.email_verified === "true" || undefined,
        preferredUsername: claims.preferred_username,
      };
    },
  };
}

const optionalText = z.string().optional().catch(undefined);

const IdClaims = z.looseObject({
  iss: z.string(),
  sub: z.string(),
  name: optionalText,
  email: optionalText,
  email_verified: z.union([z.boolean(), z.string()]).optional().catch(undefined),
  preferred_username: optionalText,
});

type FoundMetadata = z.infer<typeof Metadata> & ServerMetadata;

async function discover({ issuer, issuerAlias }: SsoSettings, fetch: ProviderFetch): Promise<FoundMetadata> {
  const url = (issuer.endsWith("/") ? issuer.slice(0, -1) : issuer) + WELL_KNOWN;
  const fail = (reason: string) => new UserError(`sso.issuer: discovery of the provider failed at ${url}: ${reason}`);
  const response = await fetch(url).catch((error) => {
    throw fail(error instanceof Error ? error.message : String(error));
  });
  if (response.status !== 200) throw fail(`the response has status ${response.status}`);
  const parsed = Metadata.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw fail(`${issue?.path.join(".") || "response"}: ${issue?.message}`);
  }
  const expected = issuerAlias || issuer;
  if (parsed.data.issuer !== expected) {
    throw fail(`its issuer is ${JSON.stringify(parsed.data.issuer)}, expected ${JSON.stringify(expected)}`);
  }
  return parsed.data as FoundMetadata;
}

/** The secret is sent in the header if the provider supports it. That is also the default. */
function authenticationOf({ token_endpoint_auth_methods_supported: methods }: ServerMetadata, secret: string) {
  const isBasic = methods === undefined || methods.includes("client_secret_basic");
  return isBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

/** Maximum characters of a group: a session with a longer one does not fit into a cookie. Filters read each group. */
const MAX_GROUP_CHARACTERS = 3_000;

const Groups = z.array(z.string());
const UserInfo = z.looseObject({ groups: Groups.nullish() });

/** The groups of the user: from the provider's user info endpoint if the setting has one, otherwise from a claim. */
async function groupsOf(
  claims: Readonly<Record<string, unknown>>,
  accessToken: string,
  { settings, fetch, log }: ProviderOptions,
): Promise<readonly string[]> {
  const { customGroupClaimName, userInfoPath, issuer } = settings;
  if (userInfoPath) {
    const response = await fetch(issuer + userInfoPath, { headers: { authorization: `Bearer ${accessToken}` } });
    if (response.status !== 200) throw new Error(`${userInfoPath} returned status ${response.status}`);
    return UserInfo.parse(await response.json()).groups ?? [];
  }
  const groups = Groups.safeParse(claims[customGroupClaimName || "groups"]);
  if (groups.success) return groups.data;
  if (customGroupClaimName) {
    log.warn("The claim with the groups is not a list of strings, and is ignored", { claim: customGroupClaimName });
  }
  return [];
}

/** The groups that the filters of the settings accept. */
function filterGroups(groups: readonly string[], { settings, log }: ProviderOptions): readonly string[] {
  const short = groups.filter((group) => group.length <= MAX_GROUP_CHARACTERS);
  if (short.length < groups.length) {
    log.warn("Groups with long names are ignored", {
      ignored: groups.length - short.length,
      maxCharacters: MAX_GROUP_CHARACTERS,
    });
  }
  const filters = settings.filterGroups;
  return filters.length === 0 ? short : short.filter((group) => filters.some((finds) => finds(group)));
}
