/** The error of unusable tables, in a separate file for code that loads no database. */
import { UserError } from "@tiphys/base/user_error";

/** The error of tables with an unsupported version that must not be created or changed. */
export class SchemaError extends UserError {
  override readonly name = "SchemaError";
  /** Whether the tables do not exist. */
  readonly areMissing: boolean;

  constructor(message: string, { areMissing }: { areMissing: boolean }) {
    super(message);
    this.areMissing = areMissing;
  }
}
