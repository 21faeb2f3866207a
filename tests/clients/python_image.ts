/** The image of functions that workflows of Hera run: this machine's Python with Hera and its examples. */
import { outputOf } from "../../scripts/command.ts";
import { writeImageLayout } from "../../scripts/oci_layout.ts";
import { heraExamples } from "./python.ts";
import { kept, shortSum } from "../artifacts/servers/programs.ts";

const HERE = new URL(".", import.meta.url).pathname;

/** The image as an OCI layout folder, made once of a Python and the program that says what is in it. */
export async function pythonImage(python: string): Promise<string> {
  const program = `${HERE}python/image_root.py`;
  const version = await outputOf([python, "-c", "import sys; print(sys.version)"]);
  const sum = await shortSum(`${python}\n${version}${await Deno.readTextFile(program)}`);
  return await kept(`clients-image-${sum}`, async (making) => {
    await outputOf([python, program, `${making}/root`], { env: { HERA_EXAMPLES: await heraExamples() } });
    await writeImageLayout(making, { roots: [`${making}/root`], reference: "python:1", cmd: ["python"] });
    await Deno.remove(`${making}/root`, { recursive: true });
  });
}
