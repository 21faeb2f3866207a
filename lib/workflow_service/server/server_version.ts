/** The release that a server says it is. */
import { askServer, type SendToServer } from "./exchange.ts";

/** A release, in the fields of Argo's API. */
export interface ServerVersion {
  readonly version?: string;
  readonly buildDate?: string;
  readonly gitCommit?: string;
  readonly gitTreeState?: string;
  readonly gitTag?: string;
  readonly goVersion?: string;
  readonly compiler?: string;
  readonly platform?: string;
}

/** Asks a server which release it is. */
export async function serverVersion(send: SendToServer): Promise<ServerVersion> {
  return await askServer<ServerVersion>(send, "GET", "/api/v1/version");
}
