/**
 * Service accounts with annotations that contain rules about users. A user acts as the account with the highest
 * precedence whose rule is true.
 */
import { classifyError, type KubeClient, type KubeObject, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { keepNewest } from "@tiphys/base/text_cache";
import type { Log } from "@tiphys/base/log";
import { evaluatePlainCondition, EvaluationMeter, withMeter } from "@tiphys/language/template";
import { readToken, tokenSecretOf } from "../gate/account_token.ts";
import type { Claims } from "../gate/caller.ts";

const RULE = "workflows.argoproj.io/rbac-rule";
const PRECEDENCE = "workflows.argoproj.io/rbac-rule-precedence";

/** The time for which accounts are cached. */
const REMEMBERED_MILLIS = 10_000;
const MAX_NAMESPACES = 1000;
const PAGE = 500;
/** The time limits for one user: for all rules of a namespace together, and for each rule. */
const ALL_MILLIS = 2000;
const RULE_MILLIS = 500;
/** The interval between two log lines about the same invalid rule. */
const LOG_MILLIS = 60_000;

/** An account with a rule. */
export interface AccountWithRule {
  readonly namespace: string;
  readonly name: string;
  readonly rule: string;
  readonly precedence: number;
  /** The Secret with the account's token. */
  readonly secret: string;
}

/** The server's client, clock and log. */
export interface AccountsOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly now: () => Date;
}

interface CachedAccounts {
  readonly until: number;
  readonly accounts: Promise<readonly AccountWithRule[]>;
}

/** The accounts of a cluster that users may act as. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #cached = new Map<string, CachedAccounts>();
  readonly #quietUntil = new Map<string, number>();

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /** Returns the account of a namespace that a user acts as; undefined if no rule is true. */
  async accountOf(user: Claims, namespace: string): Promise<AccountWithRule | undefined> {
    const accounts = await this.#accountsOf(namespace);
    const meter = new EvaluationMeter({ now: () => performance.now(), all: ALL_MILLIS, single: RULE_MILLIS });
    const facts = factsOf(user);
    return withMeter(meter, () => accounts.find((account) => this.#isTrue(account, facts)));
  }

  /** Returns the token of an account; undefined if the Secret has no token, which is logged. */
  async tokenOf({ namespace, name, secret }: AccountWithRule): Promise<string | undefined> {
    const details = { serviceAccount: `${namespace}/${name}`, secret };
    try {
      const token = await readToken(this.#options.client, namespace, secret);
      if (token) return token;
      this.#options.log.error("The Secret of a service account has no token", details);
    } catch (error) {
      if (classifyError(error) === "transient") throw error;
      this.#options.log.error("The token of a service account cannot be read", {
        ...details,
        reason: classifyError(error),
      });
    }
    return undefined;
  }

  async #accountsOf(namespace: string): Promise<readonly AccountWithRule[]> {
    const now = this.#options.now().getTime();
    const found = this.#cached.get(namespace);
    if (found && found.until > now) return await found.accounts;
    const entry = { until: now + REMEMBERED_MILLIS, accounts: this.#list(namespace) };
    keepNewest(this.#cached, namespace, entry, MAX_NAMESPACES);
    try {
      return await entry.accounts;
    } catch (error) {
      if (this.#cached.get(namespace) === entry) this.#cached.delete(namespace);
      throw error;
    }
  }

  /** The accounts with rules, ordered by descending precedence and then by name. */
  async #list(namespace: string): Promise<readonly AccountWithRule[]> {
    const accounts: AccountWithRule[] = [];
    let next: string | undefined;
    do {
      const { items, metadata } = await this.#options.client.list(SERVICE_ACCOUNTS, namespace, {
        limit: PAGE,
        continue: next,
      });
      for (const account of items) {
        const rule = account.metadata.annotations?.[RULE];
        if (rule !== undefined) accounts.push(accountWithRule(account, namespace, rule));
      }
      next = metadata.continue || undefined;
    } while (next);
    return accounts.sort((a, b) => b.precedence - a.precedence || (a.name < b.name ? -1 : 1));
  }

  /** An invalid rule is skipped, so that it does not lock users out. */
  #isTrue(account: AccountWithRule, facts: Readonly<Record<string, unknown>>): boolean {
    try {
      return evaluatePlainCondition(account.rule, facts);
    } catch (error) {
      this.#logInvalid(account, error);
      return false;
    }
  }

  #logInvalid({ namespace, name }: AccountWithRule, error: unknown): void {
    const key = `${namespace}/${name}`;
    const now = this.#options.now().getTime();
    if ((this.#quietUntil.get(key) ?? 0) > now) return;
    keepNewest(this.#quietUntil, key, now + LOG_MILLIS, MAX_NAMESPACES);
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log.error("The rule of a service account cannot be evaluated, and is skipped", {
      serviceAccount: key,
      annotation: RULE,
      error: reason.slice(0, 500),
    });
  }
}

function accountWithRule(account: KubeObject, namespace: string, rule: string): AccountWithRule {
  const { metadata } = account;
  const name = metadata.name ?? "";
  return {
    namespace,
    name,
    rule,
    precedence: precedenceOf(metadata.annotations?.[PRECEDENCE] ?? ""),
    secret: tokenSecretOf(account),
  };
}

/** Parses the precedence in an annotation; 0 if it is not an integer. */
function precedenceOf(text: string): number {
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** The variables of rules: unknown properties of the user are nil, and `groups` is always a list. */
function factsOf(user: Claims): Readonly<Record<string, unknown>> {
  return {
    iss: user.issuer ?? null,
    sub: user.subject,
    groups: [...user.groups],
    email: user.email ?? null,
    email_verified: user.emailVerified ?? null,
    name: user.name ?? null,
    preferred_username: user.preferredUsername ?? null,
  };
}
