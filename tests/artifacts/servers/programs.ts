/** The programs of servers, from the registries of their languages, kept by their versions. */
import { hasProgram, runCommand } from "../../../scripts/command.ts";
import { NotHere } from "./server.ts";

const CACHE = Deno.env.get("TIPHYS_CLUSTER_CACHE") ?? `${Deno.env.get("HOME") ?? "/root"}/.cache/tiphys`;

/** A program of a Go module, built when it is not there yet: a minute or two with a cold cache. */
export async function goProgram(name: string, module: string): Promise<string> {
  const folder = await kept(`${name}-${module.split("@")[1]}`, async (making) => {
    if (!await hasProgram("go")) throw new NotHere("it is built by Go, which is not installed");
    const env = { CGO_ENABLED: "0", GOFLAGS: "-trimpath -buildvcs=false", GOWORK: "off", GOBIN: making };
    await must(["go", "install", "-ldflags", "-s -w", module], env);
  });
  return `${folder}/${name}`;
}

/** A program of packages of Python, in an environment of its own. */
export async function pythonProgram(name: string, ...requirements: readonly string[]): Promise<string> {
  const folder = await kept(
    requirements.join("-").replaceAll(/[^A-Za-z0-9.]+/g, "-"),
    (making) => makePython(making, requirements),
  );
  return `${folder}/bin/${name}`;
}

/** An environment of Python with the packages of a file of requirements with hashes, and nothing else. */
export async function pythonEnvironment(name: string, requirements: string): Promise<string> {
  const sum = await shortSum(await Deno.readTextFile(requirements));
  return await kept(
    `${name}-${sum}`,
    (making) => makePython(making, ["--require-hashes", "--no-deps", "-r", requirements]),
  );
}

async function makePython(folder: string, install: readonly string[]): Promise<void> {
  if (!await hasProgram("python3")) throw new NotHere("it is a program of Python, which is not installed");
  await must(["python3", "-m", "venv", folder], {});
  await must([`${folder}/bin/pip`, "install", "--quiet", ...install], {});
}

/** The beginning of the SHA-256 of a text: names what was made of it. */
export async function shortSum(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex().slice(0, 12);
}

/** The folder of a package of npm, with what it stands on. */
export async function npmPackage(requirement: string): Promise<string> {
  return await kept(requirement.replaceAll(/[^A-Za-z0-9.]+/g, "-"), async (making) => {
    if (!await hasProgram("npm")) throw new NotHere("it is a program of Node.js, which is not installed");
    await must(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", making, requirement], {});
  });
}

/** The class path of a class `Main` of Java, compiled, with the libraries of a module (GROUP:NAME:VERSION). */
export async function mavenProgram(module: string, main: string): Promise<string> {
  const name = module.split(":").slice(1).join("-");
  for (const program of ["mvn", "javac"]) {
    if (!await hasProgram(program)) throw new NotHere(`it takes the program ${program}, which is not installed`);
  }
  const libraries = await kept(name, async (making) => {
    const [groupId, artifactId, version] = module.split(":");
    const dependency =
      `<groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>`;
    const own = "<modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>";
    const dependencies = `<dependencies><dependency>${dependency}</dependency></dependencies>`;
    await Deno.writeTextFile(`${making}/pom.xml`, `<project>${own}${dependencies}</project>`);
    const copy = ["dependency:copy-dependencies", `-DoutputDirectory=${making}/lib`];
    await must(["mvn", "-q", "-B", "-f", `${making}/pom.xml`, ...copy], {});
  });
  // The libraries take minutes to get, so a class that changed does without getting them anew.
  const classes = await kept(`${name}-main-${await shortSum(main)}`, async (making) => {
    await Deno.writeTextFile(`${making}/Main.java`, main);
    await must(["javac", "-cp", `${libraries}/lib/*`, "-d", making, `${making}/Main.java`], {});
  });
  return `${libraries}/lib/*:${classes}`;
}

/** The folder of a name, made when it is not there: one whose making was interrupted is made anew. */
export async function kept(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = `${CACHE}/artifacts/${name}`;
  const whole = `${folder}/.whole`;
  if (await Deno.stat(whole).then(() => true, () => false)) return folder;
  console.error(`Getting ${name}`);
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  await make(folder);
  await Deno.writeTextFile(whole, "");
  return folder;
}

async function must(command: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await runCommand(command, { env });
  // A package that is not the one that was chosen is no lack of the machine.
  if (stderr.includes("DO NOT MATCH THE HASHES")) throw new Error(stderr);
  if (code !== 0) {
    throw new NotHere(`\`${command.join(" ")}\` ended with ${code}: ${`${stdout}${stderr}`.trim().slice(-500)}`);
  }
}
