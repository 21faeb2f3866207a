import { assertEquals, assertRejects } from "@std/assert";
import { CHANNEL } from "@tiphys/kube/exec";
import { EXEC_INPUT_AHEAD, MAX_EXEC_INPUT } from "../limits.ts";
import { streamsOver } from "./exec_streams.ts";
import { memorySocketPair } from "./memory_socket.ts";

/** The client's end of a socket, whose messages reach the other end. */
function client() {
  const [near, far] = memorySocketPair("v5.channel.k8s.io");
  const received: number[][] = [];
  near.onmessage = ({ data }) => received.push([...new Uint8Array(data as ArrayBuffer)]);
  const say = (...bytes: number[]) => near.send(Uint8Array.from(bytes));
  return { near, far, received, say };
}

Deno.test("streamsOver: passes the client's input to the command until its end", async () => {
  const { far, say } = client();
  const { input } = streamsOver(far, { hasInput: true });
  say(CHANNEL.stdin, 1, 255);
  say(CHANNEL.stdin);
  say(CHANNEL.stdin, 0);
  say(CHANNEL.close, CHANNEL.stdin);
  const chunks = await Array.fromAsync(input!, (chunk) => [...chunk]);
  assertEquals(chunks, [[1, 255], [0]]);
});

Deno.test("streamsOver: if the client disconnects, the input ends and the output fails", async () => {
  const { near, far, say } = client();
  const { input, output } = streamsOver(far, { hasInput: true });
  say(CHANNEL.stdin, 1);
  near.close();
  assertEquals(await Array.fromAsync(input!, (chunk) => [...chunk]), [[1]]);
  await assertRejects(() => Promise.resolve(output("stdout", Uint8Array.of(1))), Error, "The client has disconnected");
});

Deno.test("streamsOver: has no input if the client sends none, and sends output on its channels", async () => {
  const { far, received } = client();
  const { input, output } = streamsOver(far, { hasInput: false });
  assertEquals(input, undefined);
  await output("stdout", Uint8Array.of(255, 0));
  await output("stderr", Uint8Array.of(7));
  await Promise.resolve();
  assertEquals(received, [[CHANNEL.stdout, 255, 0], [CHANNEL.stderr, 7]]);
});

Deno.test("streamsOver: fails the input of a command that leaves too much of it unread", async () => {
  const { near, far } = client();
  const { input } = streamsOver(far, { hasInput: true });
  const piece = new Uint8Array(1 + (1 << 20));
  piece[0] = CHANNEL.stdin;
  for (let bytes = 0; bytes <= MAX_EXEC_INPUT; bytes += piece.length - 1) near.send(piece);
  await Promise.resolve();
  await assertRejects(
    () => Array.fromAsync(input!),
    Error,
    `more than ${MAX_EXEC_INPUT} bytes of its input were unread`,
  );
});

Deno.test("streamsOver: holds back a client that is far ahead, until its command has read all input", async () => {
  const { near, far } = client();
  const told: string[] = [];
  const holdBack = () => {
    told.push("held");
    return () => void told.push("let go");
  };
  const { input } = streamsOver(far, { hasInput: true, holdBack });
  const piece = new Uint8Array(1 + (1 << 20));
  piece[0] = CHANNEL.stdin;
  for (let bytes = 0; bytes <= EXEC_INPUT_AHEAD; bytes += piece.length - 1) near.send(piece);
  await Promise.resolve();
  assertEquals(told, ["held"]);
  const reader = input!.getReader();
  for (let bytes = 0; bytes <= EXEC_INPUT_AHEAD; bytes += piece.length - 1) await reader.read();
  assertEquals(told, ["held"]);
  const next = reader.read();
  assertEquals(told, ["held", "let go"]);
  near.close();
  assertEquals((await next).done, true);
});

Deno.test("streamsOver: holds back a client that sends many small messages", async () => {
  const { near, far } = client();
  let isHeld = false;
  const holdBack = () => {
    isHeld = true;
    return () => {};
  };
  const { input } = streamsOver(far, { hasInput: true, holdBack });
  for (let count = 0; count < EXEC_INPUT_AHEAD / 200; count++) near.send(Uint8Array.of(CHANNEL.stdin, 1));
  await Promise.resolve();
  assertEquals(isHeld, true);
  await input!.cancel();
});
