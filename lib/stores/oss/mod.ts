/** Artifacts in Alibaba's Object Storage Service. */
import { type Driver, type MakeDriver, StoreError } from "@tiphys/model/artifact";
import { objectDriver } from "../objects/mod.ts";
import { ossBucket } from "./bucket.ts";
import { ossCredentials, type OssSettings } from "./credentials.ts";

/** Creates the driver of a bucket. */
export const makeDriver: MakeDriver = (location, environment): Driver => {
  const settings = location.settings as OssSettings;
  const { endpoint = "", bucket } = settings;
  const url = URL.parse(endpoint.includes("://") ? endpoint : `https://${endpoint}`);
  if (!url || url.protocol !== "https:" && url.protocol !== "http:" || url.hostname === "") {
    throw new StoreError("oss: the endpoint must be a host like oss-REGION.aliyuncs.com", "final");
  }
  if (!bucket) throw new StoreError("oss: bucket is required", "final");
  return objectDriver(ossBucket({
    endpoint: url,
    name: bucket,
    credentials: ossCredentials(settings, environment),
    createsBucket: settings.createBucketIfNotPresent === true,
    ...settings.lifecycleRule ? { lifecycle: settings.lifecycleRule } : {},
    environment,
  }));
};
