/** Installs the programs of servers from the package registries of their languages, and caches them by version. */
import { hasProgram, runCommand } from "../../../scripts/command.ts";
import { Unavailable } from "./server.ts";

const CACHE = Deno.env.get("TIPHYS_CLUSTER_CACHE") ?? `${Deno.env.get("HOME") ?? "/root"}/.cache/tiphys`;

/** The path of a program of a Go module. Builds it on first use, which takes a minute or two. */
export async function goProgram(name: string, module: string): Promise<string> {
  const folder = await cachedFolder(`${name}-${module.split("@")[1]}`, async (target) => {
    if (!await hasProgram("go")) throw new Unavailable("Go is not installed");
    const env = { CGO_ENABLED: "0", GOFLAGS: "-trimpath -buildvcs=false", GOWORK: "off", GOBIN: target };
    await runOrSkip(["go", "install", "-ldflags", "-s -w", module], env);
  });
  return `${folder}/${name}`;
}

/** The path of a program of Python packages, which are installed into their own virtual environment. */
export async function pythonProgram(name: string, ...requirements: readonly string[]): Promise<string> {
  const folder = await cachedFolder(
    requirements.join("-").replaceAll(/[^A-Za-z0-9.]+/g, "-"),
    (target) => makePython(target, requirements),
  );
  return `${folder}/bin/${name}`;
}

/** The folder of a virtual environment with exactly the packages of a requirements file with hashes. */
export async function pythonEnvironment(name: string, requirements: string): Promise<string> {
  const sum = await shortSum(await Deno.readTextFile(requirements));
  return await cachedFolder(
    `${name}-${sum}`,
    (target) => makePython(target, ["--require-hashes", "--no-deps", "-r", requirements]),
  );
}

async function makePython(folder: string, install: readonly string[]): Promise<void> {
  if (!await hasProgram("python3")) throw new Unavailable("Python 3 is not installed");
  await runOrSkip(["python3", "-m", "venv", folder], {});
  await runOrSkip([`${folder}/bin/pip`, "install", "--quiet", ...install], {});
}

/** The first 12 hexadecimal digits of the SHA-256 of a text. Used in names of cached folders. */
export async function shortSum(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex().slice(0, 12);
}

/** The folder in which an npm package and its dependencies are installed. */
export async function npmPackage(requirement: string): Promise<string> {
  return await cachedFolder(requirement.replaceAll(/[^A-Za-z0-9.]+/g, "-"), async (target) => {
    if (!await hasProgram("npm")) throw new Unavailable("npm is not installed");
    await runOrSkip(
      ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", target, requirement],
      {},
    );
  });
}

/** Compiles a Java class `Main` against a Maven module (GROUP:NAME:VERSION). Returns the class path to run it. */
export async function mavenProgram(module: string, main: string): Promise<string> {
  const name = module.split(":").slice(1).join("-");
  for (const program of ["mvn", "javac"]) {
    if (!await hasProgram(program)) throw new Unavailable(`the program ${program} is not installed`);
  }
  const libraries = await cachedFolder(name, async (target) => {
    const [groupId, artifactId, version] = module.split(":");
    const dependency =
      `<groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>`;
    const own = "<modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>";
    const dependencies = `<dependencies><dependency>${dependency}</dependency></dependencies>`;
    await Deno.writeTextFile(`${target}/pom.xml`, `<project>${own}${dependencies}</project>`);
    const copy = ["dependency:copy-dependencies", `-DoutputDirectory=${target}/lib`];
    await runOrSkip(["mvn", "-q", "-B", "-f", `${target}/pom.xml`, ...copy], {});
  });
  // Cached separately: the libraries take minutes to download, and a change of the class does not affect them.
  const classes = await cachedFolder(`${name}-main-${await shortSum(main)}`, async (target) => {
    await Deno.writeTextFile(`${target}/Main.java`, main);
    await runOrSkip(["javac", "-cp", `${libraries}/lib/*`, "-d", target, `${target}/Main.java`], {});
  });
  return `${libraries}/lib/*:${classes}`;
}

/** The cached folder of a name. Creates it on first use, and again if its creation was interrupted. */
export async function cachedFolder(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = `${CACHE}/artifacts/${name}`;
  const marker = `${folder}/.whole`;
  if (await Deno.stat(marker).then(() => true, () => false)) return folder;
  console.error(`Installing ${name}`);
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  await make(folder);
  await Deno.writeTextFile(marker, "");
  return folder;
}

async function runOrSkip(command: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await runCommand(command, { env });
  // A wrong package hash is an error. Other failures may be due to the machine and skip the server.
  if (stderr.includes("DO NOT MATCH THE HASHES")) throw new Error(stderr);
  if (code !== 0) {
    throw new Unavailable(`\`${command.join(" ")}\` exited with ${code}: ${`${stdout}${stderr}`.trim().slice(-500)}`);
  }
}
