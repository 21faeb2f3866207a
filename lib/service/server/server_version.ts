/** The version of a server. */
import * as z from "zod";
import { requestServer, type SendToServer } from "./exchange.ts";

/** A version, in the fields of Argo's API. */
const ServerVersion = z.looseObject({
  version: z.string().optional(),
  buildDate: z.string().optional(),
  gitCommit: z.string().optional(),
  gitTreeState: z.string().optional(),
  gitTag: z.string().optional(),
  goVersion: z.string().optional(),
  compiler: z.string().optional(),
  platform: z.string().optional(),
});
export type ServerVersion = z.infer<typeof ServerVersion>;

/** Requests the version of a server. */
export async function serverVersion(send: SendToServer): Promise<ServerVersion> {
  return await requestServer(send, "GET", "/api/v1/version", ServerVersion);
}
