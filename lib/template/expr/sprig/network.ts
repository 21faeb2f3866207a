/** sprig's one function that uses the network, which expressions do not. */
import { STRING } from "../../../go/mod.ts";
import { NotOfferedFailure } from "../failure.ts";
import { define, type Functions } from "./define.ts";

function getHostByName(): never {
  throw new NotOfferedFailure("sprig.getHostByName is not offered: expressions do not use the network");
}

export const NETWORK: Functions = { getHostByName: define("string", STRING, getHostByName) };
