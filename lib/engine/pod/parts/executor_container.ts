/** Containers that run the executor's own image. */
import type { TypesRunBy } from "@tiphys/model/templates";
import type { PodContainer, SecurityContext, Template, Volume, VolumeMount } from "@tiphys/model/api";
import { CONTAINER, PATH, VOLUME } from "@tiphys/base/constants";
import { identityEnv } from "./environment.ts";
import { type ExecutorConfig, type KubeConfigSecret, PodBuildError, type PodRequest } from "../request.ts";
import { executorServiceAccount, tokenSecretOf } from "./service_account.ts";

const DEFAULT_KUBECONFIG_PATH = "/kube/config";

/** The default security context of our containers: an unprivileged user. */
export const HARDENED: SecurityContext = {
  privileged: false,
  runAsNonRoot: true,
  runAsUser: 8737,
  capabilities: { drop: ["ALL"] },
  allowPrivilegeEscalation: false,
  seccompProfile: { type: "RuntimeDefault" },
};

/** A container with the executor's image, identity and rights. */
export function executorContainer(name: string, command: string[], request: PodRequest): PodContainer {
  const { config, template } = request;
  const kubeConfig = config.kubeConfig;
  const args = [...config.args ?? [], ...(kubeConfig ? [`--kubeconfig=${kubeConfigPath(kubeConfig)}`] : [])];
  const mounts = [
    ...(kubeConfig ? [kubeConfigMount(kubeConfig)] : []),
    ...(executorServiceAccount(template, request.spec) ? [TOKEN_MOUNT] : []),
  ];
  const securityContext = config.securityContext ?? (template.resource ? hardenedFor(name) : undefined);
  return {
    name,
    image: config.image,
    ...(config.imagePullPolicy ? { imagePullPolicy: config.imagePullPolicy } : {}),
    command,
    ...(args.length ? { args } : {}),
    env: identityEnv(request),
    ...(config.resources ? { resources: config.resources } : {}),
    ...(securityContext ? { securityContext } : {}),
    ...(mounts.length ? { volumeMounts: mounts } : {}),
  };
}

/** Flags that every argoexec command accepts. */
export function logFlags({ logLevel, logFormat }: ExecutorConfig): string[] {
  return ["--loglevel", logLevel, "--log-format", logFormat, "--gloglevel", "0"];
}

/** The volumes that executor containers may mount: kubeconfig and token. */
export function credentialVolumes(request: PodRequest): { kubeConfig: Volume[]; token: Volume[] } {
  const { kubeConfig } = request.config;
  const account = executorServiceAccount(request.template, request.spec);
  return {
    kubeConfig: kubeConfig ? [{ name: volumeNameOf(kubeConfig), secret: { secretName: kubeConfig.secretName } }] : [],
    token: account
      ? [{
        name: VOLUME.execSaToken,
        secret: { secretName: tokenSecretOf(account, request.executorAccount) },
      }]
      : [],
  };
}

/**
 * Returns false if the pod's token is not mounted in its containers; otherwise undefined.
 * @throws {PodBuildError} if the executor could not report without it.
 */
export function automountToken(request: PodRequest): false | undefined {
  const automount = request.template.automountServiceAccountToken ?? request.spec.automountServiceAccountToken;
  if (automount !== false) return undefined;
  if (executorServiceAccount(request.template, request.spec)) return false;
  throw new PodBuildError("executor.serviceAccountName must not be empty if automountServiceAccountToken is false");
}

/** Returns the main container of a template that the executor runs. */
export function executorMain(type: TypesRunBy<"executor">, request: PodRequest): PodContainer {
  const work = [type, EXECUTOR_ARGUMENT[type](request.template)];
  return executorContainer(CONTAINER.main, ["argoexec", ...work, ...logFlags(request.config)], request);
}

/** The argument of the executor's command. The command has the name of the template type. */
const EXECUTOR_ARGUMENT: Readonly<Record<TypesRunBy<"executor">, (template: Template) => string>> = {
  resource: ({ resource }) => resource!.action,
  data: ({ data }) => JSON.stringify(data),
};

const TOKEN_MOUNT: VolumeMount = { name: VOLUME.execSaToken, mountPath: PATH.serviceAccount, readOnly: true };

function hardenedFor(name: string): SecurityContext {
  return name === CONTAINER.main ? { ...HARDENED, readOnlyRootFilesystem: true } : HARDENED;
}

function kubeConfigMount(kubeConfig: KubeConfigSecret): VolumeMount {
  return {
    name: volumeNameOf(kubeConfig),
    mountPath: kubeConfigPath(kubeConfig),
    readOnly: true,
    subPath: kubeConfig.secretKey,
  };
}

function kubeConfigPath({ mountPath }: KubeConfigSecret): string {
  return mountPath || DEFAULT_KUBECONFIG_PATH;
}

function volumeNameOf({ volumeName }: KubeConfigSecret): string {
  return volumeName || VOLUME.kubeconfig;
}
