/** The cluster and the installed controller: versions, the rollout strategy, and the leader. */
import * as z from "zod";
import { DEPLOYMENTS, type KubeClient, type KubeObject, LEASES, sortError } from "@tiphys/kube";
import type { Finding } from "./finding.ts";

/** The fields of an installed controller that the preflight reads. */
export interface InstalledController {
  readonly namespace: string;
  readonly deployment: string;
  readonly account: string;
}

const EnvVar = z.object({ name: z.string(), value: z.string().optional() });
const Deployment = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string().optional() }),
  spec: z.object({
    replicas: z.int().optional(),
    strategy: z.object({ type: z.string().optional() }).optional(),
    template: z.object({
      spec: z.object({
        serviceAccountName: z.string().optional(),
        containers: z.array(z.object({
          image: z.string().optional(),
          command: z.array(z.string()).optional(),
          env: z.array(EnvVar).optional(),
        })),
      }),
    }),
  }),
});
const Version = z.object({ major: z.string(), minor: z.string(), gitVersion: z.string().optional() });

/** The first minor version of Kubernetes that mounts images as volumes by default. */
const IMAGE_VOLUMES = 33;

/** Findings about the version of Kubernetes, and the layout of pods that follows from it. */
export async function checkCluster(client: KubeClient): Promise<Finding[]> {
  const read = Version.safeParse(await client.request("GET", "/version"));
  if (!read.success) {
    return [{ check: "cluster", severity: "warning", subject: "version", message: "the cluster does not report it" }];
  }
  const { major, minor, gitVersion = `${major}.${minor}` } = read.data;
  const hasVolumes = Number(major) > 1 || parseInt(minor) >= IMAGE_VOLUMES;
  const layout = hasVolumes ? "pods run without init containers" : "pods run with init containers, as in Argo";
  return [{ check: "cluster", severity: "ok", subject: "version", message: `Kubernetes ${gitVersion}: ${layout}` }];
}

/** Findings about the controllers of a namespace, and about risks of their rollout strategy. */
export async function checkController(
  client: KubeClient,
  namespace: string,
): Promise<{ readonly findings: Finding[]; readonly controller: InstalledController | undefined }> {
  const found = (await deploymentsOf(client, namespace)).flatMap((object) => {
    const read = Deployment.safeParse(object);
    return read.success && isController(read.data) ? [read.data] : [];
  });
  const [first] = found;
  if (!first) {
    const message = `no workflow-controller in namespace ${JSON.stringify(namespace)}: nothing to take over; ` +
      "install the controller, or set --controller-namespace";
    return {
      findings: [{ check: "controller", severity: "ok", subject: "Deployment", message }],
      controller: undefined,
    };
  }
  return {
    findings: found.flatMap((one) => tellController(one, namespace)),
    controller: {
      namespace,
      deployment: first.metadata.name,
      account: first.spec.template.spec.serviceAccountName ?? "default",
    },
  };
}

type Controller = z.infer<typeof Deployment>;

async function deploymentsOf(client: KubeClient, namespace: string): Promise<readonly KubeObject[]> {
  return (await client.list(DEPLOYMENTS, namespace, { limit: 500 })).items;
}

function isController({ spec }: Controller): boolean {
  return spec.template.spec.containers.some(({ image = "", command = [] }) =>
    /workflow-controller/.test(image) || command.some((word) => word.includes("workflow-controller"))
  );
}

function tellController({ metadata: { name }, spec }: Controller, namespace: string): Finding[] {
  const subject = `Deployment/${namespace}/${name}`;
  const { containers } = spec.template.spec;
  const replicas = spec.replicas ?? 1;
  const images = containers.map(({ image = "?" }) => image).join(", ");
  const findings: Finding[] = [{ check: "controller", severity: "ok", subject, message: `runs ${images}` }];
  const alone = containers.some(({ env = [] }) =>
    env.some((one) => one.name === "LEADER_ELECTION_DISABLE" && one.value === "true")
  );
  const strategy = spec.strategy?.type ?? "RollingUpdate";
  if (alone && (strategy !== "Recreate" || replicas > 1)) {
    findings.push({
      check: "controller",
      severity: "warning",
      subject,
      path: "spec.strategy.type",
      message: `leader election is disabled, and the strategy is ${strategy} with ${replicas} replicas: old and new ` +
        "controller would run at the same time; set it to Recreate",
    });
  }
  return findings;
}

const Lease = z.object({ spec: z.object({ holderIdentity: z.string().optional() }).optional() });

/** Findings about the lease of the controllers: whether it is held. */
export async function checkLease(client: KubeClient, namespace: string): Promise<Finding[]> {
  const subject = `Lease/${namespace}/workflow-controller`;
  try {
    const read = Lease.safeParse(await client.get(LEASES, namespace, "workflow-controller"));
    const holder = read.data?.spec?.holderIdentity;
    const message = holder ? `held by ${holder}: the next controller waits for it` : "not held";
    return [{ check: "lease", severity: "ok", subject, message }];
  } catch (error) {
    if (sortError(error) !== "notFound") throw error;
    return [{ check: "lease", severity: "ok", subject, message: "missing: leader election is not used" }];
  }
}
