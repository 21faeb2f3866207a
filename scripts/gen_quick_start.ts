/**
 * The quick-start manifests: everything in one file to try the project in one namespace, with an artifact store, and
 * with an archive in PostgreSQL or MySQL. Their passwords are public: do not use them in production.
 */
import { type KindName, KINDS } from "@tiphys/model/api";
import { rule } from "@tiphys/installation/preflight";
import { stringifyYaml } from "@tiphys/model/yaml";
import { customResourceDefinition } from "./gen_crd.ts";
import { CONTROLLER, controllerObjects } from "./gen_install.ts";
import { SERVER, serverObjects, USER } from "./gen_server.ts";
import { binding, type KubernetesManifest, manifest, PART_OF, role } from "./manifest_objects.ts";

const MINIO = "minio";
const CREDENTIALS = "my-minio-cred";
const BUCKET = "my-bucket";

/** A database for the archive, by the name of its setting. */
interface Database {
  readonly setting: "postgresql" | "mysql";
  /** The name of its Deployment and Service. */
  readonly name: string;
  readonly image: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  /** The database and its user. */
  readonly database: string;
  readonly user: string;
  /** The folder of its files. */
  readonly data: string;
}

const PASSWORD = "password";

const DATABASES: readonly Database[] = [
  {
    setting: "postgresql",
    name: "postgres",
    image: "docker.io/library/postgres:17",
    port: 5432,
    env: { POSTGRES_PASSWORD: PASSWORD, PGDATA: "/var/lib/postgresql/data/files" },
    database: "postgres",
    user: "postgres",
    data: "/var/lib/postgresql/data",
  },
  {
    setting: "mysql",
    name: "mysql",
    image: "docker.io/library/mysql:8.4",
    port: 3306,
    env: { MYSQL_USER: "mysql", MYSQL_PASSWORD: PASSWORD, MYSQL_DATABASE: "argo", MYSQL_RANDOM_ROOT_PASSWORD: "yes" },
    database: "argo",
    user: "mysql",
    data: "/var/lib/mysql",
  },
];

/** The quick-start manifests by their file names under `manifests/`. */
export function quickStartManifests(): Map<string, string> {
  return new Map([
    file("quick-start-minimal.yaml"),
    ...DATABASES.map((database) => file(`quick-start-${database.name}.yaml`, database)),
  ]);
}

function file(name: string, database?: Database): [string, string] {
  const how = "To try it, not for production: kubectl create namespace argo && kubectl apply -n argo -f manifests/" +
    name;
  return [name, manifest(how, quickStart(database))];
}

function quickStart(database: Database | undefined): object[] {
  const crds = (Object.keys(KINDS) as KindName[]).map((kind) => customResourceDefinition(kind, { set: "minimal" }));
  const settings = {
    artifactRepository: stringifyYaml(repository()),
    ...(database ? { persistence: stringifyYaml(persistence(database)) } : {}),
  };
  return [
    ...crds,
    ...controllerObjects().namespaced.map((object) =>
      object.kind === "ConfigMap" ? { ...object, data: settings } : object
    ),
    ...serverObjects().namespaced.map(withoutLogin),
    binding("RoleBinding", "Role", USER, SERVER),
    ...minio(),
    ...(database ? archive(database) : []),
  ];
}

/** Lets everyone who can reach the server use it, with the permissions of its account. */
function withoutLogin(object: KubernetesManifest): KubernetesManifest {
  if (object.kind !== "Deployment") return object;
  const { spec } = object as unknown as { spec: { template: { spec: { containers: { args: string[] }[] } } } };
  const [container, ...others] = spec.template.spec.containers;
  const args = [...container!.args, "--auth-mode=server", "--allow-anonymous"];
  const containers = [{ ...container, args }, ...others];
  return { ...object, spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, containers } } } };
}

function repository(): object {
  const secret = (key: string) => ({ name: CREDENTIALS, key });
  return {
    archiveLogs: true,
    s3: {
      bucket: BUCKET,
      endpoint: `${MINIO}:9000`,
      insecure: true,
      accessKeySecret: secret("accesskey"),
      secretKeySecret: secret("secretkey"),
    },
  };
}

function minio(): object[] {
  return [
    secret(CREDENTIALS, { accesskey: "admin", secretkey: PASSWORD }),
    ...servedManifests(MINIO, {
      image: "quay.io/minio/minio:RELEASE.2025-09-07T16-13-09Z",
      command: ["sh", "-c", `mkdir -p /data/${BUCKET} && exec minio server /data`],
      env: { MINIO_ROOT_USER: "admin", MINIO_ROOT_PASSWORD: PASSWORD },
      port: 9000,
      probe: { httpGet: { path: "/minio/health/ready", port: 9000 } },
      data: "/data",
    }),
  ];
}

function loginOf({ name }: Database): string {
  return `argo-${name}-config`;
}

function persistence(database: Database): object {
  const { setting, name, port } = database;
  const login = loginOf(database);
  return {
    archive: true,
    archiveTTL: "7d",
    nodeStatusOffLoad: true,
    [setting]: {
      host: name,
      port,
      database: database.database,
      tableName: "argo_workflows",
      userNameSecret: { name: login, key: "username" },
      passwordSecret: { name: login, key: "password" },
    },
  };
}

function archive(database: Database): object[] {
  const { name, image, port, env, user, data } = database;
  const login = loginOf(database);
  const reader = "archive-login";
  return [
    secret(login, { username: user, password: PASSWORD }),
    role("Role", reader, [rule("", ["secrets"], ["get"], [login])]),
    ...[CONTROLLER, SERVER].map((account) =>
      renameManifest(binding("RoleBinding", "Role", reader, account), `${reader}-${account}`)
    ),
    ...servedManifests(name, { image, port, env, data, probe: { tcpSocket: { port } } }),
  ];
}

function renameManifest(object: KubernetesManifest, name: string): KubernetesManifest {
  return { ...object, metadata: { ...object.metadata, name } };
}

function secret(name: string, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, labels: PART_OF }, stringData };
}

/** A Deployment of one pod whose files are lost with it, and its Service. */
function servedManifests(
  name: string,
  { image, command, env, port, probe, data }: {
    readonly image: string;
    readonly command?: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly port: number;
    readonly probe: object;
    readonly data: string;
  },
): object[] {
  const labels = { app: name };
  const container = {
    name,
    image,
    ...(command && { command }),
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    ports: [{ containerPort: port }],
    readinessProbe: { ...probe, periodSeconds: 3 },
    volumeMounts: [{ name: "data", mountPath: data }],
  };
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, labels: PART_OF },
      spec: {
        replicas: 1,
        strategy: { type: "Recreate" },
        selector: { matchLabels: labels },
        template: {
          metadata: { labels: { ...labels, ...PART_OF } },
          spec: {
            automountServiceAccountToken: false,
            nodeSelector: { "kubernetes.io/os": "linux" },
            containers: [container],
            volumes: [{ name: "data", emptyDir: {} }],
          },
        },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, labels: PART_OF },
      spec: { selector: labels, ports: [{ port, targetPort: port }] },
    },
  ];
}
