/** References from a spec to other objects. */
import * as z from "zod";
import { object } from "../schema.ts";

const keySelector = { name: z.string().optional(), key: z.string(), optional: z.boolean().optional() };

/** A key of a ConfigMap. */
export const ConfigMapKeySelector = object(keySelector);
/** A key of a ConfigMap. */
export type ConfigMapKeySelector = z.infer<typeof ConfigMapKeySelector>;

/** A key of a Secret. */
export const SecretKeySelector = object(keySelector);
/** A key of a Secret. */
export type SecretKeySelector = z.infer<typeof SecretKeySelector>;

/** A reference to an object in the same namespace. */
export const LocalObjectReference = object({ name: z.string().optional() });
/** A reference to an object in the same namespace. */
export type LocalObjectReference = z.infer<typeof LocalObjectReference>;

/** A reference to any object. */
export const ObjectReference = object({
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  fieldPath: z.string().optional(),
});
/** A reference to any object. */
export type ObjectReference = z.infer<typeof ObjectReference>;
