/** Artifacts in HDFS, over its REST interface (WebHDFS): addresses that begin with `http://` or `https://`. */
import { type Driver, type MakeDriver, StoreError } from "../driver.ts";
import { hdfsDriver } from "./hdfs_driver.ts";
import { webHdfs } from "./web_hdfs.ts";

interface HdfsSettings {
  readonly addresses?: readonly string[];
  readonly hdfsUser?: string;
  readonly force?: boolean;
  readonly dataTransferProtection?: string;
  readonly krbCCacheSecret?: object;
  readonly krbKeytabSecret?: object;
}

/** Makes the driver of a cluster. */
export const makeDriver: MakeDriver = (place, surroundings): Driver => {
  const settings = place.settings as HdfsSettings;
  const { addresses = [], hdfsUser, force = false } = settings;
  if (addresses.length === 0) throw new StoreError("hdfs: addresses is required", "final");
  if (settings.krbCCacheSecret || settings.krbKeytabSecret) {
    throw new StoreError("hdfs: Kerberos is not supported; an artifact plugin can speak it", "final");
  }
  if (settings.dataTransferProtection) {
    throw new StoreError("hdfs: dataTransferProtection is not supported; it is a part of Kerberos", "final");
  }
  const urls = addresses.map((address) => {
    const url = URL.parse(address);
    if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
    throw new StoreError(
      `hdfs: the address ${
        JSON.stringify(address)
      } is one of Hadoop's RPC, which is not supported: give the addresses ` +
        "of WebHDFS instead, like http://NAMENODE:9870",
      "final",
    );
  });
  return hdfsDriver(webHdfs({ urls, user: hdfsUser, surroundings }), { overwrites: force });
};
