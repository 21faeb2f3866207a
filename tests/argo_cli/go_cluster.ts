/**
 * Prepares the cluster that Argo's own end-to-end suites expect: our controller with the accounts, roles and settings
 * of Argo's test manifests, the images that their workflows use, an artifact store and a database.
 *
 *     deno run -A tests/argo_cli/go_cluster.ts CHECKOUT
 *
 * Runs until it is interrupted.
 */
import { relative } from "node:path";
import { parse, parseAllDocuments, stringify } from "yaml";
import { startPostgresql } from "../../lib/storage/database/testing/servers.ts";
import { outputOf } from "../../scripts/command.ts";
import { goProgram } from "../artifacts/servers/programs.ts";
import { clusterSettings } from "../cluster/mod.ts";
import { copyShims, testImage } from "../images/mod.ts";
import { type ClusterUnderTest, findCluster, type HostNetwork, install, restartController } from "../install/mod.ts";
import { ARGO_PROGRAM } from "./argo_server.ts";

const NAMESPACE = "argo";

/** The images of the suites' workflows. All are the same Debian image here. */
const IMAGES = [
  "argoproj/argosay:v1",
  "argoproj/argosay:v2",
  "alpine:3.23",
  "docker/whalesay",
  "docker/whalesay:latest",
];

/** The image with Argo's program, which must be on the node because a workflow of the suites does not pull it. */
const CLI_IMAGE = "quay.io/argoproj/argocli:latest";

/** The version, port and buckets of the store, and its credentials in Argo's manifests. */
const STORE = {
  source: "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c",
  port: 9000,
  buckets: ["my-bucket", "my-bucket-2", "my-bucket-3"],
  keys: { MINIO_ROOT_USER: "admin", MINIO_ROOT_PASSWORD: "password" },
};

/** The Secret with the credentials of the database for the archive and limits. */
const LOGIN = "login";

/** The kinds of Argo Events that the suites create. */
const EVENT_KINDS = [["EventBus", "eventbus"], ["EventSource", "eventsources"], ["Sensor", "sensors"]] as const;

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Record<string, string>;
}

/** Prepares a cluster for the suites. The store runs until disposed. */
export async function prepareGoCluster(cluster: ClusterUnderTest, checkout: string): Promise<AsyncDisposable> {
  await loadImages(cluster);
  await install(cluster, NAMESPACE);
  const { hostNetwork, kubectl } = cluster;
  if (!hostNetwork) throw new Error("Expected a cluster whose pods can reach a store outside of it, got another");
  const { address } = hostNetwork;
  await kubectl.apply(NAMESPACE, ...EVENT_KINDS.map(eventKind));
  await using parts = new AsyncDisposableStack();
  const database = parts.use(await startDatabase(hostNetwork));
  const manifests = await manifestsOf(checkout, { store: address, database: database.settings });
  await kubectl.apply(NAMESPACE, ...manifests, ...storeService(address), ...database.objects);
  parts.use(await startStore(hostNetwork));
  await pull(cluster, CLI_IMAGE);
  await restartController(kubectl, NAMESPACE);
  return parts.move();
}

async function loadImages(cluster: ClusterUnderTest): Promise<void> {
  const { cache } = clusterSettings();
  const folder = await Deno.makeTempDir({ prefix: "images-" });
  try {
    await copyShims(`${folder}/shims`);
    const said = await testImage(cache, { root: "debian", overlays: [`${folder}/shims`], entrypoint: ["/argosay"] });
    for (const name of IMAGES) await cluster.load(said, name);
    if (ARGO_PROGRAM === undefined) throw new Error("Expected the path of Argo's program in ARGO_CLI, got nothing");
    await Deno.mkdir(`${folder}/cli`);
    await Deno.copyFile(ARGO_PROGRAM, `${folder}/cli/argo`);
    const cli = await testImage(cache, { root: "debian", overlays: [`${folder}/cli`], entrypoint: ["/argo"] });
    await cluster.load(cli, CLI_IMAGE);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Pulls an image to the node, for pods that do not pull it. */
async function pull({ kubectl }: ClusterUnderTest, image: string): Promise<void> {
  const pod = ["-n", NAMESPACE, "run", "pull", `--image=${image}`, "--image-pull-policy=Always", "--restart=Never"];
  await kubectl.output(...pod, "--command", "--", "true");
  const phase = ["-n", NAMESPACE, "get", "pod", "pull", "-o=jsonpath={.status.phase}"];
  await kubectl.awaitOutput(`${image} is on the node`, phase, (phaseText) => phaseText === "Succeeded", 120);
  await kubectl.output("-n", NAMESPACE, "delete", "pod", "pull", "--wait=false");
}

/** Services outside the cluster: the address of the store, and the settings of the database. */
interface ExternalServices {
  readonly store: string;
  readonly database: object;
}

/** Starts a PostgreSQL that pods and this machine can reach, and creates the objects with its credentials. */
async function startDatabase(place: HostNetwork) {
  const server = await startPostgresql(place);
  const stringData = { user: await server.secret(LOGIN, "user"), password: await server.secret(LOGIN, "password") };
  const metadata = { name: `workflow-controller-${LOGIN}` };
  const group = "rbac.authorization.k8s.io";
  const rules = [{ apiGroups: [""], resources: ["secrets"], resourceNames: [LOGIN], verbs: ["get"] }];
  const roleRef = { apiGroup: group, kind: "Role", name: metadata.name };
  const subjects = [{ kind: "ServiceAccount", name: "workflow-controller", namespace: NAMESPACE }];
  return {
    settings: { ...server.settings.postgresql, ssl: false },
    objects: [
      { apiVersion: "v1", kind: "Secret", metadata: { name: LOGIN }, stringData },
      { apiVersion: `${group}/v1`, kind: "Role", metadata, rules },
      { apiVersion: `${group}/v1`, kind: "RoleBinding", metadata, roleRef, subjects },
    ],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The objects of Argo's test manifests without its programs and CRDs, with the address of our store. */
async function manifestsOf(checkout: string, external: ExternalServices): Promise<Manifest[]> {
  const folder = await Deno.makeTempDir({ prefix: "go-suites-" });
  try {
    const at = (path: string) => relative(folder, `${checkout}/test/e2e/manifests/${path}`);
    const own = [...Deno.readDirSync(`${checkout}/test/e2e/manifests/minimal`)].map(({ name }) => name);
    const resources = own.filter((name) => name !== "kustomization.yaml").map((name) => at(`minimal/${name}`));
    const kustomization = { namespace: NAMESPACE, resources, components: [at("components/base")] };
    await Deno.writeTextFile(`${folder}/kustomization.yaml`, stringify(kustomization));
    const text = await outputOf(["kubectl", "kustomize", "--load-restrictor=LoadRestrictionsNone", folder]);
    const all = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    return all.filter(({ kind }) => kind !== "Deployment" && kind !== "CustomResourceDefinition")
      .filter(({ kind, metadata }) => kind !== "Service" || metadata.name !== "minio")
      .map((manifest) => withServices(manifest, external));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function withServices(manifest: Manifest, { store, database }: ExternalServices): Manifest {
  if (manifest.kind !== "ConfigMap" || !manifest.data) return manifest;
  const data = Object.entries(manifest.data)
    .map(([key, text]) => [key, text.replaceAll("minio:9000", `${store}:${STORE.port}`)] as const);
  if (manifest.metadata.name !== "workflow-controller-configmap") {
    return { ...manifest, data: Object.fromEntries(data) };
  }
  // Argo's test plugin is a separate image. The built-in driver for the same store replaces it.
  const { artifactDrivers: _, ...rest } = Object.fromEntries(data);
  const secret = (key: string) => ({ name: "my-minio-cred", key });
  const s3 = {
    bucket: "my-bucket",
    endpoint: `${store}:${STORE.port}`,
    insecure: true,
    accessKeySecret: secret("accesskey"),
    secretKeySecret: secret("secretkey"),
  };
  // The entrypoints of images, because the controller cannot reach a registry to read them.
  const images = {
    ...Object.fromEntries(IMAGES.map((name) => [name, { entrypoint: ["/argosay"] }])),
    [CLI_IMAGE]: { entrypoint: ["/argo"] },
    ...parse(data.find(([key]) => key === "images")?.[1] ?? "") as Record<string, unknown> | null,
  };
  const added = {
    images,
    artifactRepository: { archiveLogs: true, s3 },
    persistence: { archive: true, nodeStatusOffLoad: true, postgresql: { ...database, tableName: "argo_workflows" } },
    synchronization: { enableAPI: true, controllerName: "controller", postgresql: database },
  };
  const texts = Object.entries(added).map(([key, value]) => [key, stringify(value)] as const);
  return { ...manifest, data: { ...rest, ...Object.fromEntries(texts) } };
}

function eventKind([kind, plural]: typeof EVENT_KINDS[number]): object {
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.argoproj.io` },
    spec: {
      group: "argoproj.io",
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {} },
      }],
    },
  };
}

/** The Service with the name that the suites' workflows use for the store. */
function storeService(address: string): object[] {
  const metadata = { name: "minio" };
  const ports = [{ name: "api", port: STORE.port }];
  return [
    { apiVersion: "v1", kind: "Service", metadata, spec: { ports } },
    { apiVersion: "v1", kind: "Endpoints", metadata, subsets: [{ addresses: [{ ip: address }], ports }] },
  ];
}

async function startStore({ address, command }: HostNetwork): Promise<AsyncDisposable> {
  const program = await goProgram("minio", STORE.source);
  const folder = await Deno.makeTempDir({ prefix: "store-" });
  for (const bucket of STORE.buckets) await Deno.mkdir(`${folder}/${bucket}`);
  const [first = "", ...words] = command;
  const child = new Deno.Command(first, {
    args: [...words, program, "server", "--address", `${address}:${STORE.port}`, folder],
    env: { ...STORE.keys, MINIO_BROWSER: "off" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

if (import.meta.main) {
  const [checkout] = Deno.args;
  if (checkout === undefined) throw new Error("Expected the path of a checkout of Argo, got nothing");
  await using cluster = await findCluster();
  await using _store = await prepareGoCluster(cluster, checkout);
  console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, resolve);
  await promise;
}
