import { assertEquals } from "@std/assert";
import { classifyError, type ErrorClass, isBug, isRetryable, KubeError } from "./errors.ts";

function kubeError(status: number, reason: string, message = ""): KubeError {
  return new KubeError(message, { status, reason });
}

const table: [string, unknown, ErrorClass][] = [
  ["a quota that is exceeded", kubeError(403, "Forbidden", `pods "a" is forbidden: exceeded quota: q`), "transient"],
  [
    "a missing permission",
    kubeError(403, "Forbidden", `pods is forbidden: User "a" cannot create resource "pods" in API group ""`),
    "forbidden",
  ],
  ["a rejection without details", kubeError(403, "Forbidden", "Forbidden"), "forbidden"],
  [
    "a pod that admission refuses",
    kubeError(403, "Forbidden", `pods "a" is forbidden: violates PodSecurity "restricted:latest"`),
    "invalid",
  ],
  [
    "a pod that a webhook refuses",
    kubeError(403, "Forbidden", `admission webhook "b" denied the request: no`),
    "invalid",
  ],
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
  ["a mistake of the server", kubeError(500, "InternalError", "nil pointer"), "transient"],
  ["a bad gateway", kubeError(502, ""), "transient"],
  ["a full etcd", kubeError(507, "", "mvcc: database space exceeded"), "transient"],
  ["an unknown status code of a gateway", kubeError(529, ""), "transient"],
  ["an operation that the server does not implement", kubeError(501, "NotImplemented"), "fatal"],
  ["a request that timed out", new DOMException("Signal timed out.", "TimeoutError"), "transient"],
  ["a missing object", kubeError(404, "NotFound"), "notFound"],
  ["a version that is too old", kubeError(410, "Expired"), "transient"],
  ["an invalid object", kubeError(422, "Invalid"), "invalid"],
  ["a bad request", kubeError(400, "BadRequest"), "invalid"],
  ["an object that etcd finds too large", kubeError(500, "", "etcdserver: request is too large"), "invalid"],
  ["a rejection that quotes a network error", kubeError(422, "Invalid", 'Invalid value: "i/o timeout"'), "invalid"],
  ["too large an object", kubeError(413, "RequestEntityTooLarge"), "invalid"],
  ["a reset connection", new Deno.errors.ConnectionReset("reset"), "transient"],
  ["an error whose cause is the network's", new Error("No answer", { cause: new Error("i/o timeout") }), "transient"],
  ["our own bug", new TypeError("x is not a function"), "fatal"],
];

for (const [what, error, expected] of table) {
  Deno.test(`classifyError() sorts ${what} as ${expected}`, () => assertEquals(classifyError(error), expected));
}

Deno.test("classifyError(): an error that matches the operator's pattern is transient", () => {
  const options = { status: 422, reason: "Invalid" };
  assertEquals(
    classifyError(new KubeError("admission: try later", { ...options, transientPattern: /try later/ })),
    "transient",
  );
  assertEquals(
    classifyError(new KubeError("admission: never", { ...options, transientPattern: /try later/ })),
    "invalid",
  );
});

Deno.test("isRetryable(): is true only for errors whose request may succeed later without changes", () => {
  const passing = table.filter(([, error]) => isRetryable(error)).map(([, , sort]) => sort);
  assertEquals(new Set(passing), new Set<ErrorClass>(["transient", "conflict", "forbidden"]));
});

const OURS: [string, unknown, boolean][] = [
  ["a call of something that is not a function", new TypeError("limits.find is not a function"), true],
  ["an invalid time", new RangeError("Invalid time value"), true],
  ["an undeclared name", new ReferenceError("limits is not defined"), true],
  ["a fetch that failed", new TypeError("fetch failed"), false],
  ["invalid JSON from elsewhere", new SyntaxError("Unexpected token '<'"), false],
  [
    "a rejection by the server that quotes a TypeError",
    kubeError(422, "Invalid", "TypeError: x is not a function"),
    false,
  ],
  ["an error message about an object", new Error('pods "a" already exists'), false],
];

for (const [what, error, expectedResult] of OURS) {
  Deno.test(`isBug() ${expectedResult ? "finds" : "passes over"} ${what}`, () =>
    assertEquals(isBug(error), expectedResult));
}
