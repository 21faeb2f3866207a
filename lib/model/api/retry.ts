/** Trying again. */
import * as z from "zod";
import { IntOrString, object } from "./schema.ts";

/**
 * The pause between attempts: the first one, the factor by which it grows, the longest one (`cap`), and the time for
 * all attempts (`maxDuration`).
 */
export const Backoff = object({
  duration: z.string().optional(),
  factor: IntOrString.optional(),
  maxDuration: z.string().optional(),
  cap: z.string().optional(),
});
/**
 * The pause between attempts: the first one, the factor by which it grows, the longest one (`cap`), and the time for
 * all attempts (`maxDuration`).
 */
export type Backoff = z.infer<typeof Backoff>;

/** The ends of an attempt after which another one is made. */
export const RetryPolicy = z.enum(["Always", "OnFailure", "OnError", "OnTransientError"]);
/** The ends of an attempt after which another one is made. */
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** The choice of machines for further attempts: `nodeAntiAffinity` avoids those of failed ones. */
export const RetryAffinity = object({ nodeAntiAffinity: object({}).optional() });
/** The choice of machines for further attempts: `nodeAntiAffinity` avoids those of failed ones. */
export type RetryAffinity = z.infer<typeof RetryAffinity>;

/** The conditions, number and pauses of further attempts after a failed one. */
export const RetryStrategy = object({
  limit: IntOrString.optional(),
  retryPolicy: RetryPolicy.optional(),
  backoff: Backoff.optional(),
  affinity: RetryAffinity.optional(),
  expression: z.string().optional(),
});
/** The conditions, number and pauses of further attempts after a failed one. */
export type RetryStrategy = z.infer<typeof RetryStrategy>;
