/** A fault of an expression: an error cannot work, a warning works but can hardly be meant. */
export type Severity = "error" | "warning";

/** Something wrong at one place of an expression or condition. */
export interface Fault {
  readonly severity: Severity;
  readonly message: string;
  /** UTF-16 offset in the text that was judged. */
  readonly offset: number;
}
