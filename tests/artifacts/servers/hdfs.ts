/**
 * Hadoop's own small cluster, a name node and two data nodes in one process: asked over RPC and over WebHDFS, and with
 * Kerberos over RPC.
 */
import { driverFor } from "../../../lib/stores/driver_for.ts";
import type { Driver } from "@tiphys/model/artifact";
import { sourceOf, surroundingsOf } from "../../../lib/artifacts/testing/surroundings.ts";
import type { Surroundings } from "@tiphys/stores";
import type { UnderTest } from "../../../lib/artifacts/testing/contract/mod.ts";
import { startKdc } from "./kdc.ts";
import { freePort, serve } from "./process.ts";
import { mavenProgram } from "./programs.ts";
import { NotHere, type RunningServer, type ServerKind } from "./server.ts";

const MODULE = "org.apache.hadoop:hadoop-minicluster:3.4.2";

/** Blocks are small, so that a file of the contract has several. */
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

/** The time in which its data nodes must have come, milliseconds. */
const PATIENCE_MILLIS = 120_000;

const never = new AbortController().signal;

/** The cases of the contract that HDFS cannot be asked. */
const CANNOT: UnderTest["cannot"] = {
  "AR-05": "a file and a folder of one name cannot be side by side",
  "AR-08": "HDFS takes no colon in a name",
  "AR-09": "HDFS puts paths in order",
  "AR-10": "a path cannot have .. in it",
  "AR-13": "a file and a folder of one name cannot be side by side",
};

/** Its libraries are 100 MB. */
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

/** The same cluster in a realm of Kerberos: its user comes with a keytab, or with a credential cache. */
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
      // Without TLS on its pages a data node would not start.
      "ignore.secure.ports.for.testing": "true",
    };
    const surroundings = surroundingsOf({
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
          "hdfs-keytab-integrity": { settings: { ...byKeytab, dataTransferProtection: "integrity" }, only: FEW },
          "hdfs-ccache-privacy": {
            settings: { ...common, krbCCacheSecret, dataTransferProtection: "privacy" },
            only: FEW,
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

/** The cases that are enough for another way to move the same bytes: files small and large, parts of them, folders. */
const FEW = ["AR-01", "AR-02", "AR-03", "AR-04", "AR-06", "AR-07", "AR-20"];

interface ClusterStart {
  /** Of Hadoop, by their names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The file `krb5.conf` of its realm. */
  readonly conf?: string;
  readonly surroundings?: Surroundings;
}

/** A way in which the cluster is asked: fields of a location, and the cases that are asked, where not all. */
interface Way {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly only?: readonly string[];
}

async function startCluster(
  { settings = {}, conf, surroundings = surroundingsOf() }: ClusterStart,
  waysAt: (ports: { readonly port: number; readonly http: number }) => Readonly<Record<string, Way>>,
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
  const asked = Object.entries(waysAt({ port: serving.port, http })).map(([name, { settings, only }]): UnderTest => {
    const place = (key: string) => ({ store: "hdfs", key: `/${key}`, settings: { force: true, ...settings } });
    return {
      name,
      driver: async () => await driverFor(place("x"), surroundings) as Driver,
      place,
      cannot: CANNOT,
      ...only ? { only } : {},
    };
  });
  try {
    for (const one of asked) await awaitWrites(one);
  } catch (error) {
    await serving[Symbol.asyncDispose]();
    throw error;
  }
  return { asked, [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose]() };
}

/** Resolves when a file can be written: its data nodes come after its name node. */
async function awaitWrites({ driver: driverAt, place }: UnderTest): Promise<void> {
  const deadline = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    const driver = await driverAt();
    try {
      await driver.write(place("ready"), sourceOf("ready"), never);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new NotHere(`the cluster does not become ready: ${error}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    } finally {
      await driver.close?.();
    }
  }
}
