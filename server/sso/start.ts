/** Sets up the login: the setting, its Secrets, the provider and the session key. */
import { createHmac } from "node:crypto";
import { classifyError, KubeClient, SECRETS, type Transport } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";
import type { Log } from "@tiphys/base/log";
import { compileRegex } from "@tiphys/language/template";
import { UserError } from "@tiphys/base/user_error";
import { Login, type Sso } from "./login.ts";
import { ssoMode } from "./mode.ts";
import { findProvider } from "./provider.ts";
import { providerFetch } from "./provider_fetch.ts";
import { loadSessionKey } from "./session_key.ts";
import { readSsoSettings, type SecretKey } from "./settings.ts";

/** The cluster, setting and flags of the login. */
export interface SsoOptions {
  /** Reads Secrets at startup. */
  readonly starting: KubeClient;
  readonly own: Transport;
  readonly anonymous: Transport;
  /** The value of `sso` in the ConfigMap. */
  readonly setting: unknown;
  /** The server's namespace, which contains the Secrets. */
  readonly namespace: string;
  /** The namespace of the accounts for the login. */
  readonly accountNamespace: string;
  readonly delegates: boolean;
  readonly baseHref: string;
  readonly env: (name: string) => string | undefined;
  readonly log: Log;
  readonly now: () => Date;
}

/**
 * Parses the setting, discovers the provider, and loads or creates the session key.
 * @throws {UserError} with the reason why users cannot log in.
 */
export async function startSso(options: SsoOptions): Promise<Sso> {
  const { starting, own, anonymous, namespace, log, now, baseHref } = options;
  const client = new KubeClient(own, { userAgent: "tiphys-server" });
  const settings = readSsoSettings(options.setting, (pattern) => {
    const expression = compileRegex(pattern);
    return (text) => expression.matches(text);
  });
  const clientId = await secretText(starting, namespace, settings.clientId);
  const clientSecret = await secretText(starting, namespace, settings.clientSecret);
  const sessionKey = await loadSessionKey(starting, namespace);
  const fetch = providerFetch(settings, options.env);
  const provider = await findProvider({ settings, clientId, clientSecret, fetch, log });
  return {
    mode: ssoMode({
      sessionKey,
      own: client,
      anonymous,
      hasRules: settings.rbac.enabled,
      namespace: options.accountNamespace,
      delegates: options.delegates,
      log,
      now,
    }),
    login: new Login({ provider, sessionKey, settings, baseHref, log, now }),
    uploadSecret: createHmac("sha256", sessionKey).update("uploads").digest(),
  };
}

/** @throws {UserError} that names the key, but does not contain its value. */
async function secretText(client: KubeClient, namespace: string, { name, key }: SecretKey): Promise<string> {
  let data: Readonly<Record<string, string>> = {};
  try {
    data = dataOf(await client.get(SECRETS, namespace, name));
  } catch (error) {
    if (classifyError(error) === "notFound") {
      throw new UserError(`sso: the Secret ${JSON.stringify(name)} does not exist`);
    }
    throw error;
  }
  if (data[key] === undefined) throw new UserError(`key ${key} missing in secret ${name}`);
  return new TextDecoder().decode(Uint8Array.from(atob(data[key]), (character) => character.charCodeAt(0))).trim();
}
