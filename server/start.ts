/** Assembles the server from caches, authentication and handler. */
import { type AddressPolicy, addressPolicy } from "@tiphys/base/net";
import { randomBytes } from "node:crypto";
import type { ArtifactRepository } from "@tiphys/model/api";
import { KubeClient, type Transport } from "@tiphys/kube";
import type { RateLimit } from "@tiphys/kube/connections";
import type { NodeCompression, OffloadedNodes } from "@tiphys/model/nodes";
import type { Log } from "@tiphys/base/log";
import type { Restriction } from "@tiphys/language/restrictions";
import type { LimitStorage } from "@tiphys/storage/sync_limits";
import { TextWorker, type TextWorkerOptions } from "@tiphys/language/text_worker";
import type { AuthMode } from "./gate/caller.ts";
import { Gate } from "./gate/gate.ts";
import { anonymousRefusal, type AuthModeName, clientMode, serverMode } from "./gate/modes.ts";
import { makeHandler } from "./handler.ts";
import type { Handler } from "./wire/peer.ts";
import type { Sso } from "./sso/login.ts";
import { RateLimiter } from "./listen/rate_limit.ts";
import type { Page } from "./page/page.ts";
import { TreeFetcher } from "./artifacts/fetched_tree.ts";
import { UploadKeys } from "./uploads/upload_key.ts";
import type { ArchiveSource } from "./archive/archive_source.ts";
import type { Info } from "./served.ts";
import type { EventQueue } from "./events/queue.ts";
import { Webhooks } from "./events/webhooks.ts";
import { ServerMetrics } from "./metrics/server_metrics.ts";
import { WorkflowCopy } from "./workflows/copy.ts";

/** The transports and settings of a server. */
export interface ServerOptions {
  /** The cluster with the server's own credentials. */
  readonly own: Transport;
  /** The same cluster without credentials, for the credentials of callers. */
  readonly anonymous: Transport;
  /** The rate limit of requests with the server's own credentials. */
  readonly ownRate?: RateLimit | undefined;
  readonly modes: ReadonlySet<AuthModeName>;
  /** Whether callers without credentials receive an error that mentions `--allow-anonymous`. */
  readonly refusesAnonymous?: boolean | undefined;
  /** The mode `sso` and its pages, if it is enabled. */
  readonly sso?: Sso | undefined;
  /** Processes events after their requests are answered; if undefined, a request waits for its event. */
  readonly events?: EventQueue | undefined;
  /** The only namespace to serve; undefined for all. */
  readonly namespace?: string | undefined;
  readonly instanceId?: string | undefined;
  /** The maximum requests per second of one address; 0 for no limit. */
  readonly rateLimit?: number | undefined;
  /** Headers that identify the client if the server is behind a proxy. */
  readonly rateKeyHeaders?: readonly string[] | undefined;
  /** Whether metrics are public. */
  readonly showsMetrics?: boolean | undefined;
  /** Whether gRPC reflection is enabled. */
  readonly reflects?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly page?: Page | undefined;
  readonly baseHref?: string | undefined;
  readonly info?: (() => Info) | undefined;
  readonly archive?: ArchiveSource | undefined;
  /** The store of offloaded nodes; by default the database of the archive. */
  readonly offloaded?: OffloadedNodes | undefined;
  readonly compression?: NodeCompression | undefined;
  readonly databaseLimits?: LimitStorage | undefined;
  readonly isHiddenLabel?: ((key: string) => boolean) | undefined;
  readonly artifactHeaders?: Readonly<Record<string, string>> | undefined;
  /** Fetches artifacts that are folders; by default without helper processes. */
  readonly trees?: TreeFetcher | undefined;
  /**
   * Decides to which store addresses the server may connect; by default other machines only, and no metadata services.
   */
  readonly reach?: AddressPolicy | undefined;
  /** The namespace of the settings that server and controller share. */
  readonly home?: string | undefined;
  readonly artifactRepository?: (() => ArtifactRepository | undefined) | undefined;
  /** Returns the current restriction of workflows; undefined for none. */
  readonly restriction?: (() => Restriction | undefined) | undefined;
  /** Signs the keys of uploads. By default random, so that keys of other servers are invalid. */
  readonly uploadSecret?: Uint8Array | undefined;
  readonly maxUploadBytes?: number | undefined;
  /** The limits of the thread for large texts; defaults if undefined. */
  readonly texts?: TextWorkerOptions | undefined;
  readonly log: Log;
  readonly now?: (() => Date) | undefined;
}

const NO_INFO: Info = { links: [], columns: [], modals: {} };

/** Starts the server. Resolves when its caches are complete. The server ends when the signal is aborted. */
export async function startServer(options: ServerOptions, signal: AbortSignal): Promise<Handler> {
  const { own, anonymous, modes, namespace, log, now = () => new Date() } = options;
  const client = new KubeClient(own, { userAgent: "tiphys-server", rate: options.ownRate });
  const onError = (error: unknown) =>
    log.warn("The cache of workflows could not be updated; trying again", { error: String(error) });
  const workflows = new WorkflowCopy(client.inBackground(), { namespace, onError });
  const admitted: AuthMode[] = [];
  // Tokens of sessions have the same prefix as tokens of Kubernetes, so the mode sso comes first.
  if (options.sso) admitted.push(options.sso.mode);
  if (modes.has("client")) admitted.push(clientMode(anonymous));
  if (modes.has("server")) admitted.push(serverMode(client, { ignoresCredentials: modes.size === 1 }));
  if (options.refusesAnonymous) admitted.push(anonymousRefusal());
  const gate = new Gate({ modes: admitted, now: () => now().getTime() });
  const info = options.info ?? (() => ({ ...NO_INFO, managedNamespace: namespace }));
  const keyHeaders = options.rateKeyHeaders ?? [];
  const texts = new TextWorker({ log, ...options.texts });
  signal.addEventListener("abort", () => texts.close(), { once: true });
  await workflows.start(signal);
  return makeHandler({
    served: {
      client,
      workflows,
      archive: options.archive,
      offloaded: options.offloaded,
      compression: options.compression,
      databaseLimits: options.databaseLimits,
      isHiddenLabel: options.isHiddenLabel,
      artifactHeaders: options.artifactHeaders,
      trees: options.trees ?? new TreeFetcher(),
      reach: options.reach ?? addressPolicy(),
      instanceId: options.instanceId,
      info,
      namespace: options.home,
      artifactRepository: options.artifactRepository,
      restriction: options.restriction,
      uploadKeys: new UploadKeys(options.uploadSecret ?? options.sso?.uploadSecret ?? randomBytes(32)),
      maxUploadBytes: options.maxUploadBytes,
      texts,
      now,
      stopping: signal,
      events: options.events,
      log,
      propagationPolicy: options.propagationPolicy ?? "Background",
    },
    gate,
    page: options.page,
    baseHref: options.baseHref,
    login: options.sso?.login,
    metrics: new ServerMetrics(() => now().getTime()),
    showsMetrics: options.showsMetrics,
    reflects: options.reflects,
    webhooks: new Webhooks({ client, log, now, texts, keyHeaders }),
    keyHeaders,
    rate: options.rateLimit ? new RateLimiter(options.rateLimit, keyHeaders, () => now().getTime()) : undefined,
  });
}
