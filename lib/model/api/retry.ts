/** Retries of nodes. */
import * as z from "zod";
import { IntOrString, object } from "./schema.ts";

/**
 * The delay between attempts: the first one, the factor by which it grows, its maximum (`cap`), and the time limit for
 * all attempts (`maxDuration`).
 */
export const Backoff = object({
  duration: z.string().optional(),
  factor: IntOrString.optional(),
  maxDuration: z.string().optional(),
  cap: z.string().optional(),
});
/**
 * The delay between attempts: the first one, the factor by which it grows, its maximum (`cap`), and the time limit for
 * all attempts (`maxDuration`).
 */
export type Backoff = z.infer<typeof Backoff>;

/** The results of an attempt after which it is retried. */
export const RetryPolicy = z.enum(["Always", "OnFailure", "OnError", "OnTransientError"]);
/** The results of an attempt after which it is retried. */
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** The selection of machines for further attempts: `nodeAntiAffinity` avoids those of failed attempts. */
export const RetryAffinity = object({ nodeAntiAffinity: object({}).optional() });
/** The selection of machines for further attempts: `nodeAntiAffinity` avoids those of failed attempts. */
export type RetryAffinity = z.infer<typeof RetryAffinity>;

/** The conditions, limit and delays of retries. */
export const RetryStrategy = object({
  limit: IntOrString.optional(),
  retryPolicy: RetryPolicy.optional(),
  backoff: Backoff.optional(),
  affinity: RetryAffinity.optional(),
  expression: z.string().optional(),
});
/** The conditions, limit and delays of retries. */
export type RetryStrategy = z.infer<typeof RetryStrategy>;
