/** Fields of the JSON object of a body, read as what they should be; the proto spelling is taken too. */
import type { JsonObject } from "../wire/body.ts";
import { badRequest } from "../wire/errors.ts";

function valueOf(body: JsonObject, name: string): unknown {
  const other = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return body[name] ?? body[other] ?? undefined;
}

/** @throws {WireError} for what is no text. */
export function textField(body: JsonObject, name: string): string | undefined {
  const value = valueOf(body, name);
  if (value === undefined || typeof value === "string") return value || undefined;
  throw badRequest(`${name}: expected a text`);
}

/** @throws {WireError} for what is neither true nor false. */
export function boolField(body: JsonObject, name: string): boolean {
  const value = valueOf(body, name) ?? false;
  if (typeof value === "boolean") return value;
  throw badRequest(`${name}: expected true or false`);
}

/** @throws {WireError} for what is no whole number; gRPC's JSON writes large ones as texts. */
export function intField(body: JsonObject, name: string): number | undefined {
  const value = valueOf(body, name);
  if (value === undefined) return undefined;
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw badRequest(`${name}: expected a whole number`);
}

/** @throws {WireError} for what is no list of texts. */
export function textsField(body: JsonObject, name: string): readonly string[] {
  const value = valueOf(body, name) ?? [];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw badRequest(`${name}: expected a list of texts`);
}

/** @throws {WireError} for what is no object; an empty one where there is none. */
export function objectField(body: JsonObject, name: string): JsonObject {
  const value = valueOf(body, name) ?? {};
  if (typeof value === "object" && !Array.isArray(value)) return value as JsonObject;
  throw badRequest(`${name}: expected an object`);
}
