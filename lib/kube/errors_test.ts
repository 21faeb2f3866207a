import { assertEquals } from "@std/assert";
import { type ErrorSort, KubeError, sortError } from "./errors.ts";

function kubeError(status: number, reason: string, message = ""): KubeError {
  return new KubeError(message, { status, reason });
}

const table: [string, unknown, ErrorSort][] = [
  ["a quota that is exceeded", kubeError(403, "Forbidden", `pods "a" is forbidden: exceeded quota: q`), "transient"],
  ["any other refusal", kubeError(403, "Forbidden", "pods is forbidden: User cannot list"), "forbidden"],
  ["a missing login", kubeError(401, "Unauthorized"), "forbidden"],
  ["too many requests", kubeError(429, "TooManyRequests"), "transient"],
  [
    "a conflict on a resource quota",
    kubeError(409, "Conflict", "Operation cannot be fulfilled on resourcequotas"),
    "transient",
  ],
  ["a conflict on our object", kubeError(409, "Conflict", "Operation cannot be fulfilled on workflows"), "conflict"],
  ["a name that is taken", kubeError(409, "AlreadyExists"), "alreadyExists"],
  [
    "a quota evaluation that timed out",
    kubeError(500, "InternalError", "resource quota evaluation timed out"),
    "transient",
  ],
  ["a server timeout", kubeError(500, "ServerTimeout"), "transient"],
  ["a gateway timeout", kubeError(504, "Timeout"), "transient"],
  ["an unavailable server", kubeError(503, "ServiceUnavailable"), "transient"],
  ["an etcd without its leader", kubeError(500, "", "etcdserver: leader changed"), "transient"],
  ["an unreachable server", kubeError(0, "NetworkError", "connection refused"), "transient"],
  ["a webhook that did not answer", kubeError(500, "InternalError", `failed calling webhook "a"`), "transient"],
  ["a mistake of the server", kubeError(500, "InternalError", "nil pointer"), "fatal"],
  ["what is gone", kubeError(404, "NotFound"), "notFound"],
  ["a version that is too old", kubeError(410, "Expired"), "transient"],
  ["an invalid object", kubeError(422, "Invalid"), "invalid"],
  ["a bad request", kubeError(400, "BadRequest"), "invalid"],
  ["too large an object", kubeError(413, "RequestEntityTooLarge"), "invalid"],
  ["a reset connection", new Deno.errors.ConnectionReset("reset"), "transient"],
  ["an error whose cause is the network's", new Error("No answer", { cause: new Error("i/o timeout") }), "transient"],
  ["our own bug", new TypeError("x is not a function"), "fatal"],
];

for (const [what, error, expected] of table) {
  Deno.test(`sortError() sorts ${what} as ${expected}`, () => assertEquals(sortError(error), expected));
}

Deno.test("sortError() sorts as transient what matches the pattern an operator gave", () => {
  assertEquals(sortError(kubeError(403, "Forbidden", "admission: try later"), /try later/), "transient");
});
