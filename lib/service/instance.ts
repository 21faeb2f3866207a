/** The controller instance of an object, by its label. */
import { LABEL } from "@tiphys/base/constants";

type LabeledObject = { readonly metadata: { readonly labels?: Readonly<Record<string, string>> | undefined } };

/** Whether an object belongs to an instance; to no instance if it is undefined. */
export function isOfInstance({ metadata }: LabeledObject, instanceId: string | undefined): boolean {
  return (metadata.labels?.[LABEL.instanceId] || undefined) === (instanceId || undefined);
}

/** Returns the object with the label of an instance. */
export function placeInInstance<T extends LabeledObject>(object: T, instanceId: string | undefined): T {
  const { [LABEL.instanceId]: _, ...others } = object.metadata.labels ?? {};
  const labels = instanceId ? { ...others, [LABEL.instanceId]: instanceId } : others;
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** Restricts a query to the objects of an instance. Returns it unchanged if the instance is undefined. */
export function queryOfInstance<T extends { readonly labelSelector?: string | undefined }>(
  query: T,
  instanceId: string | undefined,
): T {
  if (!instanceId) return query;
  const labels = [query.labelSelector, `${LABEL.instanceId}=${instanceId}`].filter(Boolean);
  return { ...query, labelSelector: labels.join(",") };
}
