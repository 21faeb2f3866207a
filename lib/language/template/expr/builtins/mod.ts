/**
 * The functions that every expression can call by name. One file per subject: `text`, `numbers`, `collections`,
 * `times`, `codec`. `predicates` lists those with a predicate, which the compiler runs itself.
 */
import type { BuiltinFunction } from "./builtin.ts";
import { CODEC_BUILTINS } from "./codec.ts";
import { COLLECTION_BUILTINS } from "./collections.ts";
import { NUMBER_BUILTINS } from "./numbers.ts";
import { TEXT_BUILTINS } from "./text.ts";
import { TIME_BUILTINS } from "./times.ts";

/** The builtins by name, except those with predicates. */
export const BUILTINS: ReadonlyMap<string, BuiltinFunction> = new Map(
  [...TEXT_BUILTINS, ...NUMBER_BUILTINS, ...COLLECTION_BUILTINS, ...TIME_BUILTINS, ...CODEC_BUILTINS]
    .map((builtin) => [builtin.name, builtin]),
);
