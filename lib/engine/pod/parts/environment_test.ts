import { assertEquals } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { CONFIG, containerOf, envOf, LEGACY_LAYOUT, podFor } from "../testing/pod_request.ts";

const IMAGE = { image: "busybox", command: ["sh"] };
const CONTAINER: Template = { container: IMAGE };
const COMPANY: Template = {
  ...CONTAINER,
  initContainers: [{ name: "first", ...IMAGE }],
  sidecars: [{ name: "beside", ...IMAGE }],
};

Deno.test("environment: every container has its name, node, workflow, deadline, and whether its output is used", () => {
  const pod = podFor(COMPANY, { deadline: "2026-01-01T00:00:00Z", includeScriptOutput: true });
  for (const name of ["first", "supervisor", "main", "beside"]) {
    assertEquals(
      ["CONTAINER_NAME", "NODE_ID", "WORKFLOW_NAME", "DEADLINE", "INCLUDE_SCRIPT_OUTPUT"].map((key) =>
        envOf(pod, name, `ARGO_${key}`)
      ),
      [name, "wf-123", "wf", "2026-01-01T00:00:00Z", "true"],
    );
  }
  assertEquals(envOf(podFor(COMPANY), "main", "ARGO_DEADLINE"), "0001-01-01T00:00:00Z");
});

const TRACE = { traceId: "0123abcd00004000800000000000000f", spanId: "00f067aa0ba902b7" };

Deno.test("environment: containers have TRACEPARENT in W3C's format only if tracing is enabled", () => {
  const parents = (pod: ReturnType<typeof podFor>) =>
    [...pod.spec.initContainers ?? [], ...pod.spec.containers].map(({ name }) => envOf(pod, name, "TRACEPARENT"));
  for (const changes of [{}, LEGACY_LAYOUT]) {
    const traced = parents(podFor(COMPANY, { ...changes, trace: TRACE }));
    assertEquals(new Set(traced), new Set(["00-0123abcd00004000800000000000000f-00f067aa0ba902b7-01"]));
    assertEquals(new Set(parents(podFor(COMPANY, changes))), new Set([undefined]));
  }
});

Deno.test("environment: a TRACEPARENT in the template is kept", () => {
  const template: Template = { container: { ...IMAGE, env: [{ name: "TRACEPARENT", value: "mine" }] } };
  const pod = podFor(template, { trace: TRACE });
  assertEquals(envOf(pod, "main", "TRACEPARENT"), "mine");
  assertEquals(containerOf(pod, "main").env?.filter(({ name }) => name === "TRACEPARENT").length, 1);
});

Deno.test("environment: only executor containers have the pod, the workflow's UID and the instance", () => {
  const config = { ...CONFIG, instanceId: "one", env: [{ name: "EXTRA", value: "e" }] };
  const pod = podFor(COMPANY, { config });
  const fieldOf = (container: string, name: string) =>
    containerOf(pod, container).env?.find((variable) => variable.name === name)?.valueFrom?.fieldRef?.fieldPath;
  assertEquals(fieldOf("supervisor", "ARGO_POD_NAME"), "metadata.name");
  assertEquals(fieldOf("supervisor", "ARGO_POD_UID"), "metadata.uid");
  for (const [name, value] of [["ARGO_WORKFLOW_UID", "u-1"], ["ARGO_INSTANCE_ID", "one"], ["EXTRA", "e"]] as const) {
    assertEquals([envOf(pod, "supervisor", name), envOf(pod, "main", name)], [value, undefined]);
  }
  assertEquals(pod.metadata.labels?.["workflows.argoproj.io/controller-instanceid"], "one");
});

Deno.test("environment: progress is read every three seconds and reported every minute, unless an interval is zero", () => {
  const told = (config: object) => {
    const pod = podFor(CONTAINER, { config: { ...CONFIG, ...config } });
    return ["FILE", "PATCH_TICK_DURATION", "FILE_TICK_DURATION"].map((key) =>
      envOf(pod, "main", `ARGO_PROGRESS_${key}`)
    );
  };
  assertEquals(told({}), ["/var/run/argo/progress", "1m0s", "3s"]);
  assertEquals(told({ progressPatchTick: "0s" }), [undefined, undefined, undefined]);
  assertEquals(told({ progressFileTick: "0" }), [undefined, undefined, undefined]);
});

Deno.test("environment: the template, without input parameters, is set in containers that need it before it is staged, or that must not trust the staged file", () => {
  const template = { ...COMPANY, inputs: { parameters: [{ name: "p", value: "v" }] } };
  const carriers = (changes: Parameters<typeof podFor>[1]) => {
    const pod = podFor(template, changes);
    return [...pod.spec.initContainers ?? [], ...pod.spec.containers].map(({ name }) => name)
      .filter((name) => envOf(pod, name, "ARGO_TEMPLATE") !== undefined);
  };
  assertEquals(carriers({}), ["first", "supervisor"]);
  assertEquals(carriers(LEGACY_LAYOUT), ["init", "first", "wait"]);
  const staged = JSON.parse(envOf(podFor(template), "supervisor", "ARGO_TEMPLATE")!);
  assertEquals([staged.inputs, staged.name], [{}, "work"]);
});

Deno.test("environment: only the supervisor has the init-less flag, and only containers that it starts wait for READY", () => {
  const pod = podFor(COMPANY);
  const tell = (name: string) =>
    ["first", "supervisor", "main", "beside"].map((container) => envOf(pod, container, name));
  assertEquals(tell("ARGO_INITLESS_POD"), [undefined, "true", undefined, undefined]);
  assertEquals(tell("ARGO_WAIT_FOR_READY"), [undefined, undefined, "true", "true"]);
});
