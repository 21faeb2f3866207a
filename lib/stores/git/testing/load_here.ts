/** A program that loads a git artifact and prints one of its files. For root file systems of images. */
import type { TreeDriver } from "@tiphys/model/artifact";
import { driverEnvironment } from "../../../artifacts/testing/surroundings.ts";
import { makeDriver } from "../mod.ts";

const { settings, secrets, file } = JSON.parse(Deno.args[0]!) as {
  readonly settings: Record<string, unknown>;
  readonly secrets: Record<string, string>;
  readonly file: string;
};
const place = { store: "git", key: "", settings };
const driver = await makeDriver(place, driverEnvironment({ secrets, env: Deno.env.toObject() })) as TreeDriver;
const folder = await Deno.makeTempDir();
await driver.load(place, `${folder}/out`, new AbortController().signal);
console.log(Deno.readTextFileSync(`${folder}/out/${file}`));
