/**
 * The functions every expression can call by name. One file per noun: `text`, `numbers`, `collections`, `times`, `codec`;
 * `predicates` names those that take a predicate, which the compiler runs itself.
 */
import type { BuiltinFunction } from "./builtin.ts";
import { CODEC_BUILTINS } from "./codec.ts";
import { COLLECTION_BUILTINS } from "./collections.ts";
import { NUMBER_BUILTINS } from "./numbers.ts";
import { TEXT_BUILTINS } from "./text.ts";
import { TIME_BUILTINS } from "./times.ts";

/** The builtins by name, those with predicates excepted. */
export const BUILTINS: ReadonlyMap<string, BuiltinFunction> = new Map(
  [...TEXT_BUILTINS, ...NUMBER_BUILTINS, ...COLLECTION_BUILTINS, ...TIME_BUILTINS, ...CODEC_BUILTINS]
    .map((builtin) => [builtin.name, builtin]),
);
