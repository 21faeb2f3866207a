#!/usr/bin/env node
/**
 * Starts Deno, which is a package of npm too, with the bundled command line, where launcher.sh does not find it. Runs in
 * Node.js, so it is written for that, and nothing imports it.
 */
"use strict";
const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { constants } = require("node:os");
const path = require("node:path");

const BAD_INPUT = 2;
/** Our bundle is all there is: nothing is looked for around it, and nothing is fetched. */
const FLAGS = ["run", "--allow-all", "--no-prompt", "--no-config", "--no-lock", "--no-npm", "--no-remote"];
const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** The program of the package `deno`; where npm ran no install scripts, that package finds it now, without a network. */
function denoProgram() {
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  const installed = path.join(path.dirname(require.resolve("deno/package.json")), name);
  return existsSync(installed) ? installed : require("deno/install_api.cjs").runInstall();
}

function refuse(error) {
  const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
  const cure = /musl/i.test(why)
    ? "The npm package of Deno has no program for musl (Alpine): take an image with glibc (node:22-slim), " +
      "or the container image docker.io/tiphys/workflow-controller"
    : "Install again, with optional dependencies: npm install --include=optional tiphys";
  console.error(`tiphys: Deno cannot be started: ${why}\n${cure}`);
  process.exit(BAD_INPUT);
}

function main() {
  const script = path.join(__dirname, "lib", "tiphys", "main.js");
  const child = spawn(denoProgram(), [...FLAGS, script, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of PASSED_ON) process.on(signal, () => child.kill(signal));
  child.on("error", refuse);
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

try {
  main();
} catch (error) {
  refuse(error);
}
