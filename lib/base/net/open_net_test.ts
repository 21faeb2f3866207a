import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { fakeClock } from "../clock/testing/fake_clock.ts";
import { type Bytes, type HttpRequest, NetError, type Source } from "./net.ts";
import { type NetOptions, openNet } from "./open_net.ts";
import { type Script, scriptedServer, type Visit } from "./testing/scripted_server.ts";

const stop = new AbortController().signal;
const encoder = new TextEncoder();
const bytes = (text: string) => encoder.encode(text) as Bytes;

/** Content in parts of `part` bytes, which counts how often it was opened. */
function sourceOf(text: string, part = 7): Source & { opened: number } {
  const content = bytes(text);
  return {
    opened: 0,
    size: content.length,
    open(from, to) {
      this.opened++;
      const parts = [];
      for (let offset = from; offset < to; offset += part) {
        parts.push(content.slice(offset, Math.min(to, offset + part)));
      }
      return ReadableStream.from(parts);
    },
  };
}

const ok = (body: string, headers = "") => `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

/** Runs a test with a client and a server that follows these scripts. */
async function withServer(
  scripts: readonly Script[],
  use: (
    send: (request?: Partial<HttpRequest> & { path?: string }) => ReturnType<ReturnType<typeof openNet>["send"]>,
    server: ReturnType<typeof scriptedServer>,
  ) => Promise<void>,
  options: NetOptions = {},
): Promise<void> {
  await using server = scriptedServer(scripts);
  const net = openNet(options);
  try {
    await use(
      ({ path = "/", ...request } = {}) =>
        net.send({ method: "GET", url: new URL(server.url + path), stop, ...request }),
      server,
    );
  } finally {
    net.close();
  }
}

/** A script that responds to one request after another on one connection. */
function answers(...texts: readonly string[]): Script {
  return async (visit) => {
    for (const text of texts) {
      await visit.request();
      await visit.write(text);
    }
  };
}

Deno.test("openNet: sends a source with a Content-Length, not in chunks", async () => {
  let seen = "";
  await withServer([async (visit) => {
    seen = await visit.request();
    await visit.write(ok(""));
  }], async (send) => {
    await send({ method: "PUT", body: sourceOf("the content of a file") });
  });
  assertStringIncludes(seen, "\r\nContent-Length: 21\r\n");
  assertStringIncludes(seen, "\r\n\r\nthe content of a file");
  assert(!/chunked/i.test(seen));
});

Deno.test("openNet: sends content in memory with its length", async () => {
  for (const size of [1, 65_536, 65_537, 3_000_000]) {
    const content = new Uint8Array(size).fill(0x61);
    let seen = 0;
    await withServer([async (visit) => {
      const request = await visit.request();
      seen = request.slice(request.indexOf("\r\n\r\n") + 4).length;
      assertStringIncludes(request, `\r\nContent-Length: ${size}\r\n`);
      await visit.write(ok("stored"));
    }], async (send) => {
      const open = () => assert(false, "it was read as a stream") as never;
      assertEquals((await send({ method: "PUT", body: { size, open, whole: () => content } })).status, 200);
    });
    assertEquals(seen, size);
  }
});

Deno.test("openNet: sends the target unchanged, without the normalization of a URL", async () => {
  let seen = "";
  await withServer([async (visit) => {
    seen = await visit.request();
    await visit.write(ok(""));
  }], async (send) => void await send({ target: "/b/../a//./x%2F?y=%20" }));
  assertEquals(seen.split("\r\n")[0], "GET /b/../a//./x%2F?y=%20 HTTP/1.1");
});

Deno.test("openNet: consecutive requests share a connection", async () => {
  await withServer(
    [answers(ok("one"), ok(""), "HTTP/1.1 204 No Content\r\n\r\n", ok("four"))],
    async (send, server) => {
      assertEquals(await (await send()).text(), "one");
      await (await send()).discard();
      await send();
      assertEquals(await (await send()).text(), "four");
      assertEquals(server.visits, 1);
    },
  );
});

Deno.test("openNet: retries a request, with its content from the start, when a reused connection is closed", async () => {
  const source = sourceOf("content");
  const seen: string[] = [];
  await withServer([answers(ok("one")), async (visit) => {
    seen.push(await visit.request());
    await visit.write(ok("two"));
  }], async (send, server) => {
    await (await send()).text();
    assertEquals(await (await send({ method: "PUT", body: source })).text(), "two");
    assertEquals(server.visits, 2);
  });
  assertEquals(seen.length, 1);
  assertStringIncludes(seen[0] ?? "", "\r\n\r\ncontent");
});

Deno.test("openNet: never sends a POST on a reused connection, and so never twice", async () => {
  await withServer([answers(ok("one")), answers(ok("two"))], async (send, server) => {
    await (await send()).text();
    assertEquals(await (await send({ method: "POST", body: bytes("x") })).text(), "two");
    assertEquals(server.visits, 2);
  });
});

Deno.test("openNet: a new connection that ends without a response fails as retryable, without a retry", async () => {
  await withServer([async (visit) => void await visit.request()], async (send, server) => {
    const error = await assertRejects(() => send(), NetError, "closed the connection without a response");
    assertEquals([error.passes, server.visits], [true, 1]);
  });
});

for (
  const [title, answer] of [
    ["fewer bytes than announced", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"],
    ["chunks without an end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n"],
    ["half a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nshort"],
    ["half a head", "HTTP/1.1 200 OK\r\nContent-"],
  ] as const
) {
  Deno.test(`openNet: a response with ${title} fails as retryable`, async () => {
    await withServer([answers(answer)], async (send) => {
      const error = await assertRejects(async () => await (await send()).text(), NetError, "the response ended");
      assert(error.passes);
    });
  });
}

Deno.test("openNet: reads chunks, extensions and trailers, and reuses the connection", async () => {
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
    "5;x=y\r\nhello\r\nB\r\n, worlds 10\r\n0\r\nX-Sum: 1\r\n\r\n";
  await withServer([answers(chunked, ok("next"))], async (send, server) => {
    assertEquals(await (await send()).text(), "hello, worlds 10");
    assertEquals(await (await send()).text(), "next");
    assertEquals(server.visits, 1);
  });
});

Deno.test("openNet: skips a limited number of informational responses", async () => {
  const early = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
  await withServer([answers(early + "HTTP/1.1 100 Continue\r\n\r\n" + ok("at last"))], async (send) => {
    assertEquals(await (await send()).text(), "at last");
  });
  await withServer([answers(early.repeat(3000))], async (send) => {
    await assertRejects(() => send(), NetError, "more than 65536 bytes");
  });
});

Deno.test("openNet: a body without a length ends with the connection", async () => {
  await withServer([answers("HTTP/1.0 200 OK\r\n\r\nall of it")], async (send) => {
    assertEquals(await (await send()).text(), "all of it");
  });
});

for (
  const [title, answer, words] of [
    ["a head without end", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(70_000)}`, "more than 65536 bytes"],
    ["another protocol", "SSH-2.0-OpenSSH\r\n\r\n", "not an HTTP/1.1 response"],
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      "of the response is invalid",
    ],
    [
      "an unsupported coding",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      'coding "gzip, chunked"',
    ],
    [
      "a chunk longer than its size",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
      "longer than its size",
    ],
  ] as const
) {
  Deno.test(`openNet: a response with ${title} fails as not retryable`, async () => {
    await withServer([answers(answer)], async (send) => {
      const error = await assertRejects(async () => await (await send()).text(), NetError, words);
      assertEquals(error.passes, false);
    });
  });
}

Deno.test("openNet: a stalled server fails the request, before and during its response", async () => {
  const clock = fakeClock();
  const hang = Promise.withResolvers<void>();
  let asked = Promise.withResolvers<void>();
  const request = async (visit: Visit) => {
    await visit.request();
    asked.resolve();
  };
  await withServer([
    (visit) => request(visit).then(() => hang.promise),
    async (visit) => {
      await request(visit);
      await visit.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
      await hang.promise;
    },
  ], async (send) => {
    for (const ask of [() => send(), async () => await (await send()).text()]) {
      asked = Promise.withResolvers();
      const answer: Promise<unknown> = ask();
      // The connect timeout is not meant here.
      await Promise.race([asked.promise, answer]);
      const error = await assertRejects(() => clock.runUntil(answer), NetError, "stalled: no data for 60 s");
      assert(error.passes);
    }
    assert(clock.elapsed >= 120_000 && clock.elapsed < 160_000);
    hang.resolve();
  }, { clock });
});

Deno.test("openNet: reads the stall timeout from the environment and rejects an invalid duration with the variable's name", async () => {
  const clock = fakeClock();
  for (const [text, seconds] of [["90", 90], ["1m30s", 90], ["500ms", 0.5]] as const) {
    const hang = Promise.withResolvers<void>();
    const env = (name: string) => name === "ARTIFACT_STALL_TIMEOUT" ? text : undefined;
    const asked = Promise.withResolvers<void>();
    const script: Script = async (visit) => {
      await visit.request();
      asked.resolve();
      await hang.promise;
    };
    await withServer([script], async (send) => {
      const answer = send();
      await Promise.race([asked.promise, answer]);
      await assertRejects(() => clock.runUntil(answer), NetError, `no data for ${seconds} s`);
      hang.resolve();
    }, { clock, env });
  }
  for (const text of ["soon", "0", "-1s"]) {
    assertThrows(() => openNet({ env: () => text }), NetError, "ARTIFACT_STALL_TIMEOUT");
  }
});

Deno.test("openNet: reads the response of a server that rejects a large body early", async () => {
  await withServer([async (visit) => {
    await visit.until("\r\n\r\n");
    await visit.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
    await visit.until("never sent");
  }], async (send) => {
    const body: Source = {
      size: 1 << 30,
      open: () => new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) }),
    };
    const answer = await send({ method: "PUT", body });
    assertEquals([answer.status, await answer.text()], [403, "no"]);
  });
});

Deno.test("openNet: content with a different size than announced fails as not retryable", async () => {
  const ten = { open: () => sourceOf("ten bytes!").open(0, 10) };
  const atOnce = { ...ten, whole: () => bytes("ten bytes!") };
  for (const body of [ten, atOnce].flatMap((content) => [{ ...content, size: 3 }, { ...content, size: 30 }])) {
    await withServer([async (visit) => void await visit.until("never sent")], async (send) => {
      const error = await assertRejects(() => send({ method: "PUT", body }), NetError, "changed while it was sent");
      assertEquals(error.passes, false);
    });
  }
});

Deno.test("openNet: aborting a request that waits for a response rejects with the signal's reason", async () => {
  const cut = new AbortController();
  const reason = new Error("not wanted");
  await withServer([async (visit) => {
    await visit.request();
    cut.abort(reason);
    await visit.until("never sent");
  }], async (send) => {
    assertStrictEquals(await send({ stop: cut.signal }).then(() => undefined, (error: unknown) => error), reason);
  });
});

Deno.test("openNet: an error of the content is thrown unchanged", async () => {
  const broken = new Error("the disk is gone");
  const open = () => new ReadableStream<Uint8Array<ArrayBuffer>>({ pull: (controller) => controller.error(broken) });
  await withServer([async (visit) => void await visit.until("never sent")], async (send) => {
    const sent = send({ method: "PUT", body: { size: 3, open } });
    assertStrictEquals(await sent.then(() => undefined, (error: unknown) => error), broken);
  });
});

Deno.test("openNet: aborting during the response rejects with the signal's reason, and an aborted request is not sent", async () => {
  await withServer([async (visit) => {
    await visit.request();
    await visit.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    await visit.until("never sent");
  }], async (send) => {
    const cut = new AbortController();
    const answer = await send({ stop: cut.signal });
    const reader = answer.body.getReader();
    await reader.read();
    const rest = assertRejects(() => reader.read(), Error, "not wanted");
    cut.abort(new Error("not wanted"));
    await rest;
    await assertRejects(() => send({ stop: cut.signal }), Error, "not wanted");
  });
});

Deno.test("openNet: text() reads at most the requested bytes", async () => {
  await withServer([answers(ok("0123456789".repeat(100)))], async (send) => {
    assertEquals(await (await send()).text(12), "012345678901");
  });
});

Deno.test("openNet: rejects a header with a line break before sending", async () => {
  await withServer([answers(ok(""))], async (send, server) => {
    await assertRejects(() => send({ headers: { "x-a": "1\r\nX-B: 2" } }), TypeError, '"x-a"');
    await assertRejects(() => send({ headers: { "x a": "1" } }), TypeError);
    await assertRejects(() => send({ target: "/a b" }), TypeError);
    assertEquals(server.visits, 0);
  });
});

Deno.test("openNet: an unresolved name and a closed port fail as retryable, with readable messages", async () => {
  const net = openNet();
  const send = (url: string) => net.send({ method: "GET", url: new URL(url), stop });
  const unknown = await assertRejects(
    () => send("http://nobody.invalid/"),
    NetError,
    "the name nobody.invalid cannot be resolved",
  );
  const refused = await assertRejects(
    () => send("http://127.0.0.1:1/"),
    NetError,
    "http://127.0.0.1:1: connection refused",
  );
  assertEquals([unknown.passes, refused.passes], [true, true]);
  net.close();
});

Deno.test("openNet: user and password of a URL are sent as basic authorization and never appear in errors", async () => {
  let seen = "";
  await withServer([async (visit) => void (seen = await visit.request())], async (_, server) => {
    const net = openNet();
    const url = new URL(`http://j%C3%BC:p%3Aw@127.0.0.1:${server.port}/`);
    const error = await assertRejects(() => net.send({ method: "GET", url, stop }), NetError);
    assert(!/p%3Aw|p:w/.test(error.message));
    net.close();
  });
  assertStringIncludes(seen, `Authorization: Basic ${encoder.encode("jü:p:w").toBase64()}\r\n`);
});
