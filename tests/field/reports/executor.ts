/** Reports about the executor: its functions in a folder that stands for a pod, or next to a server. */
import type { HTTP } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import { PATH } from "@tiphys/base/constants";
import { openNet } from "@tiphys/base/net";
import { readParameters } from "../../../executor/after_main/outputs.ts";
import { doHttp } from "../../../executor/agent/http_request.ts";
import { linkInputs } from "../../../executor/before_main/link_inputs.ts";
import { testWorld } from "../../../executor/testing/world.ts";
import { at } from "../../../executor/world.ts";
import type { CallReport } from "../call_report.ts";

/** Performs the request of an HTTP template at a server with this answer. */
async function runHttp(http: Omit<HTTP, "url">, answer: () => Response) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  const net = openNet();
  try {
    const url = `http://127.0.0.1:${server.addr.port}`;
    const secret = () => Promise.reject(new TypeError("the request needs no secret"));
    return await doHttp({ net, clock: systemClock, secret }, { url, ...http }, new AbortController().signal);
  } finally {
    net.close();
    await server.shutdown();
  }
}

/** Reports about the executor. */
export const EXECUTOR: readonly CallReport[] = [
  {
    issues: [15084, 14853],
    behavior: "HTTP template: the whole body is read, although it follows long after the headers",
    argo: "before 4.0: context canceled, most of the time",
    call: () =>
      runHttp({ timeoutSeconds: 30, successCondition: `response.body endsWith "end"` }, () => {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const writer = writable.getWriter();
        const parts = [..."x".repeat(50), "end"].map((text) => new TextEncoder().encode(text));
        (async () => {
          for (const part of parts) await writer.write(part);
          await writer.close();
        })();
        return new Response(readable);
      }),
    returns: { phase: "Succeeded", outputs: { result: `${"x".repeat(50)}end` } },
  },
  {
    issues: [16402, 16395],
    behavior: "output parameter: a missing file with a default is no error and is not logged as one",
    async call() {
      await using world = await testWorld();
      const parameters = [{ name: "p", valueFrom: { path: "/out/p", default: "usual" } }];
      const problems: string[] = [];
      const values = readParameters(world, { container: {}, outputs: { parameters } }, ({ message }) => {
        problems.push(message);
      });
      return [values?.map(({ value }) => value), problems, world.logged.filter((line) => /error/i.test(line))];
    },
    returns: [["usual"], [], []],
  },
  {
    issues: [16738, 16728],
    behavior: "init-less pod: a working directory that an input artifact replaces is entered again",
    async call() {
      await using world = await testWorld();
      await world.write(`${PATH.inputArtifacts}/source/file`, "loaded");
      await Deno.mkdir(at(world, "/work"));
      const before = Deno.cwd();
      try {
        Deno.chdir(at(world, "/work"));
        await linkInputs(world, { container: {}, inputs: { artifacts: [{ name: "source", path: "/work" }] } });
        return await Deno.readTextFile("file");
      } finally {
        Deno.chdir(before);
      }
    },
    returns: "loaded",
  },
];
