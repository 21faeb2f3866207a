/**
 * Decodes objects that clients send as protobuf: typed Go clients do so for all built-in kinds, and so do `kubectl
 * create configmap|secret|job|...`, `kubectl create token` and `kubectl auth can-i`. Responses are always JSON.
 */

import { LIMITS } from "@tiphys/base/limits";
import { READ_LIMITS, readMessage } from "@tiphys/proto";
import { builtInMessage } from "./described/built_in_messages.ts";

/** As many parts as JSON may have lists and objects: an empty item of a list is two bytes. */
const PROTOBUF_LIMITS = { ...READ_LIMITS, parts: LIMITS.bodyLists };

const MAGIC = [0x6b, 0x38, 0x73, 0x00]; // "k8s" and a zero byte

/**
 * Returns the object in a protobuf body as JSON; undefined for an unknown kind.
 * @throws {MessageError} if the bytes are not a valid message, or exceed a limit.
 */
export function decodeProtobuf(body: Uint8Array): Record<string, unknown> | undefined {
  if (!MAGIC.every((byte, index) => body[index] === byte)) return undefined;
  const envelope = readMessage(builtInMessage("", "Unknown")!, body.subarray(MAGIC.length)) as {
    typeMeta?: { apiVersion?: string; kind?: string };
    raw?: string;
  };
  const { apiVersion = "", kind = "" } = envelope.typeMeta ?? {};
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const message = builtInMessage(group, kind);
  if (message === undefined) return undefined;
  const object = readMessage(message, Uint8Array.fromBase64(envelope.raw ?? ""), PROTOBUF_LIMITS) as Record<
    string,
    unknown
  >;
  return { ...envelope.typeMeta, ...object };
}
