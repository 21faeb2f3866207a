/**
 * The functions under `sprig`, one file per subject. `define.ts` declares them with Go's signatures, because those
 * determine which arguments are rejected. `env` and `expandenv` are omitted intentionally, as in Argo.
 */
import type { ValueMap } from "@tiphys/base/go";
import { setPrices, SPRIG_PRICES } from "../price_list.ts";
import { CERTIFICATES } from "./certificates.ts";
import { DATES } from "./dates.ts";
import type { Functions } from "./define.ts";
import { DIGESTS } from "./digests.ts";
import { LISTS } from "./lists.ts";
import { LOGIC } from "./logic.ts";
import { MAPS } from "./maps.ts";
import { NETWORK } from "./network.ts";
import { NUMBERS } from "./numbers.ts";
import { PATHS } from "./paths.ts";
import { RANDOM } from "./random.ts";
import { REGEX } from "./regex.ts";
import { TEXT } from "./text.ts";
import { URLS } from "./url.ts";
import { VERSIONS } from "./version.ts";

const FUNCTIONS: Functions = {
  ...TEXT,
  ...NUMBERS,
  ...LISTS,
  ...MAPS,
  ...LOGIC,
  ...DATES,
  ...REGEX,
  ...PATHS,
  ...URLS,
  ...VERSIONS,
  ...DIGESTS,
  ...RANDOM,
  ...CERTIFICATES,
  ...NETWORK,
};
setPrices(FUNCTIONS, SPRIG_PRICES, "sprig.");

/** The functions by name. */
export const SPRIG: ValueMap = Object.freeze(Object.assign(Object.create(null), FUNCTIONS));
