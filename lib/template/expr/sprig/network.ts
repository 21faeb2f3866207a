/** sprig's one function that asks the network, through whoever hosts the engine: expressions themselves touch nothing. */
import { STRING } from "../../../go/mod.ts";
import { fail } from "../failure.ts";
import { define, type Functions } from "./define.ts";
import { randomBelow } from "./random.ts";

/** Gives the addresses of a host, none where it has none. Synchronous, as expressions are. */
export type HostResolver = (name: string) => readonly string[];

let resolver: HostResolver | undefined;

/** Lets `sprig.getHostByName` ask this resolver from now on; without an argument it fails again. */
export function provideHostResolver(resolve?: HostResolver): void {
  resolver = resolve;
}

function getHostByName(name: string): string {
  if (resolver === undefined) fail("sprig.getHostByName is not available: no host resolver was provided");
  const addresses = resolver(name);
  const chosen = addresses[randomBelow(addresses.length)];
  return chosen ?? fail(`sprig.getHostByName found no address of ${JSON.stringify(name)}`);
}

export const NETWORK: Functions = { getHostByName: define("string", STRING, getHostByName) };
