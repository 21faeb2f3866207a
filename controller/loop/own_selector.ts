import { LABEL } from "@tiphys/base/constants";

/** The label selector of the objects that a controller processes: those with its instance ID, or those without any. */
export function ownSelector(instanceId: string | undefined): string {
  return instanceId ? `${LABEL.instanceId}=${instanceId}` : `!${LABEL.instanceId}`;
}
