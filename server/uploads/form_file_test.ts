/** Hostile forms: each ends with an error for the client, or with the file, after a bounded number of bytes. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { WireError } from "../wire/errors.ts";
import { withFileOf } from "./form_file.ts";

const MAX_BYTES = 1 << 20;
const TYPE = "multipart/form-data; boundary=b";
const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
const END = "\r\n--b--\r\n";

/** A text, or one that is repeated without an end. */
interface Form {
  readonly title: string;
  readonly type?: string;
  readonly parts: readonly string[];
  readonly endless?: string;
  /** The size of the file, or the status and a part of the message of the error. */
  readonly expected: number | readonly [status: number, message: string];
}

const FORMS: readonly Form[] = [
  { title: "an ordinary form", parts: [`${HEAD}content${END}`], expected: 7 },
  { title: "an empty form", parts: ["--b--\r\n"], expected: [400, "no file in the field"] },
  { title: "no form at all", parts: [""], expected: [400, "Failed to parse multipart form"] },
  { title: "a boundary that does not occur", parts: [], endless: "x".repeat(65_536), expected: [413, "larger than"] },
  { title: "an endless file", parts: [HEAD], endless: "x".repeat(65_536), expected: [413, "larger than"] },
  {
    title: "headers without an end",
    parts: ["--b\r\n"],
    endless: "X-A: aaaaaaaa\r\n".repeat(4096),
    expected: [413, "larger than"],
  },
  {
    title: "one header without an end",
    parts: ["--b\r\nX-A: "],
    endless: "a".repeat(65_536),
    expected: [413, "larger than"],
  },
  {
    title: "fields without an end",
    parts: [],
    endless: '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n'.repeat(1000),
    expected: [413, "larger than"],
  },
  {
    title: "files without an end",
    parts: [],
    endless: '--b\r\nContent-Disposition: form-data; name="x"; filename="y"\r\n\r\nz\r\n'.repeat(1000),
    expected: [413, "larger than"],
  },
  { title: "boundaries without an end", parts: [], endless: "--b\r\n".repeat(10_000), expected: [413, "larger than"] },
  { title: "a file that breaks off", parts: [`${HEAD}content`], expected: [400, "Failed to parse multipart form"] },
  {
    title: "a field of a megabyte before the file",
    parts: [`--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n${"y".repeat(900_000)}\r\n${HEAD}content${END}`],
    expected: 7,
  },
  { title: "two files of one name", parts: [`${HEAD}content\r\n${HEAD}other content${END}`], expected: 7 },
  { title: "a type without a boundary", type: "multipart/form-data; a=b", parts: [], expected: [400, "oundary"] },
  {
    title: "a boundary of 64 KiB",
    type: `multipart/form-data; boundary=${"b".repeat(65_536)}`,
    parts: [`${HEAD}content${END}`],
    expected: [400, "Failed to parse multipart form"],
  },
  { title: "another type", type: "application/json", parts: ["{}"], expected: [400, "not multipart/form-data"] },
];

for (const { title, type = TYPE, parts, endless, expected } of FORMS) {
  Deno.test(`form: ${title} is ${typeof expected === "number" ? "accepted" : `refused with ${expected[0]}`}`, async () => {
    let given = 0;
    const encoder = new TextEncoder();
    const content = ReadableStream.from((function* () {
      for (const part of parts) yield encoder.encode(part);
      const page = encoder.encode(endless ?? "");
      for (; page.length > 0 && given < 64 << 20; given += page.length) yield page;
    })());
    let size = 0;
    const error = await withFileOf({ contentType: type, content, maxBytes: MAX_BYTES }, "file", async (file) => {
      for await (const part of file.content) size += part.length;
    }).then(() => undefined, (error: unknown) => error);
    if (typeof expected === "number") {
      assertEquals([error, size], [undefined, expected]);
    } else {
      assertEquals(error instanceof WireError ? error.status : error, expected[0]);
      assertStringIncludes((error as Error).message, expected[1]);
    }
    assertEquals(given < 2 * MAX_BYTES, true, `${given} bytes were read`);
  });
}
