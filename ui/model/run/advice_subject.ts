/** The subjects of advice about runs, by which a browser keeps which of them somebody dismissed. */

/** The subjects of advice; one that somebody dismissed is not told again, and the others are. */
export const ADVICE_SUBJECTS = ["deadline", "ttl", "pods", "root", "requests"] as const;
/** A subject. */
export type AdviceSubject = (typeof ADVICE_SUBJECTS)[number];
