/** The subjects of advice about runs. The browser stores which of them were dismissed. */

/** The subjects of advice. A dismissed one is not shown again. */
export const ADVICE_SUBJECTS = ["deadline", "ttl", "pods", "root", "requests"] as const;
/** A subject of advice. */
export type AdviceSubject = (typeof ADVICE_SUBJECTS)[number];
