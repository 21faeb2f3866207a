/** A fake of the JSON API of Google Cloud Storage, in memory and without authentication. */
import { driverFor } from "../../../lib/stores/driver_for.ts";
import type { Driver } from "@tiphys/model/artifact";
import { driverEnvironment } from "../../../lib/artifacts/testing/surroundings.ts";
import { serve } from "./process.ts";
import { goProgram } from "./programs.ts";
import type { ServerKind } from "./server.ts";

const PART_BYTES = 256 * 1024;

async function driverWithPlace(port: number, key: string, bucket = "bucket") {
  const place = { store: "gcs", key, settings: { bucket } };
  const env = { STORAGE_EMULATOR_HOST: `127.0.0.1:${port}` };
  return { driver: await driverFor(place, driverEnvironment({ env, partBytes: PART_BYTES })) as Driver, place };
}

/** fake-gcs-server. */
export const fakeGcs: ServerKind = {
  name: "fake-gcs-server",
  async start() {
    const program = await goProgram("fake-gcs-server", "github.com/fsouza/fake-gcs-server@v1.56.1");
    const serving = await serve((port) => [
      program,
      ...["-scheme", "http", "-backend", "memory", "-host", "127.0.0.1", "-port", String(port)],
    ]);
    const { port } = serving;
    const answer = await fetch(`http://127.0.0.1:${port}/storage/v1/b`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "bucket" }),
    });
    await answer.body?.cancel();
    return {
      subjects: [{
        name: "gcs",
        driver: async (through = port) => (await driverWithPlace(through, "x")).driver,
        place: (key) => ({ store: "gcs", key, settings: { bucket: "bucket" } }),
        port,
        partBytes: PART_BYTES,
        noBucket: () => driverWithPlace(port, "x", "none"),
      }],
      [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
    };
  },
};
