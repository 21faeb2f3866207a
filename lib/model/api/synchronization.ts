/** Locks that workflows and templates share, and memoization. */
import * as z from "zod";
import { ConfigMapKeySelector, LocalObjectReference } from "./core/reference.ts";
import { limits, object } from "./schema.ts";

/** A lock with several holders. Its limit is in a ConfigMap or a database. */
export const SemaphoreRef = object({
  configMapKeyRef: ConfigMapKeySelector.optional(),
  namespace: z.string().optional(),
  database: object({ key: z.string() }).optional(),
});
/** A lock with several holders. Its limit is in a ConfigMap or a database. */
export type SemaphoreRef = z.infer<typeof SemaphoreRef>;

/** A lock with one holder. */
export const Mutex = object({
  name: z.string().optional(),
  namespace: z.string().optional(),
  database: z.boolean().optional(),
});
/** A lock with one holder. */
export type Mutex = z.infer<typeof Mutex>;

/** The locks to hold while running. */
export const Synchronization = object({
  semaphores: z.array(SemaphoreRef).optional(),
  mutexes: z.array(Mutex).optional(),
});
/** The locks to hold while running. */
export type Synchronization = z.infer<typeof Synchronization>;

const semaphoreHolding = object({
  semaphore: z.string().optional(),
  holders: z.array(z.string()).optional(),
});
const mutexHolding = object({ mutex: z.string().optional(), holder: z.string().optional() });

/** A semaphore and its holders: in `holding` those of this workflow, in `waiting` those that it waits for. */
export type SemaphoreHolding = z.infer<typeof semaphoreHolding>;
/** A mutex and its holder: in `holding` one of this workflow, in `waiting` the one that it waits for. */
export type MutexHolding = z.infer<typeof mutexHolding>;

/** The locks of a workflow and its nodes, from which a restarted controller rebuilds them. */
export const SynchronizationStatus = object({
  semaphore: object({
    holding: z.array(semaphoreHolding).optional(),
    waiting: z.array(semaphoreHolding).optional(),
  }).optional(),
  mutex: object({ holding: z.array(mutexHolding).optional(), waiting: z.array(mutexHolding).optional() }).optional(),
});
/** The locks of a workflow and its nodes, from which a restarted controller rebuilds them. */
export type SynchronizationStatus = z.infer<typeof SynchronizationStatus>;

/** Caching of the outputs of a template under a key. */
export const Memoize = object({
  key: z.string(),
  cache: object({ configMap: LocalObjectReference }).optional(),
  maxAge: z.string().optional(),
}).register(limits, { argoRequires: ["cache", "maxAge"] });
/** Caching of the outputs of a template under a key. */
export type Memoize = z.infer<typeof Memoize>;
