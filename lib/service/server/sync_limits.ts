/** Limits of semaphores, managed through an Argo server, which stores them in ConfigMaps or its database. */
import type { LimitStorage, SyncLimit, SyncLimitName } from "@tiphys/storage/sync_limits";
import { ANY, LimitResponse } from "./answers.ts";
import { requestServer, type SendToServer } from "./exchange.ts";

/** The types as numbers, because Argo's server rejects their names. */
const NUMBERS: Readonly<Record<SyncLimitName["type"], number>> = { CONFIGMAP: 0, DATABASE: 1 };

/** Manages limits through requests to a server. Each method throws a `KubeError` with the server's message. */
export function serverLimits(send: SendToServer): LimitStorage {
  const pathOf = ({ namespace, key }: SyncLimitName) =>
    `/api/v1/sync/${encodeURIComponent(namespace)}/${encodeURIComponent(key)}`;
  /** Resolves to the named limit with the value in the response; 0 if the field is missing. */
  const limitOf = async (
    response: Promise<{ readonly limit?: number | null | undefined }>,
    name: SyncLimitName,
  ): Promise<SyncLimit> => ({
    ...name,
    limit: (await response).limit ?? 0,
  });
  const query = ({ type, cmName }: SyncLimitName) => ({ type: String(NUMBERS[type]), cmName });
  const bodyOf = ({ type, ...limit }: SyncLimit) => ({ ...limit, type: NUMBERS[type] });
  return {
    create: (limit) =>
      limitOf(
        requestServer(send, "POST", `/api/v1/sync/${encodeURIComponent(limit.namespace)}`, LimitResponse, {
          body: bodyOf(limit),
        }),
        limit,
      ),
    get: (name) => limitOf(requestServer(send, "GET", pathOf(name), LimitResponse, { query: query(name) }), name),
    update: (limit) =>
      limitOf(requestServer(send, "PUT", pathOf(limit), LimitResponse, { body: bodyOf(limit) }), limit),
    async delete(name) {
      await requestServer(send, "DELETE", pathOf(name), ANY, { query: query(name) });
    },
  };
}
