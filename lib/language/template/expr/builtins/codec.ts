/** Builtins that encode and decode JSON and base64. */
import {
  ANY,
  decodeBase64,
  encodeBase64,
  fromBytes,
  funcOf,
  marshalJson,
  STRING,
  toBytes,
  unmarshalJson,
} from "@tiphys/base/go";
import { asRunFailure } from "../failure.ts";
import { toStringOperand } from "../operators.ts";
import type { BuiltinFunction } from "./builtin.ts";

export const CODEC_BUILTINS: readonly BuiltinFunction[] = [
  {
    name: "toJSON",
    overloads: [funcOf([ANY], STRING)],
    run: ([value = null]) => asRunFailure(() => marshalJson(value, { indent: "  " })),
  },
  {
    name: "fromJSON",
    overloads: [funcOf([STRING], ANY)],
    run: ([text = null]) => {
      const source = toStringOperand(text);
      return asRunFailure(() => unmarshalJson(source));
    },
  },
  {
    name: "toBase64",
    overloads: [funcOf([STRING], STRING)],
    run: ([text = null]) => encodeBase64(toBytes(toStringOperand(text))),
  },
  {
    name: "fromBase64",
    overloads: [funcOf([STRING], STRING)],
    run: ([text = null]) => {
      const source = toStringOperand(text);
      return asRunFailure(() => fromBytes(decodeBase64(source)));
    },
  },
];
