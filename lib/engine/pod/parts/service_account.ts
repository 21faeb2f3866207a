/** The service account of the executor's containers when it is not the pod's own, and the secret that proves it. */
import type { ServiceAccount, Template, WorkflowSpec } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";

/** The service account of the executor: the template's, else the workflow's; undefined when it is the pod's. */
export function executorServiceAccount(template: Template, spec: WorkflowSpec): string | undefined {
  return template.executor?.serviceAccountName || spec.executor?.serviceAccountName || undefined;
}

/**
 * The secret with a service account's token: the first that the account lists, else the one that its annotation names,
 * else the one that people make for it, by the name that they give it.
 */
export function tokenSecretOf(name: string, account: ServiceAccount | undefined): string {
  return account?.secrets?.[0]?.name ??
    account?.metadata.annotations?.[ANNOTATION.serviceAccountTokenName] ??
    `${name}.service-account-token`;
}
