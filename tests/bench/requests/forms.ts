/** The writes of a one-pod workflow in every possible form of the request, to find the cheapest. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { MESSAGES, writeMessage } from "@tiphys/proto";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { NO_FIELD_OWNERS } from "@tiphys/kube/informers";
import { eventName, eventOf } from "../../../controller/loop/event.ts";
import type { Course } from "../ceiling.ts";

/** A request. `path` is that of the collection, or of the object. */
export interface FormRequest {
  readonly method: "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The media type of the response; by default only the object's metadata. */
  readonly accept?: string;
}

/** A form of a request. */
export interface Form {
  /** The kind of write. Forms of the same kind are compared. */
  readonly write: "event" | "pod" | "pod's end" | "status";
  readonly name: string;
  /** The object that must exist before, without its name. */
  readonly needs?: "pod" | "workflow";
  /** Creates the request for an existing object. */
  request(there: RequestTarget): FormRequest;
}

/** The namespace, the name of the object, and the object if it had to exist before. */
export interface RequestTarget {
  readonly namespace: string;
  readonly name: string;
  readonly object?: Workflow | Pod | undefined;
}

const JSON_TYPE = "application/json";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";

/** The query that turns off field validation. */
const UNCHECKED = "?fieldValidation=Ignore";

/** An event in the protobuf encoding of Kubernetes: four magic bytes, the kind, and the message. */
function packedEvent(event: object): Uint8Array<ArrayBuffer> {
  const message = writeMessage(MESSAGES.get("core.Event")!, event);
  const about = field(1, [...field(1, bytesOf("v1")), ...field(2, bytesOf("Event"))]);
  return new Uint8Array([...bytesOf("k8s\0"), ...about, ...field(2, [...message])]);
}

function bytesOf(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

function field(number: number, bytes: readonly number[]): number[] {
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest >>>= 7) length.push(rest & 127 | 128);
  return [number << 3 | 2, ...length, rest, ...bytes];
}

/** All forms of the writes for a course of one pod. */
export function formsOf({ waves, end }: Course): Form[] {
  const pod = waves[0]?.[0];
  if (!pod) throw new TypeError(`Expected a workflow with a pod, got "${end.metadata.name}"`);
  const now = new Date();
  let nanos = 0n;
  const event = ({ namespace, name }: RequestTarget) => {
    const subject = {
      metadata: { name, namespace, uid: "3b6b5b0e-0000-4000-8000-000000000000", resourceVersion: "1" },
    };
    return eventOf(
      "Workflow",
      subject,
      { type: "Normal", reason: "WorkflowRunning", message: "Workflow Running" },
      now,
      eventName(name, BigInt(now.getTime()) * 1_000_000n + nanos++),
    );
  };
  const core = (namespace: string, path: string) => `/api/v1/namespaces/${namespace}/${path}`;
  const podOf = ({ namespace, name }: RequestTarget) => ({ ...pod, metadata: { ...pod.metadata, name, namespace } });
  const workflows = (namespace: string, path: string) =>
    `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/workflows/${path}`;
  const { status, metadata: { labels, annotations } } = end;
  const ended = { labels: { [LABEL.completed]: "true" } };
  const finalizers = (pod.metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER.podStatus);
  const owners = { managedFields: NO_FIELD_OWNERS };
  const endOf = (name: string, query: string, type: string, metadata: object): Form => ({
    write: "pod's end",
    name,
    needs: "pod",
    request: (at) => ({
      method: "PATCH",
      path: core(at.namespace, `pods/${at.name}${query}`),
      type,
      body: JSON.stringify({ metadata }),
    }),
  });
  const statusPatch = (name: string, query: string, metadata: object): Form => ({
    write: "status",
    name,
    needs: "workflow",
    request: (at) => ({
      method: "PATCH",
      path: workflows(at.namespace, at.name + query),
      type: MERGE,
      body: JSON.stringify({ status, metadata: { labels, annotations, ...metadata } }),
    }),
  });
  const create = (
    write: "event" | "pod",
    name: string,
    type: string,
    body: (at: RequestTarget) => string | Uint8Array<ArrayBuffer>,
    { query = "", accept }: { query?: string; accept?: string } = {},
  ): Form => ({
    write,
    name,
    request: (at) => ({
      method: "POST",
      path: core(at.namespace, `${write}s${query}`),
      type,
      body: body(at),
      ...(accept && { accept }),
    }),
  });
  return [
    create("event", "JSON", JSON_TYPE, (at) => JSON.stringify(event(at))),
    create("event", "JSON, fields unchecked", JSON_TYPE, (at) => JSON.stringify(event(at)), { query: UNCHECKED }),
    create("event", "protobuf", PROTOBUF, (at) => packedEvent(event(at))),
    create("event", "protobuf, its answer too", PROTOBUF, (at) => packedEvent(event(at)), {
      accept: PROTOBUF,
    }),
    create("pod", "JSON", JSON_TYPE, (at) => JSON.stringify(podOf(at)), { accept: JSON_TYPE }),
    create("pod", "JSON, fields unchecked", JSON_TYPE, (at) => JSON.stringify(podOf(at)), {
      query: UNCHECKED,
      accept: JSON_TYPE,
    }),
    endOf("merge patch, owners kept", "", MERGE, { ...ended, finalizers }),
    endOf("merge patch", "", MERGE, { ...ended, ...owners, finalizers }),
    endOf("merge patch, fields unchecked", UNCHECKED, MERGE, { ...ended, ...owners, finalizers }),
    endOf("strategic patch", "", STRATEGIC, {
      ...ended,
      ...owners,
      "$deleteFromPrimitiveList/finalizers": [FINALIZER.podStatus],
    }),
    statusPatch("merge patch, owners kept", "", {}),
    statusPatch("merge patch", "", owners),
    statusPatch("merge patch, fields unchecked", UNCHECKED, owners),
    {
      write: "status",
      name: "update in place",
      needs: "workflow",
      request: ({ namespace, name, object }) => ({
        method: "PUT",
        path: workflows(namespace, name),
        type: JSON_TYPE,
        body: JSON.stringify({
          ...object,
          status,
          metadata: { ...object?.metadata, labels, annotations, ...owners },
        }),
      }),
    },
  ];
}
