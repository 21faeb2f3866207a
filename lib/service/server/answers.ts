/**
 * The shapes of a server's responses. Only fields that are used are validated; all others are kept. Argo's server sends
 * `null` for missing values.
 */
import * as z from "zod";
import { isProblem, type StoredReader, storedWorkflow, type Workflow } from "@tiphys/model/api";
import type { ReasonCode } from "@tiphys/engine/explain";
import type { WatchEvent } from "@tiphys/kube/informers";

const Text = z.string().nullish();
const Optional = z.string().optional();

/** Parses a single object. A problem of the object is a problem of the response. */
export function objectResponse<T>(reader: StoredReader<T>): z.ZodType<T> {
  return z.unknown().transform((body, context) => {
    const read = reader.read(body);
    if (!isProblem(read)) return read;
    context.addIssue({ code: "custom", message: read.message });
    return z.NEVER;
  });
}

/** Parses an object in a list, which is shown even if it has problems. */
function rowResponse<T>(reader: StoredReader<T>): z.ZodType<T> {
  return z.looseObject({}).transform(reader.row);
}

/** A workflow. */
export const WorkflowResponse = objectResponse(storedWorkflow);

/** The metadata of an object of any kind. */
export const MetadataResponse = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string().optional() }) });

/** Parses the items of a list and its continue token. */
export function listResponse<T>(reader: StoredReader<T>) {
  return z.looseObject({
    items: z.array(rowResponse(reader)).nullish().transform((items) => items ?? []),
    metadata: z.looseObject({ continue: Text }).nullish(),
  });
}

/** The names of the objects of a list. */
export const NamesResponse = z.looseObject({
  items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string(), namespace: z.string() }) }))
    .nullish().transform((items) => items ?? []),
});

/** A change of a workflow. */
export const ChangeResponse: z.ZodType<WatchEvent<Workflow>> = z.looseObject({
  type: z.enum(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]),
  object: rowResponse(storedWorkflow),
});

/** A line of a log. */
export const LineResponse = z.looseObject({ content: Text, podName: Text });

/** Labels, or values of a label. */
export const TextsResponse = z.looseObject({ items: z.array(z.string()).nullish() });

/** The reasons why a workflow waits. */
export const ReasonsResponse = z.looseObject({
  reasons: z.array(z.looseObject({
    // A newer server may send other codes.
    code: z.custom<ReasonCode>((code) => typeof code === "string"),
    node: Optional,
    since: Optional,
    text: z.string(),
    blocks: z.array(z.looseObject({ kind: z.string(), name: z.string() })),
    until: Optional,
    unblock: z.string(),
  })),
});

/** The files of a folder artifact. */
export const FilesResponse = z.looseObject({
  items: z.array(z.looseObject({ name: z.string(), size: z.number().optional() })),
});

/** The number of deleted objects. */
export const RemovedResponse = z.looseObject({ removed: z.number() });

/** The limit of a semaphore. */
export const LimitResponse = z.looseObject({ limit: z.number().nullish() });

/** A response that is not read. */
export const ANY = z.unknown();
