/**
 * The shapes of a server's answers: what is looked at here is held against them where it enters, all else stays as it is. A
 * server of Argo's sends `null` for what is not there.
 */
import * as z from "zod";
import type { Workflow } from "../../api/mod.ts";
import type { Reason } from "../../explain/mod.ts";
import type { KubeObject, WatchEvent } from "../../kube/mod.ts";

const Text = z.string().nullish();
const Metadata = z.looseObject({ name: Text, namespace: Text, uid: Text, resourceVersion: Text });
const Node = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: Text,
  phase: Text,
  children: z.array(z.string()).nullish(),
});
const Status = z.looseObject({ phase: Text, message: Text, nodes: z.record(z.string(), Node).nullish() });

/** A workflow: one that names its parts as the commands look for them. */
export const WorkflowAnswer = z.looseObject({
  metadata: Metadata,
  spec: z.looseObject({}).nullish(),
  status: Status.nullish(),
}) as unknown as z.ZodType<Workflow>;

/** An object of any kind. */
export const ObjectAnswer: z.ZodType<KubeObject> = z.looseObject({
  metadata: Metadata,
}) as unknown as z.ZodType<KubeObject>;

/** The items of a list, and where it goes on. */
export function listAnswer<T>(item: z.ZodType<T>) {
  return z.looseObject({
    items: z.array(item).nullish().transform((items) => items ?? []),
    metadata: z.looseObject({ continue: Text }).nullish(),
  });
}

/** A change of a workflow. */
export const ChangeAnswer: z.ZodType<WatchEvent<Workflow>> = z.looseObject({
  type: z.enum(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]),
  object: WorkflowAnswer,
});

/** A line of a log. */
export const LineAnswer = z.looseObject({ content: Text, podName: Text });

/** Labels, or values of one. */
export const TextsAnswer = z.looseObject({ items: z.array(z.string()).nullish() });

/** The reasons why a workflow waits. */
export const ReasonsAnswer = z.looseObject({
  reasons: z.array(z.looseObject({ code: z.string(), text: z.string() })) as unknown as z.ZodType<Reason[]>,
});

/** The files of a folder that is an artifact. */
export const FilesAnswer = z.looseObject({
  items: z.array(z.looseObject({ name: z.string(), size: z.number() })),
});

/** The limit of a semaphore. */
export const LimitAnswer = z.looseObject({ limit: z.number().nullish() });

/** What nobody looks at. */
export const ANY = z.unknown();
