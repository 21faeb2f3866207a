import { assertEquals } from "@std/assert";
import { parseApiUsage, usageBetween } from "./api_usage.ts";

const METRICS = `# TYPE apiserver_request_total counter
apiserver_request_total{code="200",group="",resource="pods",subresource="status",verb="PATCH",version="v1"} 4
apiserver_request_total{code="409",group="",resource="pods",subresource="",verb="PATCH",version="v1"} 1
apiserver_request_total{code="200",group="",resource="pods",subresource="",verb="PATCH",version="v1"} 2
apiserver_request_total{code="200",group="",resource="pods",subresource="",verb="WATCH",version="v1"} 9
apiserver_request_total{code="200",group="",resource="endpoints",subresource="",verb="PUT",version="v1"} 9
apiserver_request_total{code="200",group="argoproj.io",resource="workflowtaskresults",subresource="",verb="DELETECOLLECTION"} 1
apiserver_request_body_size_bytes_sum{group="",resource="pods",verb="patch"} 700
`;

Deno.test("parseApiUsage(): counts writes to objects of workflows with any status code, by verb and resource", () => {
  assertEquals(parseApiUsage(METRICS), {
    "patch pods/status": { requests: 4, bytes: 0 },
    "patch pods": { requests: 3, bytes: 700 },
    "delete workflowtaskresults": { requests: 1, bytes: 0 },
  });
});

Deno.test("usageBetween(): returns the difference", () => {
  const before = { "patch pods": { requests: 3, bytes: 700 }, "create pods": { requests: 1, bytes: 10 } };
  const after = { ...before, "create pods": { requests: 3, bytes: 40 }, "create events": { requests: 1, bytes: 5 } };
  assertEquals(usageBetween(before, after), {
    "create pods": { requests: 2, bytes: 30 },
    "create events": { requests: 1, bytes: 5 },
  });
});
