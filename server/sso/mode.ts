/** The mode `sso`: callers with a session act as the service account chosen by its rule, or as the server. */
import { classifyError, KubeClient, type Transport } from "@tiphys/kube";
import { withAuthorization } from "@tiphys/kube/connections";
import type { Log } from "@tiphys/base/log";
import type { AuthMode, Caller, Claims } from "../gate/caller.ts";
import { invalidToken } from "../gate/identify.ts";
import { keyOf } from "../gate/modes.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { Accounts, type AccountWithRule } from "./accounts.ts";
import { isSession, openSession } from "./session.ts";

/** The key of sessions, and the clients of callers. */
export interface SsoModeOptions {
  readonly sessionKey: Uint8Array;
  /** Uses the server's own credentials. */
  readonly own: KubeClient;
  readonly anonymous: Transport;
  /** Whether users act as accounts by their rules. Otherwise, all of them act as the server. */
  readonly hasRules: boolean;
  /** The namespace of the accounts for the login. */
  readonly namespace: string;
  /** Whether accounts in the namespace of a request are considered as well. */
  readonly delegates: boolean;
  readonly log: Log;
  readonly now: () => Date;
}

const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Returns the mode. */
export function ssoMode(options: SsoModeOptions): AuthMode {
  const { sessionKey, own, log, now } = options;
  const accounts = new Accounts({ client: own, log, now });
  return {
    name: "sso",
    accepts: (credential) => credential !== undefined && isSession(credential),
    isPerNamespace: options.hasRules && options.delegates,
    async admit(credential, namespace): Promise<Caller> {
      const session = await openSession(credential, sessionKey, now());
      if (!session) throw invalidToken();
      const { claims, until } = session;
      const key = await keyOf(credential);
      const { subject, email } = claims;
      if (!options.hasRules) {
        log.info("using the default service account for user", { subject, email });
        return { key: `sso ${key}`, claims, client: own, until };
      }
      const chosen = await chooseAccount(options, accounts, claims, namespace);
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

interface AccountChoice {
  readonly account: AccountWithRule;
  readonly login: AccountWithRule | undefined;
  readonly isDelegated: boolean;
}

/** The account in a namespace; undefined also if the server may not list accounts there. */
async function findDelegate(accounts: Accounts, user: Claims, namespace: string, log: Log) {
  try {
    return await accounts.accountOf(user, namespace);
  } catch (error) {
    if (classifyError(error) !== "forbidden") throw error;
    log.warn("The server may not list service accounts, so users cannot act as one of this namespace", { namespace });
    return undefined;
  }
}

/** Chooses the account in the namespace of the request if its precedence is higher than that of the login. */
async function chooseAccount(
  { namespace: home, delegates, log }: SsoModeOptions,
  accounts: Accounts,
  user: Claims,
  namespace: string | undefined,
): Promise<AccountChoice | undefined> {
  const login = await accounts.accountOf(user, home);
  if (delegates && namespace && namespace !== home && NAMESPACE.test(namespace)) {
    const there = await findDelegate(accounts, user, namespace, log);
    if (there && (!login || there.precedence > login.precedence)) return { account: there, login, isDelegated: true };
  }
  return login && { account: login, login, isDelegated: false };
}
