/** Reads patches from bodies, and applies them. */

import { parseJson } from "@tiphys/base/bounded_json";
import { LIMITS } from "@tiphys/base/limits";
import {
  applyMergePatch,
  applyPatch,
  JsonPatchError,
  type PatchFormat,
  PatchWorkError,
  StrategicPatchError,
} from "@tiphys/kube/patch";
import { patchDepth, patchedObject } from "@tiphys/language/text_worker";
import { OURSELVES } from "../access/caller.ts";
import { bodyBytes } from "../body.ts";
import { MAX_OBJECT_CHARACTERS } from "../limits.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, StatusError } from "../status_error.ts";
import type { StoredObject } from "../store.ts";
import { throwParseError } from "./parse_error.ts";
import { type BodyReader, OBJECT_TOO_LARGE, tooLarge, unreadableBody } from "./write_request.ts";

/** Returns the patched object. */
export type Patch = (before: StoredObject, resource: ServedResource) => unknown;

/** A merge patch of this program. */
export function mergePatch(patch: unknown): Patch {
  return ({ object }) => applyMergePatch(object, patch);
}

const TYPES: Readonly<Record<string, PatchFormat>> = {
  "application/merge-patch+json": "merge",
  "application/json-patch+json": "json",
  "application/strategic-merge-patch+json": "strategic",
};

/**
 * Reads the patch of a body. A large or expensive one is parsed and applied in a separate thread, unless the
 * administrator or this program sent it.
 * @throws {StatusError} 415 for another media type; the patch throws 400 or 422 if it does not apply, 413 for a result
 * that is too large.
 */
export async function readPatch(
  request: Request,
  mediaType: string,
  resource: ServedResource,
  { texts, caller }: BodyReader,
): Promise<Patch> {
  const bytes = await bodyBytes(request);
  const type = Object.hasOwn(TYPES, mediaType) ? TYPES[mediaType] : undefined;
  if (type === undefined || (type === "strategic" && !resource.builtIn)) throw unsupportedPatch(mediaType);
  const text = new TextDecoder().decode(bytes);
  const { kind } = resource;
  const isOurs = caller.user === OURSELVES.user;
  const inThread = async ({ text: object }: StoredObject) => {
    const input = { object, patch: text, type, kind, characters: MAX_OBJECT_CHARACTERS };
    const options = { key: caller.user, runHere: patchedObject, characters: Infinity };
    const result = await texts.run("patchedObject", input, options).catch(throwParseError);
    if (!("error" in result)) return result.value;
    switch (result.reason) {
      case "body":
        throw unreadableBody(result.error);
      case "bodySize":
        throw tooLarge(`Request entity too large: ${result.error}`);
      case "objectSize":
        throw tooLarge(OBJECT_TOO_LARGE);
      case "patch":
        throw patchError(result.error, type);
    }
  };
  if (!isOurs && text.length > LIMITS.inlineCharacters) return inThread;
  const patch = parseBody(text, type);
  return (before) => {
    try {
      return applyPatch(before.object, patch, { type, kind, ...(isOurs ? {} : { limit: LIMITS.inlinePatchWork }) });
    } catch (error) {
      if (error instanceof PatchWorkError) return inThread(before);
      if (error instanceof JsonPatchError || error instanceof StrategicPatchError) {
        throw patchError(error.message, type);
      }
      throw error;
    }
  };
}

/** @throws {StatusError} 400 for invalid JSON. */
function parseBody(text: string, type: PatchFormat): unknown {
  if (text === "") return undefined;
  try {
    return parseJson(text, { depth: patchDepth(type), values: LIMITS.jsonValues });
  } catch (error) {
    throw unreadableBody(error instanceof Error ? error.message : String(error));
  }
}

function patchError(problem: string, type: PatchFormat): StatusError {
  if (type === "strategic") return badRequest(problem);
  return new StatusError(
    422,
    "Invalid",
    `the server rejected our request due to an error in our request: ${problem}`,
  );
}

function unsupportedPatch(mediaType: string): StatusError {
  const message = `the body of the request was in an unknown format (${mediaType}) - accepted media types include: ` +
    `application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`;
  return new StatusError(415, "UnsupportedMediaType", message);
}
