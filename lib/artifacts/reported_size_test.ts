import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Script, scriptedServer } from "../base/net/testing/scripted_server.ts";
import { openNet } from "@tiphys/base/net";
import { type ContentInfo, type Driver, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "../stores/driver_for.ts";
import { driverEnvironment } from "./testing/surroundings.ts";

const stop = new AbortController().signal;
const KEYS = { accessKeySecret: { name: "s", key: "key" }, secretKeySecret: { name: "s", key: "key" } };

/** A location at a server, and the response of a store with one file of the given size. */
interface SizeCase {
  readonly settings: (host: string) => Readonly<Record<string, unknown>>;
  readonly answer: (size: string) => string;
}

const head = (size: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`;
const json = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

const STORES: Readonly<Record<string, SizeCase>> = {
  s3: {
    settings: (endpoint) => ({ endpoint, bucket: "b", region: "r", insecure: true, ...KEYS }),
    answer: head,
  },
  oss: { settings: (host) => ({ endpoint: `http://${host}`, bucket: "b", ...KEYS }), answer: head },
  azure: {
    settings: (host) => ({ endpoint: `http://${host}/a`, container: "c", accountKeySecret: { name: "s", key: "key" } }),
    answer: head,
  },
  gcs: { settings: () => ({ bucket: "b" }), answer: (size) => json(JSON.stringify({ name: "d", size })) },
  http: {
    settings: (host) => ({ url: `http://${host}/d` }),
    answer: (size) => `HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/${size}\r\nContent-Length: 1\r\n\r\nx`,
  },
  hdfs: {
    settings: (host) => ({ addresses: [`http://${host}`], hdfsUser: "me" }),
    answer: (size) =>
      json(`{"FileStatus":{"pathSuffix":"","type":"FILE","modificationTime":1,"length":${size.split(",")[0]}}}`),
  },
};

/** Returns the file that a store finds, with one response to every request, or one per request. */
async function findReported(store: string, answer: string | ((request: string) => string)): Promise<ContentInfo> {
  const script: Script = async (visit) => {
    for (let request = await visit.request(); request !== ""; request = await visit.request()) {
      await visit.write(typeof answer === "string" ? answer : answer(request));
    }
  };
  await using server = scriptedServer([script, script]);
  const host = `127.0.0.1:${server.port}`;
  const net = openNet();
  const environment = driverEnvironment({ net, secrets: { "s/key": "a2V5" }, env: { STORAGE_EMULATOR_HOST: host } });
  const place = { store, key: "d", settings: STORES[store]!.settings(host) };
  try {
    const driver = await driverFor(place, environment) as Driver;
    return await driver.find(place, stop);
  } finally {
    net.close();
  }
}

for (const [store, { answer }] of Object.entries(STORES)) {
  Deno.test(`parseReportedSize: a file of ${store} has the size that its store reports, unless that is invalid`, async (t) => {
    assertEquals((await findReported(store, answer("7"))).size, 7);
    for (const size of ["1000000000000000", "-1", "1e3", "0.5"]) {
      // A value that is not a number is not a valid range, and is ignored.
      if (store === "http" && size !== "1000000000000000") continue;
      // JSON reads this text as the number 1000.
      if (store === "hdfs" && size === "1e3") continue;
      await t.step(size, async () => {
        const { kind, message } = await assertRejects(() => findReported(store, answer(size)), StoreError);
        assertStringIncludes(message, `failed: "${store === "hdfs" ? Number(size) : size}" is not a valid file size`);
        assertEquals(kind, "final");
      });
    }
  });
}

for (const store of ["s3", "oss", "azure"]) {
  Deno.test(`parseReportedSize: a file of ${store} has no size if the response contains no size, and one that is repeated is accepted`, async () => {
    assertEquals((await findReported(store, "HTTP/1.1 200 OK\r\n\r\n")).size, undefined);
    assertEquals((await findReported(store, head("7, 7"))).size, 7);
    await assertRejects(() => findReported(store, head("7, 8")), StoreError, '"7, 8" is not a valid file size');
  });
}

Deno.test("parseReportedSize: if an S3 store rejects HEAD, the size of the whole file is used, never the size of a part", async () => {
  const part = (total: string) =>
    `HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/${total}\r\nContent-Length: 1\r\n\r\nx`;
  const sizes: [answer: string, size: number | undefined][] = [
    [part("7"), 7],
    [part("*"), undefined],
    ["HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 3],
  ];
  const refused = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
  for (const [answer, size] of sizes) {
    assertEquals((await findReported("s3", (request) => request.startsWith("HEAD") ? refused : answer)).size, size);
  }
});
