/** Typed access to fields of a JSON body. A field may also have its proto name, such as `node_field_selector`. */
import type { JsonObject } from "../wire/body.ts";
import { badRequest } from "../wire/errors.ts";

function valueOf(body: JsonObject, name: string): unknown {
  const other = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return body[name] ?? body[other] ?? undefined;
}

/** @throws {WireError} if the value is not a string. */
export function textField(body: JsonObject, name: string): string | undefined {
  const value = valueOf(body, name);
  if (value === undefined || typeof value === "string") return value || undefined;
  throw badRequest(`${name}: expected a string`);
}

/** False if the field is absent. @throws {WireError} if the value is not a boolean. */
export function boolField(body: JsonObject, name: string): boolean {
  const value = valueOf(body, name) ?? false;
  if (typeof value === "boolean") return value;
  throw badRequest(`${name}: expected true or false`);
}

/**
 * Accepts strings as well: gRPC's JSON writes 64-bit integers as strings.
 * @throws {WireError} if it is not an integer.
 */
export function intField(body: JsonObject, name: string): number | undefined {
  const value = valueOf(body, name);
  if (value === undefined) return undefined;
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw badRequest(`${name}: expected an integer`);
}

/** Empty if the field is absent. @throws {WireError} if the value is not a list of strings. */
export function textsField(body: JsonObject, name: string): readonly string[] {
  const value = valueOf(body, name) ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw badRequest(`${name}: expected a list of strings`);
}

/** Empty if the field is absent. @throws {WireError} if the value is not an object. */
export function objectField(body: JsonObject, name: string): JsonObject {
  const value = valueOf(body, name) ?? {};
  if (typeof value === "object" && !Array.isArray(value)) return value as JsonObject;
  throw badRequest(`${name}: expected an object`);
}
