/**
 * Service accounts whose annotations say who acts as them: the one of a person is the first, by precedence, whose rule is true
 * of them.
 */
import { type KubeClient, type KubeObject, SERVICE_ACCOUNTS, sortError } from "@tiphys/kube";
import { keepNewest } from "@tiphys/base/text_cache";
import type { Log } from "@tiphys/base/log";
import { evaluatePlainCondition, EvaluationMeter, withMeter } from "@tiphys/language/template";
import { readToken, tokenSecretOf } from "../gate/account_token.ts";
import type { Claims } from "../gate/caller.ts";

const RULE = "workflows.argoproj.io/rbac-rule";
const PRECEDENCE = "workflows.argoproj.io/rbac-rule-precedence";

/** Accounts and tokens are read anew after this time. */
const REMEMBERED_MILLIS = 10_000;
const MOST_NAMESPACES = 1000;
const PAGE = 500;
/** The longest time for one person: of all rules of a namespace together, and of each of them. */
const ALL_MILLIS = 2000;
const RULE_MILLIS = 500;
/** The pause between two lines in the log about a rule that cannot be worked out. */
const TOLD_MILLIS = 60_000;

/** One account with a rule. */
export interface RuledAccount {
  readonly namespace: string;
  readonly name: string;
  readonly rule: string;
  readonly precedence: number;
  /** The Secret with its token. */
  readonly secret: string;
}

/** The server's client, clock and log that accounts are looked up with. */
export interface AccountsOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly now: () => Date;
}

interface Remembered {
  readonly until: number;
  readonly accounts: Promise<readonly RuledAccount[]>;
}

/** The accounts of a cluster that people may act as. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #known = new Map<string, Remembered>();
  readonly #told = new Map<string, number>();

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /** The account of a namespace that a person acts as; undefined where no rule is true of them. */
  async accountOf(person: Claims, namespace: string): Promise<RuledAccount | undefined> {
    const accounts = await this.#ruled(namespace);
    const meter = new EvaluationMeter({ now: () => performance.now(), all: ALL_MILLIS, single: RULE_MILLIS });
    const facts = factsOf(person);
    return withMeter(meter, () => accounts.find((account) => this.#isTrue(account, facts)));
  }

  /** The token of an account; undefined, with a line in the log, where it has none. */
  async tokenOf({ namespace, name, secret }: RuledAccount): Promise<string | undefined> {
    const told = { serviceAccount: `${namespace}/${name}`, secret };
    try {
      const token = await readToken(this.#options.client, namespace, secret);
      if (token) return token;
      this.#options.log.error("The Secret of a service account has no token", told);
    } catch (error) {
      if (sortError(error) === "transient") throw error;
      this.#options.log.error("The token of a service account cannot be read", { ...told, reason: sortError(error) });
    }
    return undefined;
  }

  async #ruled(namespace: string): Promise<readonly RuledAccount[]> {
    const now = this.#options.now().getTime();
    const found = this.#known.get(namespace);
    if (found && found.until > now) return await found.accounts;
    const entry = { until: now + REMEMBERED_MILLIS, accounts: this.#list(namespace) };
    keepNewest(this.#known, namespace, entry, MOST_NAMESPACES);
    try {
      return await entry.accounts;
    } catch (error) {
      if (this.#known.get(namespace) === entry) this.#known.delete(namespace);
      throw error;
    }
  }

  /** The accounts with rules, those of the highest precedence first, equals by name. */
  async #list(namespace: string): Promise<readonly RuledAccount[]> {
    const ruled: RuledAccount[] = [];
    let next: string | undefined;
    do {
      const { items, metadata } = await this.#options.client.list(SERVICE_ACCOUNTS, namespace, {
        limit: PAGE,
        continue: next,
      });
      for (const account of items) {
        const rule = account.metadata.annotations?.[RULE];
        if (rule !== undefined) ruled.push(ruledAccount(account, namespace, rule));
      }
      next = metadata.continue || undefined;
    } while (next);
    return ruled.sort((a, b) => b.precedence - a.precedence || (a.name < b.name ? -1 : 1));
  }

  /** A rule that cannot be worked out is no reason to refuse anybody: the next one has its say. */
  #isTrue(account: RuledAccount, facts: Readonly<Record<string, unknown>>): boolean {
    try {
      return evaluatePlainCondition(account.rule, facts);
    } catch (error) {
      this.#tell(account, error);
      return false;
    }
  }

  #tell({ namespace, name }: RuledAccount, error: unknown): void {
    const key = `${namespace}/${name}`;
    const now = this.#options.now().getTime();
    if ((this.#told.get(key) ?? 0) > now) return;
    keepNewest(this.#told, key, now + TOLD_MILLIS, MOST_NAMESPACES);
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log.error("The rule of a service account cannot be worked out, and is skipped", {
      serviceAccount: key,
      annotation: RULE,
      error: reason.slice(0, 500),
    });
  }
}

function ruledAccount(account: KubeObject, namespace: string, rule: string): RuledAccount {
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

/** The precedence in an annotation; a text that is no whole number counts as 0. */
function precedenceOf(text: string): number {
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** A person as rules see them: what is not known of them is nil, and `groups` is a list in any case. */
function factsOf(person: Claims): Readonly<Record<string, unknown>> {
  return {
    iss: person.issuer ?? null,
    sub: person.subject,
    groups: [...person.groups],
    email: person.email ?? null,
    email_verified: person.emailVerified ?? null,
    name: person.name ?? null,
    preferred_username: person.preferredUsername ?? null,
  };
}
