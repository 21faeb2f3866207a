/** The functions under `sprig`. */
import type { ValueMap } from "../../../go/mod.ts";

/** Name to function; `env` and `expandenv` are left out on purpose, as Argo removes them. */
export const SPRIG: ValueMap = {};
