/**
 * The settings of the controller's ConfigMap that the server reads: links, columns, instance ID, artifact repository,
 * databases, restrictions.
 */
import {
  ArtifactRepository,
  type ConfigMap,
  CONTROLLER_SETTINGS,
  formatFieldError,
  parseWith,
  PersistenceSettings,
  SynchronizationSettings,
} from "@tiphys/model/api";
import type { Log } from "@tiphys/base/log";
import type { Restriction } from "@tiphys/language/restrictions";
import { parseYaml } from "@tiphys/model/yaml";
import type { Info, Prices } from "../served.ts";

/** The flags and environment that affect the settings. */
export interface InfoOptions {
  readonly managedNamespace?: string | undefined;
  readonly allowedLinkProtocols: readonly string[];
  readonly env: (name: string) => string | undefined;
  readonly log: Log;
  /** Fields of workflows that the administrator allows despite a restriction. */
  readonly opened?: ReadonlySet<string> | undefined;
  readonly prices?: Prices | undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The dialogs of the page, by the variables that enable (`true`) or disable (`false`) them. */
const MODALS = {
  firstTimeUser: "FIRST_TIME_USER_MODAL",
  feedback: "FEEDBACK_MODAL",
  newVersion: "NEW_VERSION_MODAL",
} as const;

/** The settings of the server. */
export interface ServerSettings {
  readonly info: Info;
  readonly instanceId?: string | undefined;
  /** The database of archived workflows and offloaded nodes. */
  readonly persistence?: PersistenceSettings | undefined;
  /** The database of locks. */
  readonly synchronization?: SynchronizationSettings | undefined;
  /** The default artifact repository. */
  readonly artifactRepository?: ArtifactRepository | undefined;
  /** The restriction of workflows. */
  readonly restriction?: Restriction | undefined;
}

/** Parses the settings. Invalid ones are logged and ignored; the server runs without them. */
export function infoOf(
  configMap: ConfigMap | undefined,
  options: InfoOptions,
): ServerSettings {
  const key = settingsOf(configMap, options.log);
  const links = readRows(key("links")).filter((link) => isAllowed(link, options));
  const navColor = key("navColor");
  const instanceId = key("instanceID");
  const persistence = readSetting("persistence", PersistenceSettings, key("persistence"), options.log);
  const artifactRepository = readSetting(
    "artifactRepository",
    ArtifactRepository,
    key("artifactRepository"),
    options.log,
  );
  const synchronization = readSetting("synchronization", SynchronizationSettings, key("synchronization"), options.log);
  const restriction = restrictionOf(key("workflowRestrictions"), options);
  const modals = Object.entries(MODALS).flatMap(([name, variable]) => {
    const value = options.env(variable);
    return value === "true" || value === "false" ? [[name, value === "true"] as const] : [];
  });
  return {
    info: {
      managedNamespace: options.managedNamespace,
      links,
      columns: readRows(key("columns")),
      modals: Object.fromEntries(modals),
      ...(typeof navColor === "string" && navColor ? { navColor } : {}),
      ...(options.prices ? { prices: options.prices } : {}),
    },
    ...(persistence ? { persistence } : {}),
    ...(synchronization ? { synchronization } : {}),
    ...(artifactRepository ? { artifactRepository } : {}),
    ...(restriction ? { restriction } : {}),
    ...(typeof instanceId === "string" && instanceId ? { instanceId } : {}),
  };
}

/**
 * Returns the restriction of workflows. An invalid one has no effect here, because the controller then processes no
 * workflow.
 */
function restrictionOf(value: unknown, { opened, log }: InfoOptions): Restriction | undefined {
  const { templateReferencing } =
    readSetting("workflowRestrictions", CONTROLLER_SETTINGS.workflowRestrictions.schema, value, log) ?? {};
  if (!templateReferencing) return undefined;
  return { templateReferencing, opened };
}

/** Returns a function that reads settings by name: each is a key of the ConfigMap, or a field of its key `config`. */
export function settingsOf(configMap: ConfigMap | undefined, log: Log): (name: string) => unknown {
  const data = configMap?.data ?? {};
  const whole = valueOf(data.config, "config", log);
  const settings = typeof whole === "object" && whole !== null ? whole as Row : {};
  return (name) => data[name] === undefined ? settings[name] : valueOf(data[name], name, log);
}

function readSetting<T>(
  name: string,
  schema: Parameters<typeof parseWith<T>>[0],
  value: unknown,
  log: Log,
): T | undefined {
  if (value === undefined || value === null) return undefined;
  const parsed = parseWith(schema, value, "lenient");
  if (parsed.ok) return parsed.value;
  log.warn("Invalid setting", {
    key: name,
    error: parsed.errors.map((error) => formatFieldError(error)).join("; "),
  });
  return undefined;
}

function valueOf(text: string | undefined, name: string, log: Log): unknown {
  if (text === undefined) return undefined;
  const [document] = parseYaml(text);
  if (!document || document.errors.length > 0) {
    log.warn("Invalid setting", { key: name, error: document?.errors[0]?.message ?? "empty" });
    return undefined;
  }
  return document.value;
}

function readRows(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter((candidate) => typeof candidate === "object" && candidate !== null) : [];
}

/** Whether a link may be shown. Protocols such as `javascript:` are not allowed. */
function isAllowed(link: Row, { allowedLinkProtocols, log }: InfoOptions): boolean {
  const url = String(link.url ?? "");
  const [, protocol] = /^\s*([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  if (protocol === undefined || allowedLinkProtocols.includes(protocol.toLowerCase())) return true;
  log.warn("Ignored a link with a protocol that is not allowed", { link: String(link.name ?? ""), protocol });
  return false;
}
