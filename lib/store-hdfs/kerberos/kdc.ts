/** Requests to the key distribution centers of a realm over TCP, one after the other until one responds. */
import type { AddressPolicy, Bytes } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import { prefixFourByteLength } from "../rpc_messages.ts";
import { Wire } from "../wire.ts";
import type { Krb5Conf } from "./krb5_conf.ts";

/** Maximum size of a response. Tickets of users in thousands of groups have about 64 KiB. */
const MAX_ANSWER_BYTES = 1 << 20;

/** Timeout of a server in milliseconds. */
const PATIENCE_MILLIS = 10_000;

/** A response, and a description of its sender. */
export interface KdcAnswer {
  readonly bytes: Bytes;
  readonly who: string;
}

/**
 * Sends a request to the servers of a realm.
 * @throws {StoreError} `transient` when none is reachable, `final` when none is configured.
 */
export async function sendToKdc(
  conf: Krb5Conf,
  realm: string,
  question: Uint8Array,
  stop: AbortSignal,
  reach?: AddressPolicy,
): Promise<KdcAnswer> {
  let last: unknown = new StoreError(`hdfs: Kerberos: krb5.conf names no kdc of the realm ${realm}`, "final");
  for (const node of conf.kdcs(realm)) {
    const patience = AbortSignal.timeout(PATIENCE_MILLIS);
    const signal = AbortSignal.any([stop, patience]);
    const title = `hdfs: the KDC of ${realm}`;
    try {
      using wire = await Wire.open(node, title, signal, reach);
      using _ = wire.closeOnAbort(signal);
      await wire.write(prefixFourByteLength(question));
      return { bytes: await wire.readCounted(MAX_ANSWER_BYTES), who: wire.what };
    } catch (error) {
      stop.throwIfAborted();
      const late = `${title} at ${node.hostname}:${node.port} cannot be reached: no answer within ${
        PATIENCE_MILLIS / 1000
      } s`;
      last = patience.aborted ? new StoreError(late, "transient") : error;
    }
  }
  throw last;
}
