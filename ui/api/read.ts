/** Validates responses: missing values are empty, and values that are not objects are refusals. */
import { EXTENSIONS } from "@tiphys/model/api/extensions";
import type { Workflow } from "@tiphys/model/api";
import { type FileAnswer, hasParts } from "./exchange.ts";
import { fieldsOf } from "@tiphys/base/fields_of";
import { validateRun } from "./read_run.ts";
import { Refusal } from "./refusal.ts";
import type { WorkflowPatch } from "@tiphys/model/api/workflow_patch";
import { runWithPauses } from "./pauses.ts";
import {
  type ArtifactContent,
  type ColumnSetting,
  type EventEntry,
  type EventObject,
  GREETINGS,
  type KubeEvent,
  type LinkSetting,
  type LoggedEventList,
  type MissingRightsByAction,
  type PodTimes,
  type Prices,
  type RunActivity,
  type ServerInfo,
  type UserInfo,
} from "./source.ts";

type Row = Readonly<Record<string, unknown>>;

/** @throws {Refusal} if the value is not an object */
export function objectOf(value: unknown, subject: string): Row {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Row;
  throw new Refusal(`read ${subject}`, 502, `unexpected response: expected ${subject}`);
}

/** Returns a Kubernetes object, which has a name. @throws {Refusal} for other values */
export function namedObject<T>(value: unknown, subject: string): T {
  const metadata = objectOf(objectOf(value, subject).metadata, `${subject} with metadata`);
  if (typeof metadata.name !== "string") {
    throw new Refusal(`read ${subject}`, 502, `the server sent ${subject} without a name`);
  }
  return value as T;
}

/** Returns a validated run; a large one is read with pauses. @throws {Refusal} if it has no name */
export async function readRun(value: unknown): Promise<Workflow> {
  return await runWithPauses(validateRun(namedObject<Workflow>(value, "a workflow")));
}

/** Returns the patch between two states of a run. @throws {Refusal} if it is invalid */
export async function readPatch(value: unknown): Promise<WorkflowPatch> {
  const { from, object, goneFields, goneNodes, isSorted } = objectOf(value, "a patch");
  const hasSpec = "spec" in objectOf(object, "a patch");
  // In a full run null means absent; in a patch it removes the field.
  const nulls = Object.entries(fieldsOf(fieldsOf(object).status)).flatMap(([field, value]) =>
    value === null ? [field] : []
  );
  const { metadata, spec, status } = await readRun(object);
  return {
    from: text(from),
    object: { metadata, ...(hasSpec ? { spec } : {}), status },
    goneFields: Array.isArray(goneFields) ? [...nulls, ...goneFields.map(text)] : nulls,
    goneNodes: Array.isArray(goneNodes) ? goneNodes.map(text) : [],
    isSorted: isSorted === true,
  };
}

/** Returns an object of events, with any fields. @throws {Refusal} if it has no name */
export function readEventObject(value: unknown, subject: string): EventObject {
  const whole = namedObject<Row>(value, subject);
  const metadata = objectOf(whole.metadata, subject);
  return {
    metadata: {
      name: text(metadata.name),
      namespace: text(metadata.namespace),
      creationTimestamp: text(metadata.creationTimestamp) || undefined,
    },
    whole,
  };
}

/** Returns the items of a list; Go serializes an empty list as null. */
export function itemsOf(value: unknown, subject: string): readonly unknown[] {
  const { items } = objectOf(value, subject);
  if (items === null || items === undefined) return [];
  if (Array.isArray(items)) return items;
  throw new Refusal(`read ${subject}`, 502, `unexpected response: expected a list of ${subject}`);
}

/** Returns an artifact. If the server redirected to an address with a trailing slash, it is a folder listing. */
export function readArtifact({ url, headers, bytes, isWhole }: FileAnswer): ArtifactContent {
  const path = new URL(url).pathname;
  const type = headers.get("content-type") ?? "";
  if (path.endsWith("/") && type.startsWith("text/html")) {
    const names = namesInListing(new TextDecoder().decode(bytes));
    if (names) return { kind: "folder", isWhole, files: names.map((name) => ({ name, size: undefined })) };
  }
  if (path.endsWith("/") && type.startsWith("application/json")) {
    const listing = new TextDecoder().decode(bytes);
    const files = itemsOf(JSON.parse(isWhole ? listing : closedListing(listing)), "the files of a folder").map(
      (item) => {
        const { name, size } = objectOf(item, "a file");
        return { name: text(name), size: typeof size === "number" ? size : undefined };
      },
    );
    return { kind: "folder", isWhole, files };
  }
  const length = headers.get("content-length");
  return {
    kind: "file",
    name: fileNameOf(headers.get("content-disposition") ?? "") || decodeURIComponent(path.split("/").at(-1) ?? ""),
    type,
    size: length === null || headers.has("content-encoding") ? undefined : Number(length),
    bytes,
    isWhole,
    hasParts: hasParts(headers),
    tag: headers.get("etag") ?? undefined,
  };
}

/** Returns a JSON listing that ends after its last complete file. A quote within a name is escaped. */
function closedListing(text: string): string {
  const end = text.lastIndexOf('},{"');
  return end < 0 ? '{"items":[]}' : `${text.slice(0, end + 1)}]}`;
}

/** The start of the HTML page in which Argo's server lists a folder. */
const LISTING = '<html><body><ul>\n<li><a href="..">..</a></li>\n';
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", "#34": '"', "#39": "'", "#43": "+" };

/** Returns the names in a folder listing of Argo's server; undefined for other pages. */
function namesInListing(html: string): readonly string[] | undefined {
  if (!html.startsWith(LISTING)) return undefined;
  return html.slice(LISTING.length).split("\n").flatMap((line) => {
    const begin = line.indexOf('">');
    if (!line.startsWith('<li><a href="./') || begin < 0 || !line.endsWith("</a></li>")) return [];
    const name = line.slice(begin + 2, -"</a></li>".length);
    return [name.replace(/&([a-z]{2,3}|#\d{2});/g, (whole, entity: string) => ENTITIES[entity] ?? whole)];
  });
}

function fileNameOf(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="((?:[^"\\]|\\.)*)"/.exec(disposition)?.[1]?.replace(/\\(.)/g, "$1") ?? "";
}

/** Reads a Kubernetes event. */
export function readEvent(value: unknown): KubeEvent {
  const row = objectOf(value, "an event");
  const about = objectOf(row.involvedObject ?? {}, "an event's object");
  return {
    type: text(row.type),
    reason: text(row.reason),
    message: text(row.message),
    count: typeof row.count === "number" ? row.count : 1,
    lastTimestamp: text(row.lastTimestamp) || text(row.eventTime),
    involvedObject: { kind: text(about.kind), name: text(about.name), part: text(about.fieldPath) },
  };
}

/** Reads a log entry of an event source or a sensor. */
export function readEventEntry(list: LoggedEventList, value: unknown): EventEntry {
  const row = objectOf(value, "an entry of a log");
  return {
    list,
    namespace: text(row.namespace),
    name: text(list === "sensors" ? row.sensorName : row.eventSourceName),
    part: text(list === "sensors" ? row.triggerName : row.eventName),
    level: text(row.level),
    time: text(row.time),
    message: text(row.msg),
  };
}

/** Reads the server's settings. */
export function readInfo(value: unknown): ServerInfo {
  const row = objectOf(value, "the server's settings");
  return {
    managedNamespace: text(row.managedNamespace),
    navColor: text(row.navColor),
    greetings: GREETINGS.filter((greeting) => fieldsOf(row.modals)[greeting] === true),
    prices: readPrices(row.prices),
    extensions: EXTENSIONS.filter((extension) => Array.isArray(row.extensions) && row.extensions.includes(extension)),
    links: rows(row.links).map((link): LinkSetting => ({
      name: text(link.name),
      scope: text(link.scope),
      url: text(link.url),
      target: text(link.target) || undefined,
    })),
    columns: rows(row.columns).map((column): ColumnSetting => ({
      name: text(column.name),
      type: column.type === "annotation" ? "annotation" : "label",
      key: text(column.key),
    })),
  };
}

/** Reads the times of pods, by name. */
export function readPodTimes(value: unknown): Readonly<Record<string, PodTimes>> {
  const { pods = {} } = objectOf(value, "the times of pods");
  const each = Object.entries(objectOf(pods, "the times of pods")).map(([name, times]) => {
    const { started, ended, saved } = objectOf(times, "the times of a pod");
    const known = Object.entries({ started, ended, saved }).filter(([, time]) => typeof time === "string");
    return [name, Object.fromEntries(known)];
  });
  return Object.fromEntries(each);
}

/** Reads the counts of runs, by span and phase. */
export function readActivity(value: unknown): RunActivity {
  const { spans, namespaces } = objectOf(value, "the activity");
  const counts = Object.entries(fieldsOf(spans)).map(([span, phases]) => {
    const each = Object.entries(fieldsOf(phases)).map(([phase, count]) => [phase, Number(count) || 0]);
    return [Number(span), Object.fromEntries(each)] as const;
  });
  return { counts: new Map(counts), namespaces: Array.isArray(namespaces) ? namespaces.map(text) : [] };
}

/** Reads the rights that the caller lacks, by action. */
export function readLacks(value: unknown): MissingRightsByAction {
  const { lacks = {} } = objectOf(value, "the rights");
  const each = Object.entries(objectOf(lacks, "the rights")).map(([action, missing]) => [
    action,
    rows(missing).map(({ verb, group, resource }) => ({
      verb: text(verb),
      group: text(group),
      resource: text(resource),
    })),
  ]);
  return Object.fromEntries(each);
}

/** Reads the prices that are numbers; undefined without any. */
function readPrices(value: unknown): Prices | undefined {
  const { currency, perHour } = fieldsOf(value);
  const prices = Object.entries(fieldsOf(perHour)).filter((price): price is [string, number] =>
    typeof price[1] === "number" && price[1] >= 0
  );
  // Browsers throw an error when they format an unknown currency.
  if (prices.length === 0 || !/^[A-Z]{3}$/.test(text(currency))) return undefined;
  return { currency: text(currency), perHour: Object.fromEntries(prices) };
}

/** Reads the caller. */
export function readUser(value: unknown): UserInfo {
  const row = objectOf(value, "the caller");
  return {
    subject: text(row.subject),
    issuer: text(row.issuer),
    groups: Array.isArray(row.groups) ? row.groups.map(text) : [],
    name: text(row.name),
    email: text(row.email),
    serviceAccountName: text(row.serviceAccountName),
    serviceAccountNamespace: text(row.serviceAccountNamespace),
  };
}

function rows(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
