/** Lists collections. */

import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf } from "@tiphys/base/fields_of";
import { apiVersionOf } from "@tiphys/kube/resources";
import type { ApiContext } from "../context.ts";
import { checkListOptions } from "./list_options.ts";
import { parseSelection } from "./selection.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, expired, StatusError } from "../status_error.ts";
import { collectionName, type StoredObject } from "../store.ts";

/**
 * The content of a `continue` token: the version of the first page, and the key after which the next page begins.
 */
interface ContinueToken {
  readonly version: number;
  readonly after: string;
}

/** A page of a collection. */
export interface Page {
  readonly items: readonly StoredObject[];
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
}

/**
 * Reads a page. Later pages contain the current objects but the version of the first page, so a watch from there
 * repeats changes between the pages and misses nothing.
 */
export function listPage(
  context: ApiContext,
  resource: ServedResource,
  namespace: string | undefined,
  query: URLSearchParams,
): Page {
  checkListOptions(query);
  const selected = parseSelection(query, resource);
  const limit = parseLimit(query.get("limit"));
  const token = parseContinue(query.get("continue"), context.store.version);
  const version = token?.version ?? context.store.version;
  checkVersion(query.get("resourceVersion"), context.store.version);
  if (token && context.store.eventsAfter(collectionName(resource), token.version) === undefined) {
    throw expired("The provided continue parameter is too old to display a consistent list result");
  }
  let items = context.store.list(collectionName(resource), namespace).filter((stored) => selected(stored.object));
  if (token) items = items.filter((stored) => stored.key > token.after);
  if (limit <= 0 || items.length <= limit) return { items, metadata: { resourceVersion: String(version) } };
  const page = items.slice(0, limit);
  return {
    items: page,
    metadata: {
      resourceVersion: String(version),
      continue: btoa(JSON.stringify({ version, after: page.at(-1)!.key } satisfies ContinueToken)),
      remainingItemCount: items.length - limit,
    },
  };
}

/** The list object, concatenated from the stored texts. */
export function listText(resource: ServedResource, page: Page): string {
  const items = page.items.map((stored) => stored.text).join(",");
  const metadata = JSON.stringify(page.metadata);
  return `{"kind":"${resource.kind}List","apiVersion":"${
    apiVersionOf(resource)
  }","metadata":${metadata},"items":[${items}]}`;
}

/** @throws {StatusError} if a client has a version that is newer than this store, so from another one. */
export function checkVersion(requestedVersion: string | null, current: number): void {
  if (requestedVersion === null || requestedVersion === "") return;
  if (!/^\d+$/.test(requestedVersion)) {
    throw badRequest(`Invalid value: "${requestedVersion}": resourceVersion must be a number`);
  }
  if (Number(requestedVersion) > current) {
    const message = `Timeout: Too large resource version: ${requestedVersion}, current: ${current}`;
    throw new StatusError(504, "Timeout", message, {
      retryAfterSeconds: 1,
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    });
  }
}

function parseLimit(text: string | null): number {
  if (text && !/^-?\d+$/.test(text)) throw badRequest(`Invalid value: ${JSON.stringify(text)}: limit must be a number`);
  return Number(text ?? 0);
}

/** @throws {StatusError} 400 for a token that is not from a list of this store. */
function parseContinue(text: string | null, newest: number): ContinueToken | undefined {
  if (!text) return undefined;
  try {
    const { version, after } = fieldsOf(parseJson(atob(text)));
    const isVersion = typeof version === "number" && Number.isSafeInteger(version) && version >= 0 && version <= newest;
    if (isVersion && typeof after === "string") return { version, after };
  } catch { /* Not a key; reported below. */ }
  throw badRequest("continue key is not valid");
}
