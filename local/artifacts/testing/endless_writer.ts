/** A program that writes the object `endless` without an end to the store in the variable `WRITER`. */
import type { Driver } from "@tiphys/model/artifact";
import { makeDriver } from "../../../lib/stores/s3/mod.ts";
import { driverEnvironment } from "../../../lib/artifacts/testing/surroundings.ts";

const { settings, ...around } = JSON.parse(Deno.env.get("WRITER")!);
const place = { store: "s3", key: "endless", settings };
const driver = await makeDriver(place, driverEnvironment(around)) as Driver;
const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
  pull: (stream) => stream.enqueue(new Uint8Array(65_536)),
}, { highWaterMark: 0 });
await driver.write(place, endless, new AbortController().signal);
