/** Flags that change nothing, because of others or by themselves: each is told of at the start. */
import { BURST, CURRENCY, QUEUE_SIZE, type ServerFlags, WORKERS } from "./flags.ts";

/** The flags that change nothing, each with the reason. */
export function flagsWithoutEffect(flags: ServerFlags): readonly string[] {
  const warnings: string[] = [];
  const tell = (is: unknown, text: string) => void (is && warnings.push(text));
  tell(!flags.namespaced && flags.managedNamespace, "--managed-namespace counts with --namespaced only");
  tell(!flags.namespaced && flags.ssoNamespace, "--sso-namespace counts with --namespaced only");
  tell(flags.ssoNamespace && !flags.authMode.includes("sso"), "--sso-namespace counts with --auth-mode sso only");
  tell(
    !flags.secure && flags.tlsCertificateSecretName,
    "--tls-certificate-secret-name counts with --secure only: the server speaks no TLS",
  );
  tell(
    flags.allowAnonymous && !flags.authMode.some((mode) => mode === "server" || mode === "hybrid"),
    "--allow-anonymous counts with --auth-mode server only",
  );
  tell(
    !flags.eventAsyncDispatch && (flags.eventOperationQueueSize !== QUEUE_SIZE || flags.eventWorkerCount !== WORKERS),
    "--event-operation-queue-size and --event-worker-count count with --event-async-dispatch only",
  );
  tell(
    flags.kubeApiQps === undefined && flags.kubeApiBurst !== BURST,
    "--kube-api-burst counts with --kube-api-qps only: without it Kubernetes is asked as much as it takes",
  );
  tell(
    flags.currency !== CURRENCY && Object.keys(flags.price).length === 0,
    "--currency counts with --price only",
  );
  tell(flags.browser, "--browser changes nothing here: no browser is opened");
  tell(flags.gloglevel, "--gloglevel changes nothing here: Go's libraries are not used");
  return warnings;
}
