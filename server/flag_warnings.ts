/** Warnings about flags without effect. */
import { BURST, CURRENCY, QUEUE_SIZE, type ServerFlags, WORKERS } from "./flags.ts";

/** Returns a warning for each flag that has no effect, with the reason. */
export function flagsWithoutEffect(flags: ServerFlags): readonly string[] {
  const warnings: string[] = [];
  const warnIf = (is: unknown, text: string) => void (is && warnings.push(text));
  warnIf(!flags.namespaced && flags.managedNamespace, "--managed-namespace has no effect without --namespaced");
  warnIf(!flags.namespaced && flags.ssoNamespace, "--sso-namespace has no effect without --namespaced");
  warnIf(
    flags.ssoNamespace && !flags.authMode.includes("sso"),
    "--sso-namespace has no effect without --auth-mode sso",
  );
  warnIf(
    !flags.secure && flags.tlsCertificateSecretName,
    "--tls-certificate-secret-name has no effect without --secure",
  );
  warnIf(
    flags.allowAnonymous && !flags.authMode.some((mode) => mode === "server" || mode === "hybrid"),
    "--allow-anonymous has no effect without --auth-mode server",
  );
  warnIf(
    !flags.eventAsyncDispatch && (flags.eventOperationQueueSize !== QUEUE_SIZE || flags.eventWorkerCount !== WORKERS),
    "--event-operation-queue-size and --event-worker-count have no effect without --event-async-dispatch",
  );
  warnIf(
    flags.kubeApiQps === undefined && flags.kubeApiBurst !== BURST,
    "--kube-api-burst has no effect without --kube-api-qps: requests to Kubernetes are not limited",
  );
  warnIf(
    flags.currency !== CURRENCY && Object.keys(flags.price).length === 0,
    "--currency has no effect without --price",
  );
  warnIf(flags.browser, "--browser has no effect: no browser is opened");
  warnIf(flags.gloglevel, "--gloglevel has no effect: Go's libraries are not used");
  return warnings;
}
