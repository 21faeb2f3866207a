/** The image in which functions of Hera's workflows run: this machine's Python with Hera and its examples. */
import { outputOf } from "../../scripts/command.ts";
import { writeImageLayout } from "../../scripts/oci_layout.ts";
import { heraExamples } from "./python.ts";
import { cachedFolder, shortSum } from "../artifacts/servers/programs.ts";

const HERE = new URL(".", import.meta.url).pathname;

/** Returns the image as an OCI layout folder. Builds it once per Python and version of `image_root.py`. */
export async function pythonImage(python: string): Promise<string> {
  const program = `${HERE}python/image_root.py`;
  const version = await outputOf([python, "-c", "import sys; print(sys.version)"]);
  const sum = await shortSum(`${python}\n${version}${await Deno.readTextFile(program)}`);
  return await cachedFolder(`clients-image-${sum}`, async (target) => {
    await outputOf([python, program, `${target}/root`], { env: { HERA_EXAMPLES: await heraExamples() } });
    await writeImageLayout(target, { roots: [`${target}/root`], reference: "python:1", cmd: ["python"] });
    await Deno.remove(`${target}/root`, { recursive: true });
  });
}
