/** The routes of semaphore limits: in ConfigMaps, and in the controller's database. */
import { CONFIGMAPS, WORKFLOWS } from "@tiphys/kube";
import {
  configMapLimits,
  type SyncLimit,
  SyncLimitError,
  type SyncLimitName,
  SyncLimits,
} from "@tiphys/storage/sync_limits";
import { right } from "../gate/rights.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { badRequest, CODE, type Code, WireError } from "../wire/errors.ts";
import { intField, textField } from "../workflows/body_fields.ts";

const PATH = "/api/v1/sync/{namespace}";
const QUERY = { type: "string", cmName: "string", key: "string" } as const;

const CODES: Readonly<Record<SyncLimitError["code"], Code>> = {
  InvalidArgument: CODE.invalidArgument,
  AlreadyExists: CODE.alreadyExists,
  NotFound: CODE.notFound,
  PermissionDenied: CODE.permissionDenied,
};

/** The names of the types: the number, which Argo's clients send and expect, and the word. */
const TYPES: Readonly<Record<string, SyncLimitName["type"]>> = {
  "": "CONFIGMAP",
  "0": "CONFIGMAP",
  CONFIGMAP: "CONFIGMAP",
  "1": "DATABASE",
  DATABASE: "DATABASE",
};

/**
 * The rights of each action. ConfigMaps are accessed as the caller, so their rights apply. A database has no rights, so
 * limits in it require the same right on workflows.
 */
function rightsTo(verb: string, ...onConfigMaps: readonly string[]) {
  return ({ params: { namespace }, query, body }: Pick<Call, "params" | "query" | "body">) => {
    const type = String(body.type ?? query.type ?? "");
    if (Object.hasOwn(TYPES, type) && TYPES[type] === "DATABASE") return [right(verb, WORKFLOWS, namespace)];
    const cmName = textField(body, "cmName") ?? (typeof query.cmName === "string" ? query.cmName : undefined);
    // Roles cannot restrict a creation by name.
    return onConfigMaps.map((verb) => right(verb, CONFIGMAPS, namespace, verb === "create" ? undefined : cmName));
  };
}

function nameOf(namespace: string, key: string, type: string, cmName: string | undefined): SyncLimitName {
  if (!Object.hasOwn(TYPES, type)) {
    throw badRequest(`type: expected CONFIGMAP or DATABASE, got ${JSON.stringify(type)}`);
  }
  return { type: TYPES[type]!, namespace, key, ...(cmName ? { cmName } : {}) };
}

function limitInBody({ body, params: { namespace = "" } }: Pick<Call, "body" | "params">, key: string) {
  return {
    ...nameOf(namespace, key, String(body.type ?? ""), textField(body, "cmName")),
    limit: intField(body, "limit") ?? 0,
  };
}

/** The response with a limit for Argo's clients: the type is a number, and omitted if it is 0. */
function presentLimit({ type, ...limit }: SyncLimit) {
  return { json: { ...(type === "DATABASE" ? { type: 1 } : {}), ...limit } };
}

async function withWireErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SyncLimitError) throw new WireError(CODES[error.code], error.message, { cause: error });
    throw error;
  }
}

function limitsOf({ caller, served: { databaseLimits } }: Pick<Call, "caller" | "served">): SyncLimits {
  return new SyncLimits({
    CONFIGMAP: configMapLimits(caller.client),
    ...(databaseLimits ? { DATABASE: databaseLimits } : {}),
  });
}

/** All routes of limits. */
export const SYNC_ROUTES: readonly Route[] = [
  route({
    id: "SyncService_CreateSyncLimit",
    method: "POST",
    path: PATH,
    hasBody: true,
    rights: rightsTo("create", "create", "get", "update"),
    answer: async (call) =>
      presentLimit(
        await withWireErrors(() => limitsOf(call).create(limitInBody(call, textField(call.body, "key") ?? ""))),
      ),
  }),
  route({
    id: "SyncService_GetSyncLimit",
    method: "GET",
    path: `${PATH}/{key}`,
    query: QUERY,
    rights: rightsTo("get", "get"),
    async answer(call) {
      const { params: { namespace = "", key = "" }, query } = call;
      return presentLimit(
        await withWireErrors(() => limitsOf(call).get(nameOf(namespace, key, query.type ?? "", query.cmName))),
      );
    },
  }),
  route({
    id: "SyncService_UpdateSyncLimit",
    method: "PUT",
    path: `${PATH}/{key}`,
    hasBody: true,
    rights: rightsTo("update", "get", "update"),
    answer: async (call) =>
      presentLimit(await withWireErrors(() => limitsOf(call).update(limitInBody(call, call.params.key ?? "")))),
  }),
  route({
    id: "SyncService_DeleteSyncLimit",
    method: "DELETE",
    path: `${PATH}/{key}`,
    query: QUERY,
    rights: rightsTo("delete", "get", "update"),
    async answer(call) {
      const { params: { namespace = "", key = "" }, query } = call;
      await withWireErrors(() => limitsOf(call).delete(nameOf(namespace, key, query.type ?? "", query.cmName)));
      return { json: {} };
    },
  }),
];
