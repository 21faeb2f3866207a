/** The instance of a controller that objects belong to, by their label. */
import { LABEL } from "../constants.ts";

type Labelled = { readonly metadata: { readonly labels?: Readonly<Record<string, string>> | undefined } };

/** Whether an object belongs to an instance; to none where that is undefined. */
export function isOfInstance({ metadata }: Labelled, instanceId: string | undefined): boolean {
  return (metadata.labels?.[LABEL.instanceId] || undefined) === (instanceId || undefined);
}

/** The object with the label of an instance. */
export function placeInInstance<T extends Labelled>(object: T, instanceId: string | undefined): T {
  const { [LABEL.instanceId]: _, ...others } = object.metadata.labels ?? {};
  const labels = instanceId ? { ...others, [LABEL.instanceId]: instanceId } : others;
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** The query, narrowed to the objects of an instance; as it is where none is named. */
export function queryOfInstance<T extends { readonly labelSelector?: string | undefined }>(
  query: T,
  instanceId: string | undefined,
): T {
  if (!instanceId) return query;
  const labels = [query.labelSelector, `${LABEL.instanceId}=${instanceId}`].filter(Boolean);
  return { ...query, labelSelector: labels.join(",") };
}
