/**
 * Hadoop's MiniDFSCluster: a name node and two data nodes in one process. Tested over RPC, over WebHDFS, and over RPC
 * with Kerberos.
 */
import { driverFor } from "../../../lib/stores/driver_for.ts";
import type { Driver, DriverEnvironment } from "@tiphys/model/artifact";
import { driverEnvironment, sourceOf } from "../../../lib/artifacts/testing/surroundings.ts";
import type { TestedStore } from "../../../lib/artifacts/testing/contract/mod.ts";
import { startKdc } from "./kdc.ts";
import { freePort, serve } from "./process.ts";
import { mavenProgram } from "./programs.ts";
import { type RunningServer, type ServerKind, Unavailable } from "./server.ts";

const MODULE = "org.apache.hadoop:hadoop-minicluster:3.4.2";

/** Starts the cluster. Blocks are small, so that files of the contract have several. */
const MAIN = `
import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;

public class Main {
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.set("dfs.blocksize", "1048576");
    for (int at = 3; at < args.length; at++) {
      String[] setting = args[at].split("=", 2);
      conf.set(setting[0], setting[1]);
    }
    UserGroupInformation.setConfiguration(conf);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, new File(args[2]))
      .nameNodePort(Integer.parseInt(args[0])).nameNodeHttpPort(Integer.parseInt(args[1])).numDataNodes(2).build();
    cluster.waitActive();
    Thread.sleep(Long.MAX_VALUE);
  }
}
`;

/** Longest time until the data nodes have joined, in milliseconds. */
const TIMEOUT_MILLIS = 120_000;

const never = new AbortController().signal;

/** The cases of the contract that HDFS cannot fulfill. */
const CANNOT: TestedStore["cannot"] = {
  "AR-05": "a file and a folder cannot have the same name",
  "AR-08": "HDFS rejects names with a colon",
  "AR-09": "HDFS normalizes paths",
  "AR-10": "HDFS rejects paths with ..",
  "AR-13": "a file and a folder cannot have the same name",
};

/** HDFS without authentication. Slow to install: its libraries are 100 MB. */
export const hadoop: ServerKind = {
  name: "hadoop",
  isSlow: true,
  start: () =>
    startCluster({}, ({ port, http }) => {
      const hdfsUser = Deno.env.get("USER") ?? "root";
      return {
        "hdfs-rpc": { settings: { addresses: [`127.0.0.1:${port}`], hdfsUser } },
        "hdfs-web": { settings: { addresses: [`http://127.0.0.1:${http}`], hdfsUser } },
      };
    }),
};

/** HDFS with Kerberos: the user authenticates with a keytab or a credential cache. */
export const hadoopKerberos: ServerKind = {
  name: "hadoop-kerberos",
  isSlow: true,
  async start() {
    const kdc = await startKdc(["nn/localhost", "HTTP/localhost"]);
    const principal = (name: string) => `${name}/localhost@${kdc.realm}`;
    const settings = {
      "hadoop.security.authentication": "kerberos",
      "hadoop.rpc.protection": "authentication,integrity,privacy",
      "dfs.block.access.token.enable": "true",
      "dfs.data.transfer.protection": "authentication,integrity,privacy",
      "dfs.encrypt.data.transfer.cipher.suites": "AES/CTR/NoPadding",
      "dfs.namenode.kerberos.principal": principal("nn"),
      "dfs.namenode.keytab.file": kdc.serviceKeytab,
      "dfs.datanode.kerberos.principal": principal("nn"),
      "dfs.datanode.keytab.file": kdc.serviceKeytab,
      "dfs.web.authentication.kerberos.principal": principal("HTTP"),
      "dfs.web.authentication.kerberos.keytab": kdc.serviceKeytab,
      "dfs.permissions.enabled": "false",
      // Without this setting, a data node with Kerberos requires TLS for its web pages.
      "ignore.secure.ports.for.testing": "true",
    };
    const surroundings = driverEnvironment({
      secrets: { "s/keytab": kdc.userKeytab, "s/cache": kdc.userCache },
      configMaps: { "c/krb5.conf": kdc.conf },
    });
    try {
      const cluster = await startCluster({ settings, conf: kdc.confFile, surroundings }, ({ port }) => {
        const common = {
          addresses: [`localhost:${port}`],
          krbConfigConfigMap: { name: "c", key: "krb5.conf" },
          krbServicePrincipalName: "nn/_HOST",
        };
        const krbKeytabSecret = { name: "s", key: "keytab" };
        const byKeytab = { ...common, krbKeytabSecret, krbUsername: kdc.user, krbRealm: kdc.realm };
        const krbCCacheSecret = { name: "s", key: "cache" };
        return {
          "hdfs-keytab": { settings: byKeytab },
          "hdfs-keytab-integrity": {
            settings: { ...byKeytab, dataTransferProtection: "integrity" },
            only: TRANSFER_CASES,
          },
          "hdfs-ccache-privacy": {
            settings: { ...common, krbCCacheSecret, dataTransferProtection: "privacy" },
            only: TRANSFER_CASES,
          },
        };
      });
      return {
        ...cluster,
        async [Symbol.asyncDispose]() {
          await cluster[Symbol.asyncDispose]();
          await kdc[Symbol.asyncDispose]();
        },
      };
    } catch (error) {
      await kdc[Symbol.asyncDispose]();
      throw error;
    }
  },
};

/** Cases for another kind of data transfer: small and large files, ranges, folders. */
const TRANSFER_CASES = ["AR-01", "AR-02", "AR-03", "AR-04", "AR-06", "AR-07", "AR-20"];

interface ClusterStart {
  /** Settings of Hadoop, by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Path of the realm's `krb5.conf`. */
  readonly conf?: string;
  readonly surroundings?: DriverEnvironment;
}

/** A way to access the cluster: fields of a location, and the cases to run; all if undefined. */
interface Access {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly only?: readonly string[];
}

async function startCluster(
  { settings = {}, conf, surroundings = driverEnvironment() }: ClusterStart,
  accessesAt: (ports: { readonly port: number; readonly http: number }) => Readonly<Record<string, Access>>,
): Promise<RunningServer> {
  const classPath = await mavenProgram(MODULE, MAIN);
  const http = freePort();
  const serving = await serve((port, data) => [
    "java",
    "-Xmx512m",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    ...conf ? [`-Djava.security.krb5.conf=${conf}`] : [],
    ...["-cp", classPath, "Main", String(port), String(http), `${data}/hdfs`],
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ]);
  const subjects = Object.entries(accessesAt({ port: serving.port, http })).map(
    ([name, { settings, only }]): TestedStore => {
      const place = (key: string) => ({ store: "hdfs", key: `/${key}`, settings: { force: true, ...settings } });
      return {
        name,
        driver: async () => await driverFor(place("x"), surroundings) as Driver,
        place,
        cannot: CANNOT,
        ...only ? { only } : {},
      };
    },
  );
  try {
    for (const subject of subjects) await awaitWrites(subject);
  } catch (error) {
    await serving[Symbol.asyncDispose]();
    throw error;
  }
  return { subjects, [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose]() };
}

/** Resolves when a file can be written: data nodes join after the name node has started. */
async function awaitWrites({ driver: driverAt, place }: TestedStore): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MILLIS;
  for (;;) {
    const driver = await driverAt();
    try {
      await driver.write(place("ready"), sourceOf("ready"), never);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Unavailable(`the cluster did not become ready: ${error}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    } finally {
      await driver.close?.();
    }
  }
}
