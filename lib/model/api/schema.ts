/**
 * The building blocks of all schemas in this folder.
 *
 * They implement the common rules of Argo's wire format: `null` means absent, string fields also accept numbers and
 * booleans, and quantities and "int or string" fields keep both forms. Information for generators (CRDs, schema for
 * editors) is registered in {@link wireForm}.
 */
import * as z from "zod";
import { anyString } from "@tiphys/base/go/any_string";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The wire format of a schema that its zod structure does not express. Only generators read it. */
export type WireForm = "anyString" | "intOrString" | "quantity" | "json" | "time";

/** Wire formats by schema. */
export const wireForm: z.core.$ZodRegistry<{ form: WireForm }> = z.registry<{ form: WireForm }>();

/** A CEL condition that the API server checks, and its error message. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
}

/** Constraints that the API server enforces in addition to the types. Here, `lib/language/validate` checks them. */
export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly rules?: readonly Rule[];
  /**
   * The API server does not validate the fields of this object, which keeps the manifests small. The parser here does.
   */
  readonly open?: true;
  /** An addition to Argo's schema. An API server with Argo's CRDs drops it, so nothing may depend on it. */
  readonly addition?: true;
  /** Fields that Argo's CRDs require although Argo's own objects may omit them. */
  readonly argoRequires?: readonly string[];
}

/** Constraints by schema, which only generators read. */
export const limits: z.core.$ZodRegistry<Limits> = z.registry<Limits>();

/** The CEL condition that at most one field of an object is present. */
export function atMostOne(object: string, fields: readonly string[]): string {
  return `(${fields.map((field) => `(has(${object}.${field}) ? 1 : 0)`).join(" + ")}) <= 1`;
}

/** An object whose `null` fields are absent; unknown fields are dropped (strict parsing reports them first). */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(withoutNulls, z.object(shape));
}

/** An object of which only some fields are described; others are preserved. */
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

/** An object of unknown structure. */
export const JsonObject = z.record(z.string(), Json);
/** An object of unknown structure. */
export type JsonObject = z.infer<typeof JsonObject>;

/** Argo's AnyString: a number or a boolean becomes a string, floats without exponent. */
export const AnyString = z.union([z.string(), z.number(), z.boolean()], "expected string, number or boolean")
  .transform(anyString).register(wireForm, { form: "anyString" });

/** An integer that can also be a string, usually because it contains a tag. */
export const IntOrString = z.union([z.int(), z.string()], "expected integer or string").register(wireForm, {
  form: "intOrString",
});
/** An integer that can also be a string, usually because it contains a tag. */
export type IntOrString = z.infer<typeof IntOrString>;

/** A Kubernetes quantity; a number becomes a string. */
export const Quantity = z.union([z.number(), z.string()], "expected a quantity such as 500m or 1Gi")
  .transform(anyString)
  .register(wireForm, { form: "quantity" });

/** A time in Kubernetes' format (RFC 3339, seconds, UTC). */
export const Time = z.string().register(wireForm, { form: "time" });

/** An integer of 32 bits. */
export const Int32 = z.int32();

/** An integer of 64 bits. */
export const Int64 = z.int();

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const present = entries.filter(([, field]) => field !== null);
  return present.length === entries.length ? value : Object.fromEntries(present);
}
