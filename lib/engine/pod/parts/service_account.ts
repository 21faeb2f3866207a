/** The dedicated service account of the executor's containers, and the secret with its token. */
import type { ServiceAccount, Template, WorkflowSpec } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";

/** The service account of the executor: the template's, otherwise the workflow's; undefined if it is the pod's. */
export function executorServiceAccount(template: Template, spec: WorkflowSpec): string | undefined {
  return template.executor?.serviceAccountName || spec.executor?.serviceAccountName || undefined;
}

/**
 * The secret with a service account's token: the first one that the account lists, otherwise the one that its
 * annotation names, otherwise `NAME.service-account-token`, which is the convention for manually created secrets.
 */
export function tokenSecretOf(name: string, account: ServiceAccount | undefined): string {
  return account?.secrets?.[0]?.name ??
    account?.metadata.annotations?.[ANNOTATION.serviceAccountTokenName] ??
    `${name}.service-account-token`;
}
