/** An error fails at run time. A warning is about a valid expression that is probably a mistake. */
export type Severity = "error" | "warning";

/** A fault at a position of an expression or condition. */
export interface Fault {
  readonly severity: Severity;
  readonly message: string;
  /** UTF-16 offset in the checked text. */
  readonly offset: number;
}
