/** Parts that the tests of the S3 driver share: places, and a store that accepts multipart uploads. */
import { assertRejects } from "@std/assert";
import { type Driver, type Place, StoreError } from "@tiphys/model/artifact";
import { bytesOf } from "../../../artifacts/testing/contract/bench.ts";
import { errorXml, scriptedNet, type SentRequest } from "./scripted_net.ts";

/** A signal that never aborts. */
export const stop = new AbortController().signal;
/** A place in the bucket of the driver. */
export const at = (key: string): Place => ({ store: "s3", key, settings: {} });
/** Reads an object as bytes. */
export const read = async (driver: Driver, key = "k") => await bytesOf(await driver.read(at(key), {}, stop));
/** The request lines of recorded requests. */
export const lines = (sent: readonly SentRequest[]) => sent.map(({ line }) => line);

/** Returns the error of a call that must fail. */
export async function failureOf(act: () => Promise<unknown>): Promise<StoreError> {
  return await assertRejects(act, StoreError);
}

/** A store that accepts multipart uploads. `put` and `complete` respond to those requests. */
export function uploads(
  change: {
    put?: (sent: SentRequest) => ReturnType<Parameters<typeof scriptedNet>[0]>;
    complete?: () => ReturnType<Parameters<typeof scriptedNet>[0]>;
    head?: () => ReturnType<Parameters<typeof scriptedNet>[0]>;
    /** The number of times that an aborted upload is still listed. */
    lingers?: number;
  },
) {
  let asked = 0;
  return scriptedNet((sent) => {
    if (/^DELETE .*uploadId/.test(sent.line)) {
      return asked++ < (change.lingers ?? 1) ? {} : { status: 404, body: errorXml("NoSuchUpload") };
    }
    if (/\?uploads=/.test(sent.line)) return { body: "<UploadId>u1</UploadId>" };
    if (/^PUT .*partNumber/.test(sent.line)) {
      return change.put?.(sent) ?? { headers: { etag: '"0cc175b9c0f1b6a831c399e269772661"' } };
    }
    if (/^POST .*uploadId/.test(sent.line)) return change.complete?.() ?? { body: "<ETag>e</ETag>" };
    if (/^HEAD/.test(sent.line)) return change.head?.() ?? { status: 404 };
    return {};
  });
}

/** Encodes text as UTF-8. */
export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
