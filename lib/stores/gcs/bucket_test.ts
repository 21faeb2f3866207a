import { assertEquals, assertRejects } from "@std/assert";
import { type Driver, type DriverEnvironment, StoreError } from "@tiphys/model/artifact";
import { type Answer, scriptedNet, type SentRequest } from "../s3/testing/scripted_net.ts";
import { driverEnvironment, sourceOf } from "../../artifacts/testing/surroundings.ts";
import { makeDriver } from "./mod.ts";

const stop = new AbortController().signal;
const PART = 256 * 1024;
const SESSION = "http://gcs.example/session";

/** A retry policy of three attempts that counts them. */
function tries() {
  const failed: string[] = [];
  const again: DriverEnvironment["retry"] = async (_, act) => {
    for (let count = 1;; count++) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof StoreError) || error.kind !== "transient" || count === 3) throw error;
        failed.push(error.message);
      }
    }
  };
  return { failed, again };
}

/** Uploads two and a half parts to a session with these responses. Returns the received ranges. */
async function upload(answer: (sent: SentRequest, number: number) => Answer, retry?: DriverEnvironment["retry"]) {
  const net = scriptedNet((sent) => {
    if (sent.line.startsWith("POST")) return { headers: { location: SESSION } };
    if (sent.line.startsWith("DELETE")) return { status: 499 };
    return answer(sent, net.sent.filter(({ line }) => line.startsWith("PUT")).length);
  });
  const env = { STORAGE_EMULATOR_HOST: "gcs.example" };
  const environment = { ...driverEnvironment({ net, env, partBytes: PART }), retry };
  const driver = await makeDriver({ store: "gcs", key: "a", settings: { bucket: "b" } }, environment) as Driver;
  const writing = driver.write(
    { store: "gcs", key: "a", settings: {} },
    sourceOf(new Uint8Array(PART * 2 + 10)),
    stop,
  );
  const ranges = () =>
    net.sent.filter(({ line }) => line.startsWith("PUT")).map(({ headers }) => headers["content-range"]);
  return { writing, ranges, net };
}

const done: Answer = { body: `{"name":"a","size":"${PART * 2 + 10}"}` };

/** Returns the correct response of a session to a range. */
function correctAnswer({ headers }: SentRequest): Answer {
  const [, last, total] = /-(\d+)\/(.*)$/.exec(headers["content-range"] ?? "") ?? [];
  return total === "*" ? { status: 308, headers: { range: `bytes=0-${last}` } } : done;
}

Deno.test("upload: a part that an overloaded server rejects is retried, and continues from what the server has", async () => {
  const { failed, again } = tries();
  const { writing, ranges } = await upload((sent, number) => {
    if (number === 2) return { status: 503 };
    if (number === 3) return { status: 308, headers: { range: `bytes=0-${PART + 99}` } };
    return correctAnswer(sent);
  }, again);
  assertEquals((await writing).size, PART * 2 + 10);
  assertEquals(failed.length, 1);
  assertEquals(ranges(), [
    `bytes 0-${PART - 1}/*`,
    `bytes ${PART}-${2 * PART - 1}/*`,
    "bytes */*",
    `bytes ${PART + 100}-${2 * PART - 1}/*`,
    `bytes ${2 * PART}-${2 * PART + 9}/${2 * PART + 10}`,
  ]);
});

Deno.test("upload: a part whose response was lost is not sent again if the server has the object", async () => {
  const { again } = tries();
  const { writing, ranges } = await upload(
    (sent, number) => number === 3 ? { status: 500 } : number === 4 ? done : correctAnswer(sent),
    again,
  );
  assertEquals((await writing).size, PART * 2 + 10);
  assertEquals(ranges().length, 4);
});

Deno.test("upload: ends when the retry policy does for a server that stores nothing, and cancels the session", async () => {
  const { failed, again } = tries();
  const { writing, net } = await upload(() => ({ status: 308 }), again);
  assertEquals((await assertRejects(() => writing, StoreError, "did not keep")).kind, "transient");
  assertEquals([failed.length, net.sent.at(-1)?.line], [2, "DELETE /session"]);
});

Deno.test("upload: without a retry policy, a part is sent once", async () => {
  const { writing, ranges } = await upload(() => ({ status: 503 }));
  await assertRejects(() => writing, StoreError);
  assertEquals(ranges().length, 1);
});
