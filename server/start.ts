/** The server put together: copies, gate and handler over a cluster. */
import { openReach, type Reach } from "@tiphys/base/net";
import { randomBytes } from "node:crypto";
import type { ArtifactRepository } from "@tiphys/model/api";
import { KubeClient, type RateLimit, type Transport } from "@tiphys/kube";
import type { NodeCompression, NodesElsewhere } from "@tiphys/model/nodes";
import type { Log } from "@tiphys/base/log";
import type { Restriction } from "@tiphys/language/restrictions";
import type { LimitKeeper } from "@tiphys/storage/sync_limits";
import { TextWorker, type TextWorkerOptions } from "@tiphys/language/text_worker";
import type { AuthMode } from "./gate/caller.ts";
import { Gate } from "./gate/gate.ts";
import { anonymousRefusal, type AuthModeName, clientMode, serverMode } from "./gate/modes.ts";
import { type Handler, makeHandler } from "./handler.ts";
import type { Sso } from "./sso/login.ts";
import { RateLimiter } from "./listen/rate_limit.ts";
import type { Page } from "./page/page.ts";
import { Trees } from "./artifacts/fetched_tree.ts";
import { UploadKeys } from "./uploads/upload_key.ts";
import type { ArchiveSource } from "./archive/archive_source.ts";
import type { Info } from "./served.ts";
import type { EventQueue } from "./events/queue.ts";
import { Webhooks } from "./events/webhooks.ts";
import { ServerMetrics } from "./metrics/server_metrics.ts";
import { WorkflowCopy } from "./workflows/copy.ts";

/** The clusters' transports and the settings that a server is started with. */
export interface ServerOptions {
  /** The cluster with the server's own credentials. */
  readonly own: Transport;
  /** The same cluster without credentials: callers bring theirs. */
  readonly anonymous: Transport;
  /** The rate of requests with the server's own credentials. */
  readonly ownRate?: RateLimit | undefined;
  readonly modes: ReadonlySet<AuthModeName>;
  /** Whether callers without credentials get a refusal that names `--allow-anonymous`. */
  readonly refusesAnonymous?: boolean | undefined;
  /** The mode `sso` with its pages, where it is among the modes. */
  readonly sso?: Sso | undefined;
  /** Carries events after their requests were answered; without it each request waits for its event. */
  readonly events?: EventQueue | undefined;
  /** Only this namespace; all of them when absent. */
  readonly namespace?: string | undefined;
  readonly instanceId?: string | undefined;
  /** Requests a second of one address; 0 for no limit. */
  readonly rateLimit?: number | undefined;
  /** Headers that say who calls, where a proxy stands before the server. */
  readonly rateKeyHeaders?: readonly string[] | undefined;
  /** Whether the metrics are shown to everybody. */
  readonly showsMetrics?: boolean | undefined;
  /** Whether clients of gRPC are told what services and messages there are. */
  readonly reflects?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly page?: Page | undefined;
  readonly baseHref?: string | undefined;
  readonly info?: (() => Info) | undefined;
  readonly archive?: ArchiveSource | undefined;
  /** The nodes that workflows have no room for; by default those in the database of the archive. */
  readonly offloaded?: NodesElsewhere | undefined;
  readonly compression?: NodeCompression | undefined;
  readonly databaseLimits?: LimitKeeper | undefined;
  readonly isHiddenLabel?: ((key: string) => boolean) | undefined;
  readonly artifactHeaders?: Readonly<Record<string, string>> | undefined;
  /** Fetches artifacts that are trees; by default nothing runs beside the server. */
  readonly trees?: Trees | undefined;
  /** Decides which addresses of stores are connected to; by default those of other machines, and no metadata. */
  readonly reach?: Reach | undefined;
  /** The namespace of the settings that server and controller share. */
  readonly home?: string | undefined;
  readonly artifactRepository?: (() => ArtifactRepository | undefined) | undefined;
  /** The restriction of workflows as it is now; none where it is absent or answers nothing. */
  readonly restriction?: (() => Restriction | undefined) | undefined;
  /** Proves who uploaded a file; by default a new one, so that uploads of another server are nobody's here. */
  readonly uploadSecret?: Uint8Array | undefined;
  readonly maxUploadBytes?: number | undefined;
  /** The limits of the thread for large texts; the usual ones when absent. */
  readonly texts?: TextWorkerOptions | undefined;
  readonly log: Log;
  readonly now?: (() => Date) | undefined;
}

const NO_INFO: Info = { links: [], columns: [], modals: {} };

/** Starts the server; resolves when its copies are whole. It ends with the signal. */
export async function startServer(options: ServerOptions, signal: AbortSignal): Promise<Handler> {
  const { own, anonymous, modes, namespace, log, now = () => new Date() } = options;
  const client = new KubeClient(own, { userAgent: "tiphys-server", rate: options.ownRate });
  const onError = (error: unknown) =>
    log.warn("A copy could not be renewed; it is tried again", { error: String(error) });
  const workflows = new WorkflowCopy(client.inBackground(), { namespace, onError });
  const admitted: AuthMode[] = [];
  // A session begins as a token of Kubernetes does: its own mode is asked first.
  if (options.sso) admitted.push(options.sso.mode);
  if (modes.has("client")) admitted.push(clientMode(anonymous));
  if (modes.has("server")) admitted.push(serverMode(client, { ignoresCredentials: modes.size === 1 }));
  if (options.refusesAnonymous) admitted.push(anonymousRefusal());
  const gate = new Gate({ modes: admitted, now: () => now().getTime() });
  const info = options.info ?? (() => ({ ...NO_INFO, managedNamespace: namespace }));
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
      trees: options.trees ?? new Trees(),
      reach: options.reach ?? openReach(),
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
    webhooks: new Webhooks({ client, log, now, keyHeaders: options.rateKeyHeaders ?? [] }),
    rate: options.rateLimit
      ? new RateLimiter(options.rateLimit, options.rateKeyHeaders ?? [], () => now().getTime())
      : undefined,
  });
}
