/**
 * Artifacts in HDFS: over Hadoop's RPC (`namenode:8020`), as in Argo, or over its REST interface (WebHDFS) if the
 * addresses begin with `http://` or `https://`.
 */
import type { Driver, MakeDriver } from "@tiphys/model/artifact";
import { hdfsDriver } from "./hdfs_driver.ts";
import type { KerberosSettings } from "./kerberos_cluster.ts";
import { fieldError, type Node, parseNode } from "./node.ts";
import { rpcHdfs } from "./rpc_hdfs.ts";
import { webHdfs } from "./web_hdfs.ts";

interface HdfsSettings extends KerberosSettings {
  readonly addresses?: readonly string[];
  readonly hdfsUser?: string;
  readonly force?: boolean;
}

/** The default port of a name node. */
const RPC_PORT = 8020;

/** Creates the driver of a cluster. */
export const makeDriver: MakeDriver = async (location, environment): Promise<Driver> => {
  const settings = location.settings as HdfsSettings;
  const { addresses = [], hdfsUser, force = false } = settings;
  if (addresses.length === 0) throw fieldError("addresses is required");
  const hasKerberos = settings.krbCCacheSecret !== undefined || settings.krbKeytabSecret !== undefined;
  if (settings.dataTransferProtection && !hasKerberos) {
    throw fieldError(
      "dataTransferProtection is a part of Kerberos: krbKeytabSecret or krbCCacheSecret is required with it",
    );
  }
  const urls = addresses.filter((address) => /^https?:\/\//.test(address)).map((address) => URL.parse(address));
  if (urls.length === 0 && hasKerberos) {
    const { kerberosCluster } = await import("./kerberos_cluster.ts");
    return hdfsDriver(rpcHdfs(await kerberosCluster(addresses.map(nodeOf), settings, environment)), {
      overwrites: force,
    });
  }
  if (hasKerberos) {
    throw fieldError("Kerberos is not supported over WebHDFS: give the addresses of RPC, like NAMENODE:8020");
  }
  if (urls.length === 0) {
    const user = hdfsUser ?? environment.env("HADOOP_USER_NAME");
    if (!user) throw fieldError("hdfsUser is required");
    return hdfsDriver(rpcHdfs({ nodes: addresses.map(nodeOf), user, reach: environment.reach }), {
      overwrites: force,
    });
  }
  const known = urls.filter((url) => url !== null);
  if (known.length < addresses.length) {
    throw fieldError(
      "addresses must all be those of WebHDFS, like http://NAMENODE:9870, or all of RPC, like NAMENODE:8020",
    );
  }
  return hdfsDriver(webHdfs({ urls: known, user: hdfsUser, environment }), { overwrites: force });
};

/** Parses the address of a name node: `HOST`, `HOST:PORT` or `hdfs://HOST:PORT`. */
function nodeOf(address: string): Node {
  const node = parseNode(address.replace(/\/$/, ""), "hdfs://", RPC_PORT);
  if (node) return node;
  throw fieldError(
    `${JSON.stringify(address)} is not the address of a name node: expected HOST:PORT, or http://HOST:PORT`,
  );
}
