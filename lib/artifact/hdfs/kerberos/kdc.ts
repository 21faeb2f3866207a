/** The servers of a realm that give tickets: asked over TCP, one after the other until one answers. */
import type { Reach } from "../../../net/mod.ts";
import type { Bytes } from "../../../net/mod.ts";
import { StoreError } from "../../driver.ts";
import { counted } from "../rpc_messages.ts";
import { Wire } from "../wire.ts";
import type { Krb5Conf } from "./krb5_conf.ts";

/** The longest answer: tickets of people who are in thousands of groups have some 64 KiB. */
const MAX_ANSWER_BYTES = 1 << 20;

/** The time in which a server must have answered, milliseconds. */
const PATIENCE_MILLIS = 10_000;

/** An answer, and the words for who gave it. */
export interface KdcAnswer {
  readonly bytes: Bytes;
  readonly who: string;
}

/**
 * Asks the servers of a realm.
 * @throws {StoreError} `transient` when none can be reached, `final` when there is none.
 */
export async function askKdc(
  conf: Krb5Conf,
  realm: string,
  question: Uint8Array,
  stop: AbortSignal,
  reach?: Reach,
): Promise<KdcAnswer> {
  let last: unknown = new StoreError(`hdfs: Kerberos: krb5.conf names no kdc of the realm ${realm}`, "final");
  for (const node of conf.kdcs(realm)) {
    const patience = AbortSignal.timeout(PATIENCE_MILLIS);
    const signal = AbortSignal.any([stop, patience]);
    const title = `hdfs: the KDC of ${realm}`;
    try {
      using wire = await Wire.open(node, title, signal, reach);
      using _ = wire.cutBy(signal);
      await wire.write(counted(question));
      return { bytes: await wire.counted(MAX_ANSWER_BYTES), who: wire.what };
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
