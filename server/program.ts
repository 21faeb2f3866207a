/** The server's program: connects to the cluster, listens, and runs until it is stopped. */
import { addressPolicyOf } from "@tiphys/base/net";
import { RE2JS } from "re2js";
import { pause, systemClock } from "@tiphys/base/clock";
import { KubeClient, SECRETS } from "@tiphys/kube";
import { abortableTransport, connectSharedServer, type Impersonation } from "@tiphys/kube/connections";
import { dataOf } from "@tiphys/kube/object_data";
import { findConfigMap, secretValue } from "@tiphys/kube/stored_settings";
import type { ConfigMap, PersistenceSettings, SynchronizationSettings } from "@tiphys/model/api";
import { lineLog, type Log } from "@tiphys/base/log";
import { nodeCompression, readNodeFormat, readNodeLevel } from "@tiphys/model/nodes";
import { parseOverrideAllowlist } from "@tiphys/language/restrictions";
import { UserError } from "@tiphys/base/user_error";
import { logDeletionHook } from "@tiphys/service/log_removal";
import { TreeFetcher } from "./artifacts/fetched_tree.ts";
import { artifactHeaders } from "./artifacts/headers.ts";
import { ArchiveSource, type ArchiveSourceOptions } from "./archive/archive_source.ts";
import { withAnswerHeaders } from "./answer_headers.ts";
import { followSetting } from "./follow.ts";
import { flagsWithoutEffect } from "./flag_warnings.ts";
import type { ServerFlags } from "./flags.ts";
import { admittedModes, readAuthModes } from "./gate/modes.ts";
import { infoOf, settingsOf } from "./info/settings.ts";
import { type Certificate, listen } from "./listen/listen.ts";
import { API_DOCUMENTS } from "./api_documents.ts";
import { docsFolder } from "./page/docs.ts";
import { baseHrefOf, makePage } from "./page/page.ts";
import { pageFolder } from "./page/page_folder.ts";
import { EventQueue } from "./events/queue.ts";
import { startSso } from "./sso/start.ts";
import { ownCertificates } from "./own_certificates.ts";
import { startServer } from "./start.ts";
import { LimitSource } from "./sync/limit_source.ts";

const ARGO_NAMESPACE = "argo";
/** The maximum time that requests in flight may take after the server is stopped. */
const GRACE_MILLIS = 10_000;
/** The interval at which settings and certificates are read. */
const FOLLOW_MILLIS = 5_000;

/** The environment of the program. */
export interface ServerWorld {
  readonly env: (name: string) => string | undefined;
  readonly write: (line: string) => void;
}

/**
 * Runs until the signal is aborted.
 * @throws {UserError} for invalid flags; {@link KubeError} if the cluster is unavailable; the signal's reason if it is
 * aborted before the server runs.
 */
export async function runServer(flags: ServerFlags, world: ServerWorld, signal: AbortSignal): Promise<void> {
  const { modes, refusesAnonymous } = admittedModes(readAuthModes(flags.authMode), flags);
  const log = lineLog({ level: flags.verbose ? "debug" : flags.loglevel, format: flags.logFormat, write: world.write });
  const { transport: own, anonymous, namespace: home } = await connectSharedServer({
    ...flags,
    actAs: impersonationOf(flags),
  });
  const namespace = flags.namespace ?? home ?? ARGO_NAMESPACE;
  const managedNamespace = flags.namespaced ? flags.managedNamespace ?? namespace : undefined;
  for (const warning of flagsWithoutEffect(flags)) log.warn(warning);
  if (refusesAnonymous) {
    log.warn(
      `The auth mode "server" is off: everybody who reaches ${flags.address} would act with the server's rights. ` +
        "Callers without a token are refused. Set --allow-anonymous to admit them, or listen on --address 127.0.0.1",
      { modes: [...modes].join(" ") },
    );
  }
  // Requests of the startup and the polling of settings are aborted when the server stops.
  const client = new KubeClient(abortableTransport(own, signal), { userAgent: "tiphys-server" });
  const config = await findConfigMap(client, namespace, flags.configmap);
  const now = () => new Date();
  const sso = modes.has("sso")
    ? await startSso({
      starting: client,
      own,
      anonymous,
      setting: settingsOf(config, log)("sso"),
      namespace,
      accountNamespace: flags.namespaced ? flags.ssoNamespace ?? namespace : namespace,
      delegates: !flags.namespaced && world.env("SSO_DELEGATE_RBAC_TO_NAMESPACE") === "true",
      baseHref: flags.baseHref,
      env: world.env,
      log,
      now,
    })
    : undefined;
  const { eventAsyncDispatch, eventOperationQueueSize: size, eventWorkerCount: workers } = flags;
  const events = eventAsyncDispatch ? new EventQueue({ size, workers, log }) : undefined;
  const opened = openedOverrides(world);
  const { price: perHour, currency } = flags;
  const prices = Object.keys(perHour).length > 0 ? { currency, perHour } : undefined;
  const readInfo = (map: ConfigMap | undefined) =>
    infoOf(map, {
      managedNamespace,
      allowedLinkProtocols: flags.allowedLinkProtocol,
      env: world.env,
      log,
      opened,
      prices,
    });
  const settings = readInfo(config);
  // `info`, the artifact repository and the restriction may change while the server runs; the other settings are fixed
  // at startup.
  let { info, artifactRepository, restriction } = settings;
  await using archive = archiveOf(settings.persistence, {
    client,
    namespace,
    log,
    instanceId: flags.instanceid ?? settings.instanceId,
    managedNamespace,
  });
  await using databaseLimits = limitsOf(settings.synchronization, { client, namespace, log });
  const trees = new TreeFetcher(world.env);
  await trees.removeOrphans(now().getTime());
  const served = await startServer({
    own,
    archive,
    compression: compressionOf(world),
    databaseLimits,
    isHiddenLabel: hiddenLabels(world),
    artifactHeaders: artifactHeaders(world.env),
    trees,
    reach: addressPolicyOf(world.env),
    home: namespace,
    artifactRepository: () => artifactRepository,
    restriction: () => restriction,
    uploadSecret: uploadSecret(world),
    maxUploadBytes: maxUploadBytes(world),
    anonymous,
    modes,
    refusesAnonymous,
    ownRate: flags.kubeApiQps === undefined ? undefined : { qps: flags.kubeApiQps, burst: flags.kubeApiBurst },
    sso,
    events,
    namespace: managedNamespace,
    instanceId: flags.instanceid ?? settings.instanceId,
    rateLimit: flags.apiRateLimit,
    rateKeyHeaders: (world.env("IP_KEY_FUNC_HEADERS") ?? "").split(",").map((part) => part.trim()).filter(Boolean),
    reflects: flags.grpcReflection,
    showsMetrics: world.env("ARGO_SERVER_METRICS_AUTH") === "false",
    propagationPolicy: world.env("WF_DEL_PROPAGATION_POLICY") || undefined,
    info: () => info,
    baseHref: baseHrefOf(flags.baseHref),
    page: makePage({
      folder: () => pageFolder(cacheDir(world)),
      docs: () => docsFolder(),
      baseHref: baseHrefOf(flags.baseHref),
      login: "token",
      modes: [...modes],
      xFrameOptions: flags.xFrameOptions,
      widgetAncestors: flags.widgetAncestor,
      documents: API_DOCUMENTS,
    }),
    log,
    now,
  }, signal);
  const handler = withAnswerHeaders(served, {
    allowedOrigin: flags.accessControlAllowOrigin || undefined,
    usesHsts: flags.secure && flags.hsts,
  });
  const secretName = flags.tlsCertificateSecretName;
  const shown = certificateReader(secretName, client, namespace);
  const tls = flags.secure ? { ...await shown(), minVersion: minVersion(world) } : undefined;
  const onError = (error: unknown) => log.debug("A connection ended", { error: String(error) });
  const listening = await listen({ hostname: flags.address, port: flags.port, tls, handler, onError })
    .catch((error) => {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
      throw new Error(`${error.message}: set another port with --port`, { cause: error });
    });
  log.info("The server is running", {
    url: `${flags.secure ? "https" : "http"}://${flags.address}:${listening.port}`,
    modes: [...modes].join(" "),
    namespace: managedNamespace ?? "(all)",
  });
  const following = { millis: FOLLOW_MILLIS, clock: systemClock, log };
  await Promise.all([
    followSetting({
      ...following,
      what: `ConfigMap ${flags.configmap}`,
      first: config?.data,
      read: async () => (await findConfigMap(client, namespace, flags.configmap))?.data,
      apply: (data) => void ({ info, artifactRepository, restriction } = readInfo({ ...config, data } as ConfigMap)),
    }, signal),
    tls
      ? followSetting({
        ...following,
        what: secretName ? `Secret ${secretName}` : "the server's own certificate",
        first: { cert: tls.cert, key: tls.key },
        read: shown,
        apply: (next) => listening.renew(next),
      }, signal)
      : undefined,
    waitForAbort(signal),
  ]);
  log.info("Stopping");
  const carried = new AbortController();
  // Events that have been accepted get the same grace period. After it they are dropped, in case the cluster does not
  // respond.
  const ended = events && Promise.race([events.waitUntilIdle(), pause(systemClock, GRACE_MILLIS, carried.signal)]);
  await Promise.all([listening.close(GRACE_MILLIS), ended]);
  carried.abort();
}

/** Resolves when the signal is aborted. */
function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** @throws {UserError} if a group or a UID is set without a user. */
function impersonationOf({ as: user, asGroup: groups = [], asUid: uid }: ServerFlags): Impersonation | undefined {
  if (user !== undefined) return { user, groups, uid };
  if (groups.length > 0 || uid !== undefined) throw new UserError("--as-group and --as-uid require --as");
  return undefined;
}

/** The folder for the page built from sources. Packaged programs contain the page and do not use it. */
function cacheDir({ env }: ServerWorld): string {
  return `${env("XDG_CACHE_HOME") || `${env("HOME") ?? "."}/.cache`}/tiphys`;
}

/** The archive according to the settings; undefined if none is configured. */
function archiveOf(
  settings: PersistenceSettings | undefined,
  { client, namespace, ...rest }: Pick<ArchiveSourceOptions, "log" | "instanceId" | "managedNamespace"> & {
    readonly client: KubeClient;
    readonly namespace: string;
  },
): ArchiveSource | undefined {
  if (!settings?.archive && !settings?.nodeStatusOffLoad) return undefined;
  const secret = (name: string, key: string) => secretValue(client, { namespace, name, key, setting: "persistence" });
  return new ArchiveSource({ settings, secret, beforeDelete: logDeletionHook(client), ...rest });
}

/** The semaphore limits in the configured database; undefined if there is no database, or its API is disabled. */
function limitsOf(
  settings: SynchronizationSettings | undefined,
  { client, namespace, log }: { readonly client: KubeClient; readonly namespace: string; readonly log: Log },
): LimitSource | undefined {
  if (!settings?.enableAPI || !(settings.postgresql ?? settings.mysql ?? settings.sqlite)) return undefined;
  const secret = (name: string, key: string) =>
    secretValue(client, { namespace, name, key, setting: "synchronization" });
  return new LimitSource({ settings, log, secret });
}

/** The compression of nodes, from the variables of the controller. Argo's server reads them as well. */
function compressionOf({ env }: ServerWorld) {
  const read = <T>(name: string, value: (text: string | undefined) => T): T => {
    try {
      return value(env(name) || undefined);
    } catch (error) {
      throw new UserError(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const format = read("WORKFLOW_COMPRESSION_ALGORITHM", readNodeFormat);
  return nodeCompression(format, read("WORKFLOW_COMPRESSION_LEVEL", readNodeLevel));
}

/** The fields of workflows that the administrator allows users to set. The controller must have the same value. */
function openedOverrides({ env }: ServerWorld): ReadonlySet<string> {
  const name = "WORKFLOW_USER_OVERRIDE_ALLOWLIST";
  try {
    return parseOverrideAllowlist(env(name) ?? "");
  } catch (error) {
    throw new UserError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The labels whose values are not listed, because there may be too many. */
function hiddenLabels({ env }: ServerWorld): ((key: string) => boolean) | undefined {
  const name = "DISABLE_VALUE_LIST_RETRIEVAL_KEY_PATTERN";
  const pattern = env(name);
  if (!pattern) return undefined;
  try {
    const expression = RE2JS.compile(pattern);
    return (key) => expression.matcher(key).find();
  } catch (error) {
    throw new UserError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The shared secret of uploads, for several servers behind one address; undefined to generate one. */
function uploadSecret({ env }: ServerWorld): Uint8Array | undefined {
  const text = env("TIPHYS_UPLOAD_SECRET");
  if (!text) return undefined;
  if (text.length < 32) throw new UserError("TIPHYS_UPLOAD_SECRET: expected 32 characters or more");
  return new TextEncoder().encode(text);
}

function maxUploadBytes({ env }: ServerWorld): number | undefined {
  const name = "ARGO_SERVER_MAX_ARTIFACT_UPLOAD_BYTES";
  const text = env(name);
  if (!text) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new UserError(`${name}: expected a number of bytes, got ${JSON.stringify(text)}`);
  }
  return Number(text);
}

function minVersion({ env }: ServerWorld): "TLSv1.2" | "TLSv1.3" {
  const word = env("TLS_MIN_VERSION") || "771";
  if (word === "771") return "TLSv1.2";
  if (word === "772") return "TLSv1.3";
  throw new UserError(`TLS_MIN_VERSION: expected 771 (TLS 1.2) or 772 (TLS 1.3), got ${JSON.stringify(word)}`);
}

/** Returns a function that reads the current certificate: from a Secret, or the server's own. */
function certificateReader(
  name: string | undefined,
  client: KubeClient,
  namespace: string,
): () => Promise<Certificate> {
  if (name) return () => readCertificate(client, namespace, name);
  const own = ownCertificates(() => new Date());
  return () => Promise.resolve(own());
}

/** @throws {UserError} if the Secret does not contain a certificate and its key. */
async function readCertificate(client: KubeClient, namespace: string, name: string): Promise<Certificate> {
  const data = dataOf(await client.get(SECRETS, namespace, name));
  const [cert, key] = ["tls.crt", "tls.key"].map((part) => data[part] === undefined ? undefined : atob(data[part]!));
  if (!cert || !key) throw new UserError(`the Secret ${JSON.stringify(name)} needs tls.crt and tls.key`);
  return { cert, key };
}
