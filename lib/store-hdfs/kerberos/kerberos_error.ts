/** Errors of Kerberos with messages that explain the cause. They contain no keys or tickets. */
import { StoreError, type StoreErrorKind } from "@tiphys/model/artifact";
import type { KerberosFailure } from "./messages.ts";
import { type Principal, principalText } from "./principal.ts";

/** Maximum number of characters of a server's own message that are shown. */
const MAX_MESSAGE_LENGTH = 200;

/** Failure codes (RFC 4120, 7.5.9) that are handled specially. */
export const FAILURE = { clockSkew: 37, proofNeeded: 25 };

/** Returns an error, by default a final one. */
export function kerberosError(message: string, kind: StoreErrorKind = "final"): StoreError {
  return new StoreError(`hdfs: Kerberos: ${message}`, kind);
}

/** The request that a server rejected. */
export interface RefusedRequest {
  readonly who: string;
  readonly client: Principal;
  readonly service: Principal;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Cause = readonly [words: (refused: RefusedRequest, failure: KerberosFailure) => string, kind?: StoreErrorKind];

const refusesKey: Cause = [
  ({ client }) => `pre-authentication failed: the key in the keytab is no longer the one of ${principalText(client)}`,
  "forbidden",
];
const expired: Cause = [
  ({ client }) => `the principal ${principalText(client)} is locked, or it or its password has expired`,
  "forbidden",
];

const CAUSES: Readonly<Record<number, Cause>> = {
  1: expired,
  6: [({ client }) => `there is no principal ${principalText(client)} in the realm`, "forbidden"],
  7: [({ service }) => `there is no principal ${principalText(service)} in the realm`, "forbidden"],
  12: [
    ({ client, service }) => `${principalText(client)} may not have a ticket of ${principalText(service)}`,
    "forbidden",
  ],
  14: [() => "it knows none of the types of encryption that are offered: AES with SHA-1 or with SHA-2"],
  18: expired,
  23: expired,
  24: refusesKey,
  29: [() => "it is temporarily unavailable", "transient"],
  31: refusesKey,
  32: [() => "the ticket has expired"],
  33: [() => "the ticket is not valid yet: compare the clocks"],
  [FAILURE.clockSkew]: [({ now }, { serverTime }) => clockSkewText(now, serverTime)],
  68: [({ client }) => `${principalText(client)} belongs to another realm`, "forbidden"],
};

/** Describes the difference of two clocks. */
export function clockSkewText(now: number, serverTime: number): string {
  const seconds = Math.round(Math.abs(now - serverTime) / 1000);
  const how = now > serverTime ? "ahead of" : "behind";
  return `the clocks differ too much: this one is ${seconds} s ${how} the one of the KDC`;
}

/** Returns the error of a rejection. */
export function refusalError(refused: RefusedRequest, failure: KerberosFailure): StoreError {
  const cause = CAUSES[failure.code];
  if (cause) {
    return kerberosError(`${removeStorePrefix(refused.who)} refused: ${cause[0](refused, failure)}`, cause[1]);
  }
  const said = failure.text?.split("\n")[0]?.slice(0, MAX_MESSAGE_LENGTH);
  return kerberosError(
    `${removeStorePrefix(refused.who)} refused: error ${failure.code}${said ? `: ${said}` : ""}`,
  );
}

function removeStorePrefix(subject: string): string {
  return subject.replace(/^hdfs: /, "");
}
