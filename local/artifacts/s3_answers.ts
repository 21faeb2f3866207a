/** Answers of the embedded store: objects as headers, everything else as XML. */
import { escaped } from "@tiphys/stores/s3/signature";
import { escapeXml } from "@tiphys/base/xml";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import type { Listed, StoredObject, StoredPart } from "./object_index.ts";
import type { S3Error } from "./s3_error.ts";

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

/** An answer of XML. */
export function xmlAnswer(body: string, status = 200): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, {
    status,
    headers: { "content-type": "application/xml" },
  });
}

/** A refusal; one of HEAD has no words. */
export function errorAnswer({ status, code, message }: S3Error, method: string): Response {
  if (method === "HEAD") return new Response(null, { status });
  return xmlAnswer(`<Error>${element("Code", code)}${element("Message", message)}</Error>`, status);
}

/** The headers of an object. */
export function headersOf({ etag, modified, headers }: StoredObject): Record<string, string> {
  return {
    ...headers,
    etag: `"${etag}"`,
    "last-modified": new Date(modified).toUTCString(),
    "accept-ranges": "bytes",
  };
}

/** One page of a list. */
export interface ListPage {
  readonly prefix: string;
  readonly delimiter: string;
  /** Objects, and what all keys that are one row begin with. */
  readonly rows: readonly (Listed | string)[];
  readonly most: number;
  /** The token with which the next page begins, if there is one. */
  readonly next: string | undefined;
  /** Keys are escaped as in URLs: XML takes not all that keys may hold. */
  readonly isEncoded: boolean;
}

/** A page of `ListObjectsV2`. */
export function listAnswer({ prefix, delimiter, rows, most, next, isEncoded }: ListPage): Response {
  const key = (text: string) => isEncoded ? escaped(text, "/") : text;
  const contents = rows.map((object) => {
    if (typeof object === "string") return `<CommonPrefixes>${element("Prefix", key(object))}</CommonPrefixes>`;
    const fields = [
      element("Key", key(object.key)),
      element("LastModified", new Date(object.modified).toISOString()),
      element("ETag", `"${object.etag}"`),
      element("Size", `${object.size}`),
      element("StorageClass", "STANDARD"),
    ];
    return `<Contents>${fields.join("")}</Contents>`;
  });
  return xmlAnswer(
    `<ListBucketResult xmlns="${NAMESPACE}">${element("Name", EMBEDDED_STORE.bucket)}${element("Prefix", key(prefix))}${
      element("KeyCount", `${rows.length}`)
    }${delimiter === "" ? "" : element("Delimiter", key(delimiter))}${element("MaxKeys", `${most}`)}${
      isEncoded ? element("EncodingType", "url") : ""
    }${element("IsTruncated", `${next !== undefined}`)}${
      next === undefined ? "" : element("NextContinuationToken", next)
    }${contents.join("")}</ListBucketResult>`,
  );
}

/** The uploads that were begun and neither ended nor taken back. */
export function uploadsAnswer(uploads: readonly { readonly key: string; readonly id: string }[]): Response {
  const all = uploads.map(({ key, id }) => `<Upload>${element("Key", key)}${element("UploadId", id)}</Upload>`);
  return xmlAnswer(
    `<ListMultipartUploadsResult xmlns="${NAMESPACE}">${element("Bucket", EMBEDDED_STORE.bucket)}${
      element("IsTruncated", "false")
    }${all.join("")}</ListMultipartUploadsResult>`,
  );
}

/** A page of the parts of an upload. */
export interface PartsPage {
  readonly parts: readonly Pick<StoredPart & { readonly number: number }, "number" | "etag" | "crc32" | "size">[];
  readonly most: number;
  readonly isTruncated: boolean;
}

/** A page of `ListParts`. */
export function partsAnswer(key: string, id: string, { parts, most, isTruncated }: PartsPage): Response {
  const all = parts.map(({ number, etag, crc32, size }) =>
    `<Part>${element("PartNumber", `${number}`)}${element("ETag", `"${etag}"`)}${element("Size", `${size}`)}${
      crc32 && element("ChecksumCRC32", crc32)
    }</Part>`
  );
  return xmlAnswer(
    `<ListPartsResult xmlns="${NAMESPACE}">${element("Bucket", EMBEDDED_STORE.bucket)}${element("Key", key)}${
      element("UploadId", id)
    }${element("MaxParts", `${most}`)}${element("IsTruncated", `${isTruncated}`)}${
      isTruncated ? element("NextPartNumberMarker", `${parts.at(-1)!.number}`) : ""
    }${all.join("")}</ListPartsResult>`,
  );
}

/** An upload that begins. */
export function begunAnswer(key: string, id: string): Response {
  return xmlAnswer(
    `<InitiateMultipartUploadResult xmlns="${NAMESPACE}">${element("Bucket", EMBEDDED_STORE.bucket)}${
      element("Key", key)
    }${element("UploadId", id)}</InitiateMultipartUploadResult>`,
  );
}

/** A part that was copied. */
export function copiedAnswer(etag: string): Response {
  return xmlAnswer(`<CopyPartResult xmlns="${NAMESPACE}">${element("ETag", `"${etag}"`)}</CopyPartResult>`);
}

/** An upload that has ended. */
export function completedAnswer(key: string, etag: string): Response {
  return xmlAnswer(
    `<CompleteMultipartUploadResult xmlns="${NAMESPACE}">${element("Bucket", EMBEDDED_STORE.bucket)}${
      element("Key", key)
    }${element("ETag", `"${etag}"`)}</CompleteMultipartUploadResult>`,
  );
}

/** Keys that are gone. */
export function deletedAnswer(keys: readonly string[]): Response {
  const all = keys.map((key) => `<Deleted>${element("Key", key)}</Deleted>`).join("");
  return xmlAnswer(`<DeleteResult xmlns="${NAMESPACE}">${all}</DeleteResult>`);
}

/** The location of the bucket: the region that needs no name. */
export function locationAnswer(): Response {
  return xmlAnswer(`<LocationConstraint xmlns="${NAMESPACE}"></LocationConstraint>`);
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
