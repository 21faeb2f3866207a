/**
 * Artifacts in HDFS: over Hadoop's RPC (`namenode:8020`), as Argo speaks, or over its REST interface (WebHDFS), where the
 * addresses begin with `http://` or `https://`.
 */
import { type Driver, type MakeDriver, StoreError } from "../driver.ts";
import { hdfsDriver } from "./hdfs_driver.ts";
import { rpcHdfs } from "./rpc_hdfs.ts";
import { webHdfs } from "./web_hdfs.ts";
import type { Node } from "./wire.ts";

interface HdfsSettings {
  readonly addresses?: readonly string[];
  readonly hdfsUser?: string;
  readonly force?: boolean;
  readonly dataTransferProtection?: string;
  readonly krbCCacheSecret?: object;
  readonly krbKeytabSecret?: object;
}

/** The port of a name node whose address names none. */
const RPC_PORT = 8020;

/** Makes the driver of a cluster. */
export const makeDriver: MakeDriver = (place, surroundings): Driver => {
  const settings = place.settings as HdfsSettings;
  const { addresses = [], hdfsUser, force = false } = settings;
  if (addresses.length === 0) throw mistake("addresses is required");
  if (settings.krbCCacheSecret || settings.krbKeytabSecret) {
    throw mistake("Kerberos is not supported; an artifact plugin can speak it");
  }
  if (settings.dataTransferProtection) {
    throw mistake("dataTransferProtection is not supported; it is a part of Kerberos");
  }
  const urls = addresses.filter((address) => /^https?:\/\//.test(address)).map((address) => URL.parse(address));
  if (urls.length === 0) {
    const user = hdfsUser ?? surroundings.env("HADOOP_USER_NAME");
    if (!user) throw mistake("hdfsUser is required");
    return hdfsDriver(rpcHdfs({ nodes: addresses.map(nodeOf), user }), { overwrites: force });
  }
  const known = urls.filter((url) => url !== null);
  if (known.length < addresses.length) {
    throw mistake(
      "addresses must all be those of WebHDFS, like http://NAMENODE:9870, or all of RPC, like NAMENODE:8020",
    );
  }
  return hdfsDriver(webHdfs({ urls: known, user: hdfsUser, surroundings }), { overwrites: force });
};

/** The address of a name node, `HOST`, `HOST:PORT` or `hdfs://HOST:PORT`. */
function nodeOf(address: string): Node {
  const [, hostname, port] = /^(?:hdfs:\/\/)?(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/.exec(address) ?? [];
  if (!hostname || Number(port ?? RPC_PORT) > 65_535) {
    throw mistake(
      `the address ${JSON.stringify(address)} is none of a name node: expected HOST:PORT, or http://HOST:PORT`,
    );
  }
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port ?? RPC_PORT) };
}

function mistake(message: string): StoreError {
  return new StoreError(`hdfs: ${message}`, "final");
}
