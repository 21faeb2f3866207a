import type { FieldReport } from "../field_report.ts";

/** Reports. */
export const EXPANSION: readonly FieldReport[] = [];
