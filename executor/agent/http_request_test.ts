import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { HTTP } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import { LIMITS } from "@tiphys/base/limits";
import { openNet } from "@tiphys/base/net";
import { ownCertificate } from "@tiphys/base/x509";
import { doHttp } from "./http_request.ts";
import { Plugins } from "./plugins.ts";

/** Runs `act` next to a server and passes it the requests that the server received. */
async function withServer(
  answer: (request: Request) => Response | Promise<Response>,
  act: (url: string, net: ReturnType<typeof openNet>) => Promise<void>,
  hostname = "127.0.0.1",
): Promise<void> {
  const server = Deno.serve({ port: 0, hostname, onListen() {} }, answer);
  const net = openNet();
  try {
    await act(`http://127.0.0.1:${server.addr.port}`, net);
  } finally {
    net.close();
    await server.shutdown();
  }
}

const never = new AbortController().signal;

async function runRequest(http: Omit<HTTP, "url">, answer: (request: Request) => Response | Promise<Response>) {
  let result;
  await withServer(answer, async (url, net) => {
    const secret = (name: string, key: string) => Promise.resolve(`${name} ${key}`);
    result = await doHttp({ net, clock: systemClock, secret }, { url, ...http }, never);
  });
  return result;
}

const CONDITIONS: Readonly<Record<string, { condition?: string; status: number; expectedResult: object }>> = {
  "http template: a status from 200 to 299 succeeds": { status: 201, expectedResult: { phase: "Succeeded" } },
  "http template: a status from 300 on fails": {
    status: 404,
    expectedResult: { phase: "Failed", message: "received non-2xx response code: 404" },
  },
  "http template: successCondition overrides the status": {
    condition: "response.statusCode == 404 && response.body == 'body'",
    status: 404,
    expectedResult: { phase: "Succeeded" },
  },
  "http template: a false successCondition fails with a message that quotes it": {
    condition: "response.statusCode == 404",
    status: 200,
    expectedResult: { phase: "Failed", message: "successCondition 'response.statusCode == 404' evaluated false" },
  },
  "http template: a successCondition that is not boolean fails": {
    condition: "response.statusCode + 1",
    status: 200,
    expectedResult: { phase: "Failed", message: "unable to cast expression result '%!s(int=201)' to bool" },
  },
};

for (const [rule, { condition, status, expectedResult }] of Object.entries(CONDITIONS)) {
  Deno.test(`${rule}, and the body is the result (T-AG-7)`, async () => {
    const result = await runRequest({ successCondition: condition }, () => new Response("body", { status }));
    assertEquals(result, { ...expectedResult, outputs: { result: "body" } });
  });
}

Deno.test("http template: headers from Secrets are sent but hidden from successCondition (T-AG-8)", async () => {
  const seen: (string | null)[] = [];
  const result = await runRequest({
    headers: [{ name: "x-open", value: "1" }, { name: "X-Key", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
    successCondition: `request.headers["X-Open"][0] == "1" && !("X-Key" in request.headers)`,
  }, ({ headers }) => {
    seen.push(headers.get("x-key"));
    return new Response("");
  });
  assertEquals([seen, result], [["s k"], { phase: "Succeeded", outputs: { result: "" } }]);
});

Deno.test("http template: method, body, Host and repeated headers are sent unchanged (T-AG-18)", async () => {
  let seen: unknown;
  await runRequest({
    method: "PUT",
    body: "abc",
    headers: [{ name: "Host", value: "other.example" }, { name: "A", value: "1" }, { name: "A", value: "2" }],
  }, async (request) => {
    seen = [request.method, new URL(request.url).host, request.headers.get("a"), await request.text()];
    return new Response("");
  });
  assertEquals(seen, ["PUT", "other.example", "1, 2", "abc"]);
});

Deno.test("http template: bodyFrom sends its bytes, or an empty body without bytes (AG-32)", async () => {
  for (const [bytes, text] of [[undefined, ""], ["YWJj", "abc"]]) {
    let seen: unknown;
    await runRequest({ method: "POST", bodyFrom: { bytes } }, async (request) => {
      seen = await request.text();
      return new Response("");
    });
    assertEquals(seen, text);
  }
});

Deno.test("http template: a response above the size limit fails (T-AG-17)", async () => {
  const message = `response body is larger than ${LIMITS.responseBytes} bytes`;
  await assertRejects(() => runRequest({}, () => new Response("x".repeat(5_000_000))), Error, message);
});

Deno.test("http template: follows at most ten redirects; a POST becomes GET after 302 and stays POST after 307", async () => {
  const methods: string[] = [];
  for (const status of [302, 307]) {
    await runRequest({ method: "POST", body: "x" }, ({ method, url }) => {
      methods.push(method);
      return new URL(url).pathname === "/"
        ? new Response(null, { status, headers: { location: "/to" } })
        : new Response("");
    });
  }
  assertEquals(methods, ["POST", "GET", "POST", "POST"]);
  const again = () => new Response(null, { status: 302, headers: { location: "/" } });
  await assertRejects(() => runRequest({}, again), Error, "stopped after 10 redirects");
});

Deno.test("http template: a redirect to another host drops credentials, even if it redirects back", async () => {
  const asks: (readonly (string | null)[])[] = [];
  const seen = ({ headers }: Request) => ["authorization", "x-key", "x-plain"].map((name) => headers.get(name));
  await withServer((request) => {
    asks.push(seen(request));
    const { pathname, port } = new URL(request.url);
    const to = { "/": `http://127.0.0.2:${port}/there`, "/there": `http://127.0.0.1:${port}/back` }[pathname];
    return to ? Response.redirect(to, 302) : new Response("x");
  }, async (url, net) => {
    const headers = [
      { name: "Authorization", value: "canary" },
      { name: "X-Key", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
      { name: "X-Plain", value: "plain" },
    ];
    const world = { net, clock: systemClock, secret: () => Promise.resolve("canary") };
    const { phase } = await doHttp(world, { url: url.replace("127.0.0.1", "localhost"), headers }, never);
    assertEquals(phase, "Succeeded");
  }, "0.0.0.0");
  assertEquals(asks, [["canary", "canary", "plain"], [null, null, "plain"], [null, null, "plain"]]);
});

Deno.test("http template: an untrusted certificate is rejected unless insecureSkipVerify is set (AG-30)", async () => {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {}, ...ownCertificate("somebody", new Date()) },
    () => new Response("hello"),
  );
  const net = openNet();
  const ask = (insecureSkipVerify: boolean) => {
    const secret = () => Promise.reject(new Error("unexpected read of a secret"));
    const http = { url: `https://localhost:${server.addr.port}`, insecureSkipVerify };
    return doHttp({ net, clock: systemClock, secret }, http, never);
  };
  const { phase, outputs } = await ask(true);
  assertEquals([phase, outputs?.result], ["Succeeded", "hello"]);
  await assertRejects(() => ask(false), Error, "certificate");
  net.close();
  await server.shutdown();
});

const WORKFLOW = { name: "w", namespace: "default", uid: "u" };

Deno.test("plugins: a plugin that responds 404 is not called again, and the next one is tried (T-AG-11)", async () => {
  let asks = 0;
  await withServer(() => {
    asks++;
    return new Response("", { status: 404 });
  }, (deaf, net) =>
    withServer(async (request) => {
      const { template } = await request.json();
      const isKnown = request.headers.get("authorization") === "Bearer t" && template.plugin.hello;
      return Response.json({ node: { phase: isKnown ? "Succeeded" : "Error" }, requeue: "2s" });
    }, async (address) => {
      const plugins = new Plugins({ net, clock: systemClock, workflow: WORKFLOW }, [
        { name: "deaf", address: deaf, token: "d" },
        { name: "other", address, token: "t" },
      ]);
      for (const _ of [1, 2]) {
        assertEquals(await plugins.execute({ plugin: { hello: {} } }, never), { result: { phase: "Succeeded" } });
      }
    }));
  assertEquals(asks, 1);
});

Deno.test("plugins: a response that is nested too deeply is rejected while parsing, with the position", async () => {
  // The text is also invalid JSON, so a full parse would fail with a different error.
  const text = `{"node": {"phase": "Succeeded", "outputs": ${"[".repeat(100_000)}`;
  await withServer(() => new Response(text), async (address, net) => {
    const plugins = new Plugins({ net, clock: systemClock, workflow: WORKFLOW }, [{ name: "p", address, token: "t" }]);
    const { message } = await assertRejects(() => plugins.execute({ plugin: {} }, never), Error);
    assertEquals(message.slice(0, message.indexOf(": n")), "executor plugin p returned an invalid response");
    assertStringIncludes(message, "node.outputs[0][0]");
    assertStringIncludes(message, "levels deep");
  });
});

Deno.test("plugins: hostile responses end with an error that names the plugin, after a bounded number of bytes", async () => {
  const page = new Uint8Array(65_536).fill(0x20);
  let given = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        given += page.length;
        controller.enqueue(page);
      },
    });
  const zeros = new Blob([new Uint8Array(64 << 20)]).stream().pipeThrough(new CompressionStream("gzip"));
  const bomb = new Uint8Array(await new Response(zeros).arrayBuffer());
  const responses: Readonly<Record<string, () => Response>> = {
    "a body without an end": () => new Response(endless()),
    "an error with a body without an end": () => new Response(endless(), { status: 500 }),
    "a gzip bomb": () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
    "a list": () => new Response("[]"),
    "a number": () => new Response("1"),
    "a text": () => new Response('"node"'),
    "HTML": () => new Response("<html>"),
    "JSON that breaks off": () => new Response('{"node": {"phase": "Succ'),
    "a phase that does not exist": () => new Response('{"node": {"phase": "Done"}}'),
    "a node of another type": () => new Response('{"node": [1]}'),
    "outputs of another type": () => new Response('{"node": {"phase": "Succeeded", "outputs": {"parameters": 1}}}'),
    "an invalid time": () => new Response('{"node": {"phase": "Running"}, "requeue": "soon"}'),
    "redirected to cloud metadata": () => Response.redirect("http://169.254.169.254/latest", 307),
    "redirected without an end": () => new Response(null, { status: 307, headers: { location: "/" } }),
    "bytes that are not UTF-8": () => new Response(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])),
  };
  for (const [title, response] of Object.entries(responses)) {
    given = 0;
    await withServer(response, async (address, net) => {
      const options = { net, clock: systemClock, workflow: WORKFLOW };
      const plugins = new Plugins(options, [{ name: "hostile", address, token: "t" }]);
      const { message } = await assertRejects(() => plugins.execute({ plugin: {} }, never), Error);
      assertStringIncludes(message, title.startsWith("redirect") ? "307" : "executor plugin hostile", title);
    });
    assertEquals(given < 64 << 20, true, `${title}: ${given} bytes`);
  }
});

Deno.test("plugins: a response without a node leaves the task to the next plugin", async () => {
  for (const answer of ["null", " null\n", "{}", "", '{"node": null}', '{"requeue": "1s"}', '{"node": null, "x": 1}']) {
    await withServer(
      () => new Response(answer),
      (first, net) =>
        withServer(() => Response.json({ node: { phase: "Succeeded" } }), async (address) => {
          const plugins = new Plugins({ net, clock: systemClock, workflow: WORKFLOW }, [
            { name: "first", address: first, token: "f" },
            { name: "second", address, token: "s" },
          ]);
          assertEquals(await plugins.execute({ plugin: {} }, never), { result: { phase: "Succeeded" } }, answer);
        }),
    );
  }
});

Deno.test("plugins: requeue sets the time of the next call until the node is completed (T-AG-12)", async () => {
  const answers = [{ node: { phase: "Running" }, requeue: "2s" }, {}];
  await withServer(() => Response.json(answers.shift()), async (address, net) => {
    const plugins = new Plugins({ net, clock: systemClock, workflow: WORKFLOW }, [{ name: "p", address, token: "t" }]);
    assertEquals(await plugins.execute({ plugin: {} }, never), { result: { phase: "Running" }, againMillis: 2000 });
    answers.unshift({ node: { phase: "Running" }, requeue: "0s" }, { node: { phase: "Running" }, requeue: "-1h" });
    for (const _ of ["0s", "-1h"]) {
      assertEquals((await plugins.execute({ plugin: {} }, never)).againMillis, 100);
    }
    const nobody = { phase: "Failed" as const, message: "no plugin executed the template" };
    assertEquals(await plugins.execute({ plugin: {} }, never), { result: nobody });
  });
});
