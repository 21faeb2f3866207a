/**
 * Azurite, an emulator of Azure Blob Storage that verifies signatures. Tested with an account key and with a shared
 * access signature.
 */
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { sharedKey } from "../../../lib/stores/azure/credentials.ts";
import { driverFor } from "../../../lib/stores/driver_for.ts";
import type { Driver } from "@tiphys/model/artifact";
import { driverEnvironment } from "../../../lib/artifacts/testing/surroundings.ts";
import { serve } from "./process.ts";
import { npmPackage } from "./programs.ts";
import type { ServerKind } from "./server.ts";

const PART_BYTES = 256 * 1024;
const ACCOUNT = "devstoreaccount1";
/** The well-known account key of every Azurite. */
const KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

function placeAt(port: number, key: string, container = "bucket") {
  const endpoint = `http://127.0.0.1:${port}/${ACCOUNT}`;
  return { store: "azure", key, settings: { endpoint, container, accountKeySecret: { name: "s", key: "k" } } };
}

async function driverWithPlace(location: ReturnType<typeof placeAt>, secret: string) {
  const surroundings = driverEnvironment({ secrets: { "s/k": secret }, partBytes: PART_BYTES });
  return { driver: await driverFor(location, surroundings) as Driver, place: location };
}

/** Azurite. */
export const azurite: ServerKind = {
  name: "azurite",
  async start() {
    const folder = await npmPackage("azurite@3.37.0");
    const serving = await serve((port) => [
      ...["node", `${folder}/node_modules/azurite/dist/src/blob/main.js`, "--blobPort", String(port)],
      ...["--skipApiVersionCheck", "--inMemoryPersistence", "--silent"],
    ]);
    const { port } = serving;
    await makeContainer(port);
    const subjects = ([["key", KEY], ["signature", `?${sharedSignature()}`]] as const).map(([name, secret]) => ({
      name: `azure by ${name}`,
      driver: async (through = port) => (await driverWithPlace(placeAt(through, "x"), secret)).driver,
      place: (key: string, through = port) => placeAt(through, key),
      port,
      partBytes: PART_BYTES,
      cannot: { "AR-08": "Azure converts a backslash to a slash, so the driver rejects it" },
      noBucket: () => driverWithPlace(placeAt(port, "x", "none"), secret),
      wrongSecret: (through = port) => driverWithPlace(placeAt(through, "x"), btoa("wrong-secret-value")),
    }));
    return { subjects, [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose]() };
  },
};

async function makeContainer(port: number): Promise<void> {
  const headers = { "x-ms-date": new Date().toUTCString(), "x-ms-version": "2021-12-02" };
  const path = `/${ACCOUNT}/bucket`;
  const query = { restype: "container" };
  const authorization = sharedKey(ACCOUNT, KEY, { method: "PUT", path, query, headers, length: 0 });
  const answer = await fetch(`http://127.0.0.1:${port}${path}?restype=container`, {
    method: "PUT",
    headers: { ...headers, authorization },
  });
  await answer.body?.cancel();
}

/** A shared access signature of the account, with all permissions on blobs. */
function sharedSignature(): string {
  const fields = { sv: "2021-12-02", ss: "b", srt: "sco", sp: "rwdlac", se: "2099-01-01T00:00:00Z", spr: "https,http" };
  const { sv, ss, srt, sp, se, spr } = fields;
  const text = [ACCOUNT, sp, ss, srt, "", se, "", spr, sv, "", ""].join("\n");
  const sig = createHmac("sha256", Buffer.from(KEY, "base64")).update(text).digest("base64");
  return new URLSearchParams({ ...fields, sig }).toString();
}
