/** References from a spec to other objects of its namespace. */
import * as z from "zod";
import { object } from "../schema.ts";

const keySelector = { name: z.string().optional(), key: z.string(), optional: z.boolean().optional() };

/** One key of a ConfigMap. */
export const ConfigMapKeySelector = object(keySelector);
/** One key of a ConfigMap. */
export type ConfigMapKeySelector = z.infer<typeof ConfigMapKeySelector>;

/** One key of a Secret. */
export const SecretKeySelector = object(keySelector);
/** One key of a Secret. */
export type SecretKeySelector = z.infer<typeof SecretKeySelector>;

/** A whole object by its name. */
export const LocalObjectReference = object({ name: z.string().optional() });
/** A whole object by its name. */
export type LocalObjectReference = z.infer<typeof LocalObjectReference>;

/** An object anywhere. */
export const ObjectReference = object({
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  fieldPath: z.string().optional(),
});
/** An object anywhere. */
export type ObjectReference = z.infer<typeof ObjectReference>;
