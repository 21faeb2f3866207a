/** The setting `sso` of the controller's ConfigMap: the provider and sessions of users. */
import { z } from "zod";
import { durationSeconds, parseDuration } from "@tiphys/base/go";
import { UserError } from "@tiphys/base/user_error";

const text = z.string().nullish().transform((value) => value ?? "");
const texts = z.array(z.string()).nullish().transform((value) => value ?? []);
const flag = z.boolean().nullish().transform((value) => value ?? false);

/** A key of a Secret in the server's namespace. */
const SecretKey = z.object({ name: text, key: text }).nullish().transform((value) => value ?? { name: "", key: "" });
/** The name of a Secret in the server's namespace, and one of its keys. */
export type SecretKey = z.infer<typeof SecretKey>;

const SsoSetting = z.object({
  issuer: text,
  issuerAlias: text,
  clientId: SecretKey,
  clientSecret: SecretKey,
  redirectUrl: text,
  scopes: texts,
  rbac: z.object({ enabled: flag }).nullish().transform((value) => value ?? { enabled: false }),
  sessionExpiry: text,
  customGroupClaimName: text,
  userInfoPath: text,
  insecureSkipVerify: flag,
  filterGroupsRegex: texts,
  rootCA: text,
});

/** The parsed setting. */
export interface SsoSettings extends Omit<z.infer<typeof SsoSetting>, "sessionExpiry" | "filterGroupsRegex"> {
  /** The duration of a session, in milliseconds. */
  readonly sessionMillis: number;
  /** Tests of groups. If there are any, groups that match none of them are dropped. */
  readonly filterGroups: readonly ((group: string) => boolean)[];
}

const DEFAULT_SESSION = "10h";

/**
 * Parses the setting.
 * @throws {UserError} that names the invalid field.
 */
export function readSsoSettings(value: unknown, compile: (pattern: string) => (text: string) => boolean): SsoSettings {
  if (value === undefined || value === null) {
    throw new UserError("--auth-mode sso: the ConfigMap has no setting sso: issuer empty");
  }
  const parsed = SsoSetting.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UserError(`sso.${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { sessionExpiry, filterGroupsRegex, ...settings } = parsed.data;
  if (!settings.issuer) throw new UserError("sso: issuer empty");
  if (!settings.clientId.name || !settings.clientId.key) throw new UserError("sso: clientID empty");
  if (!settings.clientSecret.name || !settings.clientSecret.key) throw new UserError("sso: clientSecret empty");
  if (!URL.canParse(settings.issuer)) throw new UserError(`sso.issuer: expected a URL, got ${quote(settings.issuer)}`);
  if (settings.redirectUrl && !URL.canParse(settings.redirectUrl)) {
    throw new UserError(`sso.redirectUrl: expected a URL, got ${quote(settings.redirectUrl)}`);
  }
  return {
    ...settings,
    sessionMillis: millisOf(sessionExpiry || DEFAULT_SESSION),
    filterGroups: filterGroupsRegex.map((pattern, index) => {
      try {
        return compile(pattern);
      } catch (error) {
        throw new UserError(`sso.filterGroupsRegex[${index}]: ${error instanceof Error ? error.message : error}`);
      }
    }),
  };
}

function millisOf(duration: string): number {
  let millis: number;
  try {
    millis = durationSeconds(parseDuration(duration)) * 1000;
  } catch {
    throw new UserError(`sso.sessionExpiry: expected a duration such as 10h, got ${quote(duration)}`);
  }
  if (millis <= 0) throw new UserError(`sso.sessionExpiry: expected a positive duration, got ${quote(duration)}`);
  return millis;
}

function quote(value: string): string {
  return JSON.stringify(value);
}
