/**
 * The few building blocks every schema in this folder is made of.
 *
 * They carry the rules that hold for all of Argo's wire format: `null` means absent, text fields also take numbers and
 * booleans, quantities and "int or string" fields keep their two spellings. What a generator must know beyond the
 * shape (CRD, editor schema) is registered in {@link wireForm}.
 */
import * as z from "zod";
import { anyString } from "@tiphys/base/go/any_string";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The form of a schema on the wire where its zod structure does not tell it; only the generators read it. */
export type WireForm = "anyString" | "intOrString" | "quantity" | "json" | "time";

/** Wire forms by schema. */
export const wireForm: z.core.$ZodRegistry<{ form: WireForm }> = z.registry<{ form: WireForm }>();

/** A condition in CEL that the API server checks, and what it says when it does not hold. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
}

/** Bounds that the API server enforces beyond the shape. Our own parser leaves them to `lib/language/validate`. */
export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly rules?: readonly Rule[];
  /** The API server looks no further into this object, so that the manifests stay small; our own parser does. */
  readonly open?: true;
  /** Argo's schema does not have this field: an API server with Argo's CRDs drops it, so nothing may depend on it. */
  readonly addition?: true;
  /** Fields that Argo's CRDs require although Argo's own objects may leave them out. */
  readonly argoRequires?: readonly string[];
}

/** Limits by schema: read by the generators only. */
export const limits: z.core.$ZodRegistry<Limits> = z.registry<Limits>();

/** The CEL condition that at most one of an object's fields is there. */
export function atMostOne(object: string, fields: readonly string[]): string {
  return `(${fields.map((field) => `(has(${object}.${field}) ? 1 : 0)`).join(" + ")}) <= 1`;
}

/** An object whose `null` fields are absent; unknown fields are dropped (strict parsing reports them first). */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(withoutNulls, z.object(shape));
}

/** An object of which only some fields are described; all others are kept as they are. */
export function loose<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(withoutNulls, z.looseObject(shape));
}

/** A map from names to values of one kind; `null` values are absent. */
export function mapOf<Value extends z.ZodType>(value: Value) {
  return z.preprocess(withoutNulls, z.record(z.string(), value));
}

/** Labels, annotations, selectors. */
export const StringMap = mapOf(z.string());
/** Labels, annotations, selectors. */
export type StringMap = z.infer<typeof StringMap>;

/** A field that holds any JSON. */
export const Json = z.custom<Json>((value) => value !== undefined).register(wireForm, { form: "json" });

/** An object that nothing is known about. */
export const JsonObject = z.record(z.string(), Json);
/** An object that nothing is known about. */
export type JsonObject = z.infer<typeof JsonObject>;

/** Argo's AnyString: a number or a boolean becomes its text, floats without exponent. */
export const AnyString = z.union([z.string(), z.number(), z.boolean()], "expected string, number or boolean")
  .transform(anyString).register(wireForm, { form: "anyString" });

/** A count that may also be written as text, mostly for the sake of a tag in it. */
export const IntOrString = z.union([z.int(), z.string()], "expected integer or string").register(wireForm, {
  form: "intOrString",
});
/** A count that may also be written as text, mostly for the sake of a tag in it. */
export type IntOrString = z.infer<typeof IntOrString>;

/** A Kubernetes quantity; a bare number becomes its text. */
export const Quantity = z.union([z.number(), z.string()], "expected a quantity such as 500m or 1Gi")
  .transform(anyString)
  .register(wireForm, { form: "quantity" });

/** A time as Kubernetes writes it (RFC 3339, seconds, UTC). */
export const Time = z.string().register(wireForm, { form: "time" });

/** A whole number that Kubernetes keeps in 32 bits. */
export const Int32 = z.int32();

/** A whole number that Kubernetes keeps in 64 bits. */
export const Int64 = z.int();

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const present = entries.filter(([, field]) => field !== null);
  return present.length === entries.length ? value : Object.fromEntries(present);
}
