/** sprig's functions on slash-separated paths. Those named `os…` are the same on Linux. */
import { BOOL, STRING } from "@tiphys/base/go";
import { define, type Functions } from "./define.ts";

/** Like `path.Clean`: returns the shortest equivalent path. */
export function cleanPath(path: string): string {
  if (path === "") return ".";
  const rooted = path.startsWith("/");
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (out.length > 0 && out.at(-1) !== "..") out.pop();
    else if (!rooted) out.push("..");
  }
  return (rooted ? "/" : "") + out.join("/") || (rooted ? "/" : ".");
}

function base(path: string): string {
  if (path === "") return ".";
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  const trimmed = path.slice(0, end);
  return trimmed === "" ? "/" : trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

function extension(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot);
}

const clean = define("string", STRING, cleanPath);
const baseName = define("string", STRING, base);
const dir = define("string", STRING, (path: string) => cleanPath(path.slice(0, path.lastIndexOf("/") + 1)));
const ext = define("string", STRING, extension);
const isAbs = define("string", BOOL, (path: string) => path.startsWith("/"));

export const PATHS: Functions = {
  base: baseName,
  osBase: baseName,
  dir,
  osDir: dir,
  clean,
  osClean: clean,
  ext,
  osExt: ext,
  isAbs,
  osIsAbs: isAbs,
};
