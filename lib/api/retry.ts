/** Trying again. */
import { z } from "zod";
import { IntOrString, object } from "./schema.ts";

/** How long to wait between attempts. */
export const Backoff = object({
  duration: z.string().optional(),
  factor: IntOrString.optional(),
  maxDuration: z.string().optional(),
  cap: z.string().optional(),
});
/** How long to wait between attempts. */
export type Backoff = z.infer<typeof Backoff>;

/** Which ends of an attempt call for another. */
export const RetryPolicy = z.enum(["Always", "OnFailure", "OnError", "OnTransientError"]);
/** Which ends of an attempt call for another. */
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** Where further attempts may run. */
export const RetryAffinity = object({ nodeAntiAffinity: object({}).optional() });
/** Where further attempts may run. */
export type RetryAffinity = z.infer<typeof RetryAffinity>;

/** When and how often to try again. */
export const RetryStrategy = object({
  limit: IntOrString.optional(),
  retryPolicy: RetryPolicy.optional(),
  backoff: Backoff.optional(),
  affinity: RetryAffinity.optional(),
  expression: z.string().optional(),
});
/** When and how often to try again. */
export type RetryStrategy = z.infer<typeof RetryStrategy>;
