/**
 * Objects of any shape, as a cluster with minimal CRDs stores them. The embedded API would refuse them, so they are
 * written with their fields in an annotation, and the controller reads these fields instead of the real ones.
 */
import type { KubeObject } from "@tiphys/kube";
import type { Interceptor } from "./world.ts";

const FIELDS = "tests/as-is";

/** Returns an object that the controller reads with these fields in place of the real ones. */
export function asIs<T extends Pick<KubeObject, "metadata">>(object: T, fields: Record<string, unknown>): T {
  const annotations = { ...object.metadata.annotations, [FIELDS]: JSON.stringify(fields) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/**
 * Replaces the fields of every object that the controller reads. Later writes to other fields of the object stay
 * visible.
 */
export const showingAsIs: Interceptor = async (sent, next) => {
  const response = await next();
  if (sent.method !== "GET" || !response.ok || !response.body) return response;
  const { status } = response;
  const headers = { "content-type": response.headers.get("content-type") ?? "application/json" };
  if (sent.path.includes("watch=")) {
    return new Response(response.body.pipeThrough(new TextDecoderStream()).pipeThrough(replaceLines()), {
      headers,
      status,
    });
  }
  const read = await response.json() as KubeObject & { readonly items?: readonly KubeObject[] };
  const shown = read.items ? { ...read, items: read.items.map(withShownFields) } : withShownFields(read);
  return Response.json(shown, { headers, status });
};

function withShownFields(object: KubeObject): KubeObject {
  const text = object.metadata?.annotations?.[FIELDS];
  if (text === undefined) return object;
  const fields = JSON.parse(text);
  const isMarked = object.status !== undefined && fields.status !== undefined;
  return { ...object, ...fields, ...(isMarked ? { status: { ...fields.status, ...object.status as object } } : {}) };
}

function replaceLines(): TransformStream<string, Uint8Array<ArrayBuffer>> {
  let open = "";
  const encoder = new TextEncoder();
  return new TransformStream({
    transform(text, controller) {
      const whole = (open + text).split("\n");
      open = whole.pop()!;
      for (const line of whole) {
        if (!line.includes(FIELDS)) {
          controller.enqueue(encoder.encode(`${line}\n`));
          continue;
        }
        const event = JSON.parse(line);
        controller.enqueue(encoder.encode(`${JSON.stringify({ ...event, object: withShownFields(event.object) })}\n`));
      }
    },
  });
}
