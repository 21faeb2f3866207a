/**
 * Locations of artifacts: completeness, keys, joined keys, and the completion of a key by a repository. Used by the
 * controller, the pod builder and the executor. Loads only the table of stores.
 */
import { trimCharacters } from "@tiphys/base/go/text";
import { UserError } from "@tiphys/base/user_error";
import { type StoreName, storeOf, type StoreRow, STORES, type StoreTable } from "./stores.ts";
import type { Place } from "./driver.ts";
import { canonicalJson } from "@tiphys/base/canonical_json";
import { isObject } from "@tiphys/base/fields_of";

/** An artifact, or a part of one, as written. */
type Location = object;
type Fields = Readonly<Record<string, unknown>>;

/** The default key of an artifact in its repository. */
export const DEFAULT_KEY = "{{workflow.name}}/{{pod.name}}";

/** Error for an invalid location, with a message for its author. */
export class LocationError extends UserError {
  override readonly name = "LocationError";
}

/** Whether a location has all fields that its store needs. */
export function isFull(location: Location | undefined): boolean {
  const found = rowOf(location);
  return found !== undefined && found.row.full.every((field) => isFilled(found.fields[field]));
}

/** Whether an artifact has a full location, or at least a key that a repository completes. */
export function hasLocationOrKey(artifact: Location): boolean {
  return isFull(artifact) || keyOf(artifact) !== undefined;
}

/** Returns the key of a location; undefined when it has no key, or its store has no keys. */
export function keyOf(location: Location | undefined): string | undefined {
  const value = addressOf(location);
  if (value === undefined) return undefined;
  return (rowOf(location)!.row.keyIs === "path" ? decodePath(partsOfUrl(value).path) : value) || undefined;
}

/** Returns the text of a location that contains its key: the key itself, or the URL with it. */
export function addressOf(location: Location | undefined): string | undefined {
  const found = rowOf(location);
  const value = found?.row.key && found.fields[found.row.key];
  return typeof value === "string" ? value : undefined;
}

/** Returns the same location with another key; unchanged if the store has no keys. */
export function withKey<T extends Location>(location: T, key: string): T {
  const found = rowOf(location);
  if (!found?.row.key) return location;
  const { name, row, fields } = found;
  if (keyOf(location) === key) return location;
  const value = row.keyIs === "path" ? withPath(String(fields[row.key!] ?? ""), key) : key;
  return { ...location, [name]: { ...fields, [row.key!]: value } };
}

/** Returns the place of a full location; undefined when it has no store. */
export function placeOf(location: Location | undefined): Place | undefined {
  const found = rowOf(location);
  if (!found) return undefined;
  const { name, row, fields } = found;
  const key = keyOf(location) ?? "";
  // A URL stays among the settings, because its key is only a part of it.
  if (!row.key || row.keyIs === "path") return { store: name, key, settings: fields };
  const { [row.key]: _, ...settings } = fields;
  return { store: name, key, settings };
}

/**
 * Returns a text that identifies the store of a place, independent of credentials, region, certificates and the
 * spelling of its address.
 */
export function storeTextOf({ store, settings }: Place): string {
  const row: StoreRow | undefined = (STORES as StoreTable)[store];
  if (!row?.at) return canonicalJson([store, settings]);
  const address = row.keyIs === "path" ? row.key : "endpoint";
  return canonicalJson([
    store,
    ...row.at.map((name) => {
      const value = settings[name];
      if (Array.isArray(value)) return value.toSorted();
      return name === address && typeof value === "string" ? addressText(value, row.keyIs === "path") : value ?? null;
    }),
  ]);
}

/** Normalizes an address, without a path that is a key. */
function addressText(address: string, isPathKey: boolean): string {
  if (!address.includes("://") || !URL.canParse(address)) return trimCharacters(address.toLowerCase(), "/");
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${isPathKey ? "" : trimCharacters(pathname, "/", "right")}`;
}

/** Whether the location is certainly a folder, without a request. */
export function isFolder(location: Location): boolean {
  const found = rowOf(location);
  if (found?.row.isFolder === "always") return true;
  return found?.row.isFolder === "slash" && keyOf(location)?.endsWith("/") === true;
}

/**
 * Completes the location of an artifact. A partial location is completed from the place of artifacts without a
 * location, and keeps its key. If its store is of another kind, it may only have a key.
 * @throws {LocationError} when there is no such place, or the two do not match.
 */
export function relocate<T extends Location>(artifact: T, archive: Location | undefined): T {
  if (isFull(artifact)) return artifact;
  const to = rowOf(archive);
  if (!to) throw new LocationError("template artifact location not set");
  const own = rowOf(artifact);
  const key = keyOf(artifact);
  if (!own || key === undefined) {
    throw new LocationError("the artifact names neither a full location nor a key");
  }
  if (own.name === to.name) {
    return withKey({ ...artifact, [to.name]: { ...to.fields, ...nonEmptyFields(own.fields) } }, key);
  }
  const others = Object.keys(nonEmptyFields(own.fields)).filter((field) => field !== own.row.key);
  if (others.length > 0) {
    throw new LocationError(
      `the artifact has ${others.map((field) => `${own.name}.${field}`).join(", ")}, which is not a full location, ` +
        `and artifacts with only a key are in a store of kind ${to.name}`,
    );
  }
  const { [own.name]: _, ...rest } = artifact as Record<string, unknown>;
  // deno-lint-ignore tiphys/no-double-cast -- the same fields, with another store
  return withKey({ ...rest, [to.name]: to.fields } as unknown as T, key);
}

/** Returns only a key, in the store field of a location, as in the status of an artifact in a repository. */
export function keyOnly(archive: Location, key: string): Record<string, unknown> {
  const found = rowOf(archive);
  if (!found) return {};
  const { name, row, fields } = found;
  const field = row.key;
  if (!field) return { [name]: fields };
  return { [name]: { [field]: row.keyIs === "path" ? withPath(String(fields[field] ?? ""), key) : key } };
}

/** Joins parts of a key without empty parts, `.`, `..` and a trailing slash. */
export function joinKeys(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== "");
  const clean: string[] = [];
  const isAbsolute = given[0]?.startsWith("/") === true;
  for (const part of given.join("/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") clean.push(part);
    else if (clean.length > 0 && clean.at(-1) !== "..") clean.pop();
    else if (!isAbsolute) clean.push(part);
  }
  return `${isAbsolute ? "/" : ""}${clean.join("/")}`;
}

/**
 * Returns the artifact at a path below the key of another. The key itself is unchanged.
 * @throws {LocationError} when it has no key, or the path leads out of it.
 */
export function withSubPath<T extends Location>(artifact: T, subPath: string): T {
  const key = keyOf(artifact);
  if (key === undefined) throw new LocationError(`it has no key that the subPath "${subPath}" could extend`);
  const rest = joinKeys(trimCharacters(subPath, "/", "left"));
  if (rest === ".." || rest.startsWith("../")) {
    throw new LocationError(`the subPath "${subPath}" leads out of the key "${key}"`);
  }
  return rest === "" ? artifact : withKey(artifact, `${trimCharacters(key, "/", "right")}/${rest}`);
}

/**
 * Returns the place of artifacts without a location, with the template of their keys; undefined when the repository has
 * no store.
 * @throws {LocationError} for a repository that nothing can be saved to.
 */
export function locationOfRepository(
  repository: Location | undefined,
  table: StoreTable = STORES,
): Record<string, unknown> | undefined {
  if (!repository) return undefined;
  const { archiveLogs } = repository as { archiveLogs?: boolean };
  const [found] = Object.entries(table)
    .filter(([name, row]) => row.repository && isObject((repository as Fields)[name]))
    // Of several stores, the first by name counts, as in Argo.
    .sort(([a], [b]) => a < b ? -1 : 1);
  if (found === undefined) return archiveLogs === undefined ? undefined : { archiveLogs };
  const [name, { key, fields, repository: row }] = found;
  const given = (repository as Fields)[name] as Fields;
  const settings = Object.fromEntries(Object.entries(given).filter(([field]) => field in fields));
  const format = textOf(given[row!.keyFormat]) || joinKeys(textOf(given.keyPrefix), DEFAULT_KEY);
  if (name === "hdfs" && !format.startsWith("/")) {
    throw new LocationError(`the artifact repository has the hdfs.pathFormat "${format}": it must begin with a slash`);
  }
  const value = row!.base === undefined ? format : `${textOf(given[row!.base]).replace(/\/?$/, "/")}${format}`;
  return { ...(archiveLogs === undefined ? {} : { archiveLogs }), [name]: { ...settings, [key!]: value } };
}

function rowOf(location: Location | undefined) {
  const name = storeOf(location);
  if (!location || !name) return undefined;
  const row: StoreRow = STORES[name];
  return { name: name as StoreName, row, fields: (location as Record<string, Fields>)[name] ?? {} };
}

function nonEmptyFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)));
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Splits a URL into the part before its path, the path, and the rest. Other texts are all path. */
function partsOfUrl(url: string): { before: string; path: string; after: string } {
  const [scheme] = url.match(/^[a-zA-Z][-+.a-zA-Z0-9]*:\/\//) ?? [""];
  const rest = url.slice(scheme.length);
  const start = scheme === "" ? 0 : firstOf(rest, /[/?#]/);
  const end = start + firstOf(rest.slice(start), /[?#]/);
  return { before: scheme + rest.slice(0, start), path: rest.slice(start, end), after: rest.slice(end) };
}

function firstOf(text: string, pattern: RegExp): number {
  const index = text.search(pattern);
  return index < 0 ? text.length : index;
}

function withPath(url: string, path: string): string {
  const { before, after } = partsOfUrl(url);
  const encoded = encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23");
  return `${before}${before && !encoded.startsWith("/") ? "/" : ""}${encoded}${after}`;
}

/** Decodes a path. One with invalid UTF-8 or invalid escapes is returned unchanged. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
