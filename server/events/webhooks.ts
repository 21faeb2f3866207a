/**
 * Webhooks: requests without Kubernetes credentials. Their senders authenticate in the way of their service, and then
 * act as the service account that a Secret of the namespace assigns to them.
 */
import { z } from "zod";
import { LIMITS } from "@tiphys/base/limits";
import { jsonBody, type TextWorker } from "@tiphys/language/text_worker";
import { classifyError, type KubeClient, SECRETS, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";
import { keepNewest, TextCache } from "@tiphys/base/text_cache";
import type { Log } from "@tiphys/base/log";
import { parseYaml } from "@tiphys/model/yaml";
import { readToken, tokenSecretOf } from "../gate/account_token.ts";
import { clientOf } from "../listen/rate_limit.ts";
import { readBody } from "../wire/body.ts";
import { WireError } from "../wire/errors.ts";
import { MAX_EVENT_BYTES } from "./routes.ts";
import { isAuthenticRequest, isWebhook, WEBHOOK_TYPES, type WebhookType } from "./webhook_checks.ts";

const SECRET = "argo-workflows-webhook-clients";
/** The time for which the clients of a namespace are cached, in milliseconds. */
const CACHE_MILLIS = 10_000;
const MAX_NAMESPACES = 1000;
/**
 * The limits of the Secret: number of clients, and Base64 characters of each. Unauthenticated requests cause the Secret
 * to be read and their bodies to be checked against each client. Further clients are ignored.
 */
const MAX_CLIENTS = 32;
const MAX_CHARACTERS = 1024;
/**
 * The maximum number of bodies of unauthenticated senders that are read concurrently. Beyond it, the client with the
 * most bodies loses its oldest one, so that slow or frequent senders make room for others.
 */
const MAX_CONCURRENT = 32;
/** The time limit for such a body, in milliseconds. */
const BODY_MILLIS = 10_000;

/** A webhook client. */
interface Sender {
  readonly account: string;
  readonly type: WebhookType;
  readonly secret: string;
}

/** Unknown keys are rejected: a typo such as `secrt` would otherwise leave a client without a secret. */
const Entry = z.strictObject({ type: z.enum(WEBHOOK_TYPES), secret: z.string().min(1) });
type Entry = z.infer<typeof Entry>;

/** The Kubernetes client, clock and log of the server. */
export interface WebhooksOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly now: () => Date;
  /** The thread that reads large bodies. */
  readonly texts: TextWorker;
  /** The headers that identify clients behind a proxy. */
  readonly keyHeaders?: readonly string[];
  /** Overrides the time limit for a body, for tests. */
  readonly bodyMillis?: number;
}

/** A rejected webhook. The message does not disclose the reason to the unauthenticated sender. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

interface CachedSenders {
  readonly until: number;
  readonly senders: Promise<readonly Sender[]>;
}

/** A body that is being read. */
interface PendingBody {
  readonly client: string;
  readonly stop: AbortController;
}

/** The webhook clients by namespace. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #sendersByNamespace = new Map<string, CachedSenders>();
  /** Parsed entries by their Base64 text: most are unchanged when the Secret is read again. */
  readonly #read = new TextCache<Entry | undefined>({ entries: 10_000, size: 1 << 20 });
  /** In order of arrival. */
  readonly #reading = new Set<PendingBody>();

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  /**
   * Returns the request with the token of the service account that its sender acts as, or unchanged if the sender is
   * not authenticated. `address` is the address of the client.
   * @throws {WebhookError} when the namespace has no clients, the body is too large, or anything else fails.
   */
  async admit(request: Request, namespace: string, address: string): Promise<Request> {
    try {
      const senders = await this.#sendersOf(namespace);
      if (senders.length === 0 || !isWebhook(request.headers)) return request;
      const body = await this.#bodyOf(request, clientOf(request.headers, address, this.#options.keyHeaders ?? []));
      const sender = await senderOf(senders, request.headers, body);
      const headers = new Headers(request.headers);
      // A body is parsed only after its sender is proven.
      if (sender && await this.#isObject(body, `${namespace}/${sender.account}`)) {
        headers.set("authorization", `Bearer ${await this.#tokenOf(namespace, sender.account)}`);
      }
      return new Request(request.url, {
        method: request.method,
        headers,
        body,
        signal: request.signal,
      });
    } catch (error) {
      const reason = error instanceof WireError || error instanceof WebhookError ? error.message : classifyError(error);
      this.#options.log.warn("A webhook was rejected", { namespace, reason });
      throw new WebhookError("failed to process webhook request");
    }
  }

  /** Whether a body is a JSON object. A large one is read in the thread for large texts. */
  async #isObject(body: Uint8Array, key: string): Promise<boolean> {
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    } catch {
      return false;
    }
    const options = { key, runHere: jsonBody, characters: text.length };
    const read = await this.#options.texts.run("jsonBody", { text, depth: LIMITS.depth }, options);
    return "value" in read && typeof read.value === "object" && read.value !== null && !Array.isArray(read.value);
  }

  async #bodyOf(request: Request, client: string): Promise<Uint8Array<ArrayBuffer>> {
    const { bodyMillis = BODY_MILLIS } = this.#options;
    const reading: PendingBody = { client, stop: new AbortController() };
    this.#reading.add(reading);
    if (this.#reading.size > MAX_CONCURRENT) this.#makeRoom();
    const late = () => reading.stop.abort(new WebhookError(`the body was not received within ${bodyMillis} ms`));
    const timer = setTimeout(late, bodyMillis);
    try {
      return await readBody(request, MAX_EVENT_BYTES, reading.stop.signal);
    } finally {
      clearTimeout(timer);
      this.#reading.delete(reading);
    }
  }

  #makeRoom(): void {
    const counts = new Map<string, number>();
    for (const { client } of this.#reading) counts.set(client, (counts.get(client) ?? 0) + 1);
    const max = Math.max(...counts.values());
    const longest = [...this.#reading].find(({ client }) => counts.get(client) === max);
    if (!longest) return;
    this.#reading.delete(longest);
    longest.stop.abort(new WebhookError("canceled to make room for other webhooks"));
  }

  async #tokenOf(namespace: string, name: string): Promise<string> {
    const { client } = this.#options;
    const account = await client.get(SERVICE_ACCOUNTS, namespace, name);
    const token = await readToken(client, namespace, tokenSecretOf(account));
    if (!token) throw new WebhookError(`the service account ${name} has no token`);
    return token;
  }

  async #sendersOf(namespace: string): Promise<readonly Sender[]> {
    const now = this.#options.now().getTime();
    const found = this.#sendersByNamespace.get(namespace);
    if (found && found.until > now) return await found.senders;
    const entry = { until: now + CACHE_MILLIS, senders: this.#readSecret(namespace) };
    keepNewest(this.#sendersByNamespace, namespace, entry, MAX_NAMESPACES);
    try {
      return await entry.senders;
    } catch (error) {
      // Senders do not retry, so a transient error must not be cached.
      if (classifyError(error) === "transient" && this.#sendersByNamespace.get(namespace) === entry) {
        this.#sendersByNamespace.delete(namespace);
      }
      throw error;
    }
  }

  /** Reads the entries of the Secret, by account name. Invalid or oversized entries are ignored. */
  async #readSecret(namespace: string): Promise<readonly Sender[]> {
    if (!namespace) throw new WebhookError("no namespace");
    const data = dataOf(await this.#options.client.get(SECRETS, namespace, SECRET));
    const senders: Sender[] = [];
    for (const [index, account] of Object.keys(data).sort().entries()) {
      if (index === MAX_CLIENTS) {
        this.#logIgnored(namespace, account, `only ${MAX_CLIENTS} clients are supported`);
        break;
      }
      const base64 = data[account] ?? "";
      const isTooLong = base64.length > MAX_CHARACTERS;
      const entry = isTooLong ? undefined : this.#entryOf(base64);
      const expected = isTooLong ? `at most ${MAX_CHARACTERS} characters` : "exactly the keys type and secret";
      if (entry) senders.push({ account, ...entry });
      else this.#logIgnored(namespace, account, `expected ${expected}`);
    }
    return senders;
  }

  #logIgnored(namespace: string, key: string, reason: string): void {
    const message = `Ignored a webhook client: ${reason}`;
    this.#options.log.error(message, { namespace, secret: SECRET, key });
  }

  #entryOf(base64: string): Entry | undefined {
    if (this.#read.has(base64)) return this.#read.get(base64);
    const entry = readEntry(base64);
    this.#read.set(base64, entry);
    return entry;
  }
}

/** The first sender whose secret proves the request; undefined for a request of nobody. */
async function senderOf(
  senders: readonly Sender[],
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
): Promise<Sender | undefined> {
  for (const sender of senders) if (await isAuthenticRequest(sender.type, headers, body, sender.secret)) return sender;
  return undefined;
}

function readEntry(base64: string): Entry | undefined {
  try {
    const [document] = parseYaml(
      new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))),
    );
    return Entry.safeParse(document?.errors.length === 0 ? document.value : undefined).data;
  } catch {
    return undefined;
  }
}
