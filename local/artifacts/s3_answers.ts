/** Responses of the embedded store: objects as headers, everything else as XML. */
import { escaped } from "@tiphys/stores/s3/signature";
import { escapeXml } from "@tiphys/base/xml";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import type { ListedObject, StoredObject, StoredPart } from "./object_index.ts";
import type { S3Error } from "./s3_error.ts";

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

/** Returns an XML response. */
export function xmlAnswer(body: string, status = 200): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, {
    status,
    headers: { "content-type": "application/xml" },
  });
}

/** Returns an error response; without a body for HEAD. */
export function errorAnswer({ status, code, message }: S3Error, method: string): Response {
  if (method === "HEAD") return new Response(null, { status });
  return xmlAnswer(`<Error>${element("Code", code)}${element("Message", message)}</Error>`, status);
}

/** Returns the headers of an object. */
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
  /** Objects, and common prefixes as strings. */
  readonly rows: readonly (ListedObject | string)[];
  readonly max: number;
  /** The token of the next page; undefined for the last page. */
  readonly next: string | undefined;
  /** Whether keys are escaped as in URLs, because keys may contain characters that XML excludes. */
  readonly isEncoded: boolean;
}

/** Returns a page of `ListObjectsV2`. */
export function listAnswer({ prefix, delimiter, rows, max, next, isEncoded }: ListPage): Response {
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
    }${delimiter === "" ? "" : element("Delimiter", key(delimiter))}${element("MaxKeys", `${max}`)}${
      isEncoded ? element("EncodingType", "url") : ""
    }${element("IsTruncated", `${next !== undefined}`)}${
      next === undefined ? "" : element("NextContinuationToken", next)
    }${contents.join("")}</ListBucketResult>`,
  );
}

/** Returns the uploads in progress. */
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
  readonly max: number;
  readonly isTruncated: boolean;
}

/** Returns a page of `ListParts`. */
export function partsAnswer(key: string, id: string, { parts, max, isTruncated }: PartsPage): Response {
  const all = parts.map(({ number, etag, crc32, size }) =>
    `<Part>${element("PartNumber", `${number}`)}${element("ETag", `"${etag}"`)}${element("Size", `${size}`)}${
      crc32 && element("ChecksumCRC32", crc32)
    }</Part>`
  );
  return xmlAnswer(
    `<ListPartsResult xmlns="${NAMESPACE}">${element("Bucket", EMBEDDED_STORE.bucket)}${element("Key", key)}${
      element("UploadId", id)
    }${element("MaxParts", `${max}`)}${element("IsTruncated", `${isTruncated}`)}${
      isTruncated ? element("NextPartNumberMarker", `${parts.at(-1)!.number}`) : ""
    }${all.join("")}</ListPartsResult>`,
  );
}

/** Returns the response to a started upload. */
export function begunAnswer(key: string, id: string): Response {
  return xmlAnswer(
    `<InitiateMultipartUploadResult xmlns="${NAMESPACE}">${element("Bucket", EMBEDDED_STORE.bucket)}${
      element("Key", key)
    }${element("UploadId", id)}</InitiateMultipartUploadResult>`,
  );
}

/** Returns the response to a copied part. */
export function copiedAnswer(etag: string): Response {
  return xmlAnswer(`<CopyPartResult xmlns="${NAMESPACE}">${element("ETag", `"${etag}"`)}</CopyPartResult>`);
}

/** Returns the response to a completed upload. */
export function completedAnswer(key: string, etag: string): Response {
  return xmlAnswer(
    `<CompleteMultipartUploadResult xmlns="${NAMESPACE}">${element("Bucket", EMBEDDED_STORE.bucket)}${
      element("Key", key)
    }${element("ETag", `"${etag}"`)}</CompleteMultipartUploadResult>`,
  );
}

/** Returns the response to a deletion of several objects. */
export function deletedAnswer(keys: readonly string[]): Response {
  const all = keys.map((key) => `<Deleted>${element("Key", key)}</Deleted>`).join("");
  return xmlAnswer(`<DeleteResult xmlns="${NAMESPACE}">${all}</DeleteResult>`);
}

/** Returns the location of the bucket, which is empty for the default region. */
export function locationAnswer(): Response {
  return xmlAnswer(`<LocationConstraint xmlns="${NAMESPACE}"></LocationConstraint>`);
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
