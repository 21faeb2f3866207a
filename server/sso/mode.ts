/** The mode `sso`: callers with a session, who act as the service account that its rules name, or as the server. */
import { KubeClient, sortError, type Transport, withAuthorization } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import type { AuthMode, Caller, Claims } from "../gate/caller.ts";
import { notValid } from "../gate/identify.ts";
import { keyOf } from "../gate/modes.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { Accounts, type RuledAccount } from "./accounts.ts";
import { isSession, openSession } from "./session.ts";

/** The key of sessions and the clients that callers act with. */
export interface SsoModeOptions {
  readonly sessionKey: Uint8Array;
  /** Acts with the server's own rights. */
  readonly own: KubeClient;
  readonly anonymous: Transport;
  /** Whether people act as accounts whose rules are true of them; else all of them act as the server. */
  readonly hasRules: boolean;
  /** The namespace of the accounts that people log in as. */
  readonly namespace: string;
  /** Whether accounts of the namespace that a request is about count, too. */
  readonly delegates: boolean;
  readonly log: Log;
  readonly now: () => Date;
}

const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The mode. */
export function ssoMode(options: SsoModeOptions): AuthMode {
  const { sessionKey, own, log, now } = options;
  const accounts = new Accounts({ client: own, log, now });
  return {
    name: "sso",
    takes: (credential) => credential !== undefined && isSession(credential),
    isPerNamespace: options.hasRules && options.delegates,
    async admit(credential, namespace): Promise<Caller> {
      const session = await openSession(credential, sessionKey, now());
      if (!session) throw notValid();
      const { claims, until } = session;
      const key = await keyOf(credential);
      const { subject, email } = claims;
      if (!options.hasRules) {
        log.info("using the default service account for user", { subject, email });
        return { key: `sso ${key}`, claims, client: own, until };
      }
      const chosen = await choose(options, accounts, claims, namespace);
      const token = chosen && await accounts.tokenOf(chosen.account);
      if (!token) throw new WireError(CODE.permissionDenied, "not allowed");
      const { account, login, isDelegated } = chosen;
      log.info("selected SSO RBAC service account for user", {
        serviceAccount: account.name,
        loginServiceAccount: login?.name ?? "",
        subject,
        email,
        ssoDelegationAllowed: options.delegates,
        ssoDelegated: isDelegated,
      });
      return {
        key: `sso ${key} ${account.namespace}/${account.name}`,
        claims: { ...claims, serviceAccountName: account.name, serviceAccountNamespace: account.namespace },
        client: new KubeClient(withAuthorization(options.anonymous, `Bearer ${token}`), { userAgent: "tiphys-server" }),
        until,
      };
    },
  };
}

interface Chosen {
  readonly account: RuledAccount;
  readonly login: RuledAccount | undefined;
  readonly isDelegated: boolean;
}

/** The account of a namespace; where the server may not look for it, the namespace has none. */
async function delegateOf(accounts: Accounts, person: Claims, namespace: string, log: Log) {
  try {
    return await accounts.accountOf(person, namespace);
  } catch (error) {
    if (sortError(error) !== "forbidden") throw error;
    log.warn("The server may not list service accounts, so nobody acts as one of this namespace", { namespace });
    return undefined;
  }
}

/** The account of the namespace that is asked about comes before the one of the login when its precedence is higher. */
async function choose(
  { namespace: home, delegates, log }: SsoModeOptions,
  accounts: Accounts,
  person: Claims,
  namespace: string | undefined,
): Promise<Chosen | undefined> {
  const login = await accounts.accountOf(person, home);
  if (delegates && namespace && namespace !== home && NAMESPACE.test(namespace)) {
    const there = await delegateOf(accounts, person, namespace, log);
    if (there && (!login || there.precedence > login.precedence)) return { account: there, login, isDelegated: true };
  }
  return login && { account: login, login, isDelegated: false };
}
