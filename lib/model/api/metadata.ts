/** Metadata of Kubernetes objects, and label selectors. */
import * as z from "zod";
import { Int64, Json, object, StringMap, Time } from "./schema.ts";

/** A reference to the object that owns this one. */
export const OwnerReference = object({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
});
/** A reference to the object that owns this one. */
export type OwnerReference = z.infer<typeof OwnerReference>;

/** Kubernetes' object metadata. */
export const ObjectMeta = object({
  name: z.string().optional(),
  generateName: z.string().optional(),
  namespace: z.string().optional(),
  selfLink: z.string().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  generation: Int64.optional(),
  creationTimestamp: Time.optional(),
  deletionTimestamp: Time.optional(),
  deletionGracePeriodSeconds: Int64.optional(),
  labels: StringMap.optional(),
  annotations: StringMap.optional(),
  ownerReferences: z.array(OwnerReference).optional(),
  finalizers: z.array(z.string()).optional(),
  managedFields: z.array(Json).optional(),
});
/** Kubernetes' object metadata. */
export type ObjectMeta = z.infer<typeof ObjectMeta>;

/** Labels and annotations for pods. */
export const Metadata = object({ labels: StringMap.optional(), annotations: StringMap.optional() });
/** Labels and annotations for pods. */
export type Metadata = z.infer<typeof Metadata>;

/** A condition of a label selector. */
export const LabelSelectorRequirement = object({
  key: z.string(),
  operator: z.string(),
  values: z.array(z.string()).optional(),
});
/** A condition of a label selector. */
export type LabelSelectorRequirement = z.infer<typeof LabelSelectorRequirement>;

/** Kubernetes' label selector. */
export const LabelSelector = object({
  matchLabels: StringMap.optional(),
  matchExpressions: z.array(LabelSelectorRequirement).optional(),
});
/** Kubernetes' label selector. */
export type LabelSelector = z.infer<typeof LabelSelector>;

/** The first two fields of every object, for schemas that extend them. */
export const typeMeta = { apiVersion: z.string().optional(), kind: z.string().optional() };
