/** The suite's cases where names of services cannot be resolved: a copy with addresses in place of names. */

/** The names of the suite's store and of the servers of requests in a text. */
const SERVICE = /(?<=^\s*endpoint: )minio(?=:\d)|(?<=https?:\/\/)(?:httpbin|git-server)(?=:\d)/gm;

/** Copies the cases of a folder into another one, which it returns. */
export async function placeCases(from: string, to: string, address: string): Promise<string> {
  await copyFolder(`${from}/cases`, `${to}/cases`, address);
  await Deno.copyFile(`${from}/cases.json`, `${to}/cases.json`);
  return to;
}

async function copyFolder(from: string, to: string, address: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`];
    if (isDirectory) await copyFolder(source, target, address);
    else await Deno.writeTextFile(target, withAddress(await Deno.readTextFile(source), address));
  }
}

/** A text with the address of the suite's services in it. */
export function withAddress(text: string, address: string): string {
  return text.replace(SERVICE, address);
}
