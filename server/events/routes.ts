/** The route that receives events. */
import { depthProblem } from "@tiphys/base/bounded_json";
import { JsonError, unmarshalJson, type Value } from "@tiphys/base/go";
import { WORKFLOW_EVENT_BINDINGS, WORKFLOWS } from "@tiphys/kube";
import { right } from "../gate/rights.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import type { Event } from "./binding.ts";
import { dispatch } from "./dispatch.ts";

/** The maximum size of an event, in bytes. */
export const MAX_EVENT_BYTES = 2 << 20;

/** Headers that contain credentials of webhooks. They are not part of the event. */
const SECRETS = new Set(["x-gitlab-token", "x-hook-uuid"]);

/** All routes of events. */
export const EVENT_ROUTES: readonly Route[] = [
  route({
    id: "EventService_ReceiveEvent",
    method: "POST",
    path: "/api/v1/events/{namespace}/{discriminator}",
    maxBody: MAX_EVENT_BYTES,
    takesAnyJson: true,
    takesWebhooks: true,
    rights: ({ params: { namespace } }) => [
      right("list", WORKFLOW_EVENT_BINDINGS, namespace),
      right("create", WORKFLOWS, namespace),
    ],
    async answer(call) {
      const event = eventOf(call);
      const { events, log } = call.served;
      if (!events) {
        const failures = await dispatch(call, event);
        if (failures.length > 0) {
          throw new WireError(CODE.internal, `failed to dispatch event: [${failures.join(" ")}]`);
        }
        return { json: {} };
      }
      // Asynchronous work must not use the request, which has ended by then.
      const { caller, served, gate } = call;
      const isQueued = events.tryAdd(async () => void await dispatch({ caller, served, gate }, event));
      if (!isQueued) {
        log.warn("An event was refused: the queue is full", { namespace: event.namespace });
        throw new WireError(CODE.unavailable, "operation queue full");
      }
      return { json: {} };
    },
  }),
];

function eventOf({ params: { namespace = "", discriminator = "" }, text, headers }: Call): Event {
  const metadata: Record<string, readonly string[]> = {};
  for (const [name, value] of headers) {
    if (name.startsWith("x-") && !SECRETS.has(name)) metadata[name] = [...metadata[name] ?? [], value];
  }
  return { namespace, discriminator, payload: payloadOf(text), metadata };
}

/** @throws {WireError} for invalid JSON, with the parser's message, and for JSON that is nested too deeply. */
function payloadOf(text: string): Value {
  if (text.trim() === "") return null;
  const tooDeep = depthProblem(text);
  if (tooDeep !== undefined) throw badRequest(tooDeep);
  try {
    return unmarshalJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw badRequest(error.message);
    throw error;
  }
}
