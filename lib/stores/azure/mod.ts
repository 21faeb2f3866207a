/** Artifacts in Azure Blob Storage. */
import { type Driver, type MakeDriver, type SecretField, StoreError } from "@tiphys/model/artifact";
import { objectDriver } from "../objects/mod.ts";
import { azureContainer } from "./container.ts";
import { azureCredentials } from "./credentials.ts";

/** Creates the driver of a container. */
export const makeDriver: MakeDriver = (location, environment): Driver => {
  const { endpoint = "", container, accountKeySecret, useSDKCreds } = location.settings as {
    readonly endpoint?: string;
    readonly container?: string;
    readonly accountKeySecret?: SecretField;
    readonly useSDKCreds?: boolean;
  };
  const url = URL.parse(endpoint);
  if (!url || url.protocol !== "https:" && url.protocol !== "http:") {
    throw new StoreError("azure: the endpoint must be a URL like https://ACCOUNT.blob.core.windows.net", "final");
  }
  if (!container) throw new StoreError("azure: container is required", "final");
  const authorize = azureCredentials(environment, { account: accountOf(url), accountKeySecret, useSDKCreds });
  return objectDriver(azureContainer({ endpoint: url, name: container, authorize, environment }));
};

/** Returns the account: the first label of the host or, for an emulator on this machine, the first part of the path. */
function accountOf({ hostname, pathname }: URL): string {
  const isLocal = hostname === "localhost" || hostname === "[::1]" || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
  return (isLocal ? pathname.split("/")[1] : hostname.split(".")[0]) ?? "";
}
