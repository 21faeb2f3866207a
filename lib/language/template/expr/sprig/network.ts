/** sprig's only function that uses the network. Expressions do not have access to it. */
import { STRING } from "@tiphys/base/go";
import { UnavailableFunctionFailure } from "../failure.ts";
import { define, type Functions } from "./define.ts";

function getHostByName(): never {
  throw new UnavailableFunctionFailure("sprig.getHostByName is not offered: expressions do not use the network");
}

export const NETWORK: Functions = { getHostByName: define("string", STRING, getHostByName) };
