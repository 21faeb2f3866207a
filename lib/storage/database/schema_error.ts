/** The error of tables that cannot be used as they are; told apart by those who load no database. */
import { UserError } from "@tiphys/base/user_error";

/** Tables that are of no version that can be used, where nothing here may make or change them. */
export class SchemaError extends UserError {
  override readonly name = "SchemaError";
  /** Whether there are no tables at all. */
  readonly areMissing: boolean;

  constructor(message: string, { areMissing }: { areMissing: boolean }) {
    super(message);
    this.areMissing = areMissing;
  }
}
