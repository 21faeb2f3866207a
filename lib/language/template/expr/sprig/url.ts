/** sprig's functions on URLs, parsed like in Go. */
import { ANY_MAP, fromBytes, ownEntry, quote, STRING, toBytes, typeOf, type ValueMap } from "@tiphys/base/go";
import { BudgetFailure, fail, RunFailure } from "../failure.ts";
import { define, type Functions, makeMap } from "./define.ts";

interface Url {
  scheme: string;
  opaque: string;
  userinfo: string;
  host: string;
  path: string;
  query: string;
  fragment: string;
}

/** The characters that are not escaped, for each part of a URL. */
const UNESCAPED = {
  path: /[A-Za-z0-9\-_.~$&+,/:;=@]/,
  user: /[A-Za-z0-9\-_.~$&+,;=]/,
  host: /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/,
  fragment: /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/,
} as const;

function escapePart(text: string, part: keyof typeof UNESCAPED): string {
  let out = "";
  for (const byte of toBytes(text)) {
    const character = String.fromCharCode(byte);
    const kept = byte < 0x80 && UNESCAPED[part].test(character);
    out += kept ? character : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
  }
  return out;
}

function unescapePart(text: string): string {
  const odd = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/.exec(text);
  if (odd !== null) fail(`invalid URL escape ${quote(odd[0])}`);
  if (!text.includes("%")) return text;
  const bytes: number[] = [];
  for (const piece of text.match(/%[0-9a-fA-F]{2}|[^%]+/g) ?? []) {
    if (piece.startsWith("%")) bytes.push(parseInt(piece.slice(1), 16));
    else bytes.push(...toBytes(piece));
  }
  return fromBytes(Uint8Array.from(bytes));
}

/** Parses a URL; fails with Go's message. */
function parseUrl(source: string): Url {
  try {
    return readUrl(source);
  } catch (error) {
    if (!(error instanceof RunFailure) || error instanceof BudgetFailure) throw error;
    return fail(`unable to parse url: parse ${quote(source)}: ${error.message}`);
  }
}

function readUrl(source: string): Url {
  const hash = source.indexOf("#");
  const fragment = hash < 0 ? "" : unescapePart(source.slice(hash + 1));
  const whole = hash < 0 ? source : source.slice(0, hash);
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x1f\x7f]/.test(whole)) fail("net/url: invalid control character in URL");
  const url: Url = { scheme: "", opaque: "", userinfo: "", host: "", path: "", query: "", fragment };
  if (whole === "*") return { ...url, path: "*" };
  if (whole.startsWith(":")) fail("missing protocol scheme");

  const scheme = /^[A-Za-z][A-Za-z0-9+\-.]*(?=:)/.exec(whole)?.[0];
  url.scheme = scheme?.toLowerCase() ?? "";
  let rest = scheme === undefined ? whole : whole.slice(scheme.length + 1);
  const question = rest.indexOf("?");
  if (question >= 0) {
    url.query = rest.slice(question + 1);
    rest = rest.slice(0, question);
  }
  if (!rest.startsWith("/")) {
    if (url.scheme !== "") return { ...url, opaque: rest };
    if (/^[^/]*:/.test(rest)) fail("first path segment in URL cannot contain colon");
  }
  if (rest.startsWith("//") && (url.scheme !== "" || !rest.startsWith("///"))) {
    const end = rest.indexOf("/", 2);
    readAuthority(url, end < 0 ? rest.slice(2) : rest.slice(2, end));
    rest = end < 0 ? "" : rest.slice(end);
  }
  url.path = unescapePart(rest);
  return url;
}

function readAuthority(url: Url, authority: string): void {
  const index = authority.lastIndexOf("@");
  url.host = readHost(authority.slice(index + 1));
  if (index < 0) return;
  const userinfo = authority.slice(0, index);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) fail("net/url: invalid userinfo");
  const colon = userinfo.indexOf(":");
  const name = unescapePart(colon < 0 ? userinfo : userinfo.slice(0, colon));
  url.userinfo = escapePart(name, "user") +
    (colon < 0 ? "" : ":" + escapePart(unescapePart(userinfo.slice(colon + 1)), "user"));
}

function readHost(host: string): string {
  const port = (text: string) => {
    if (!/^(:[0-9]*)?$/.test(text)) fail(`invalid port ${quote(text)} after host`);
  };
  if (host.startsWith("[")) {
    const end = host.lastIndexOf("]");
    if (end < 0) fail("missing ']' in host");
    port(host.slice(end + 1));
  } else if (host.includes(":")) port(host.slice(host.lastIndexOf(":")));
  if (/[ ^`{|}\\]/.test(host)) fail(`invalid character ${quote(/[ ^`{|}\\]/.exec(host)![0])} in host name`);
  return unescapePart(host);
}

function hostName(host: string): string {
  if (host.startsWith("[")) return host.slice(1, Math.max(1, host.lastIndexOf("]")));
  return host.replace(/:[0-9]*$/, "");
}

function writeUrl(url: Url): string {
  let out = url.scheme === "" ? "" : url.scheme + ":";
  if (url.opaque !== "") out += url.opaque;
  else {
    const located = url.host !== "" || url.userinfo !== "";
    if ((url.scheme !== "" || located) && (located || url.path !== "")) out += "//";
    if (url.userinfo !== "") out += url.userinfo + "@";
    out += escapePart(url.host, "host");
    const path = url.path === "*" ? "*" : escapePart(url.path, "path");
    if (path !== "" && !path.startsWith("/") && url.host !== "") out += "/";
    if (out === "" && /^[^/]*:/.test(path)) out += "./";
    out += path;
  }
  if (url.query !== "") out += "?" + url.query;
  return url.fragment === "" ? out : `${out}#${escapePart(url.fragment, "fragment")}`;
}

function join(map: ValueMap): string {
  const field = (name: string): string => {
    const value = ownEntry(map, name);
    if (value === undefined) return "";
    if (value === null) fail("runtime error: invalid memory address or nil pointer dereference");
    return typeof value === "string"
      ? value
      : fail(`unable to parse ${name} key, must be of type string, but ${typeOf(value).kind} found`);
  };
  const userinfo = field("userinfo");
  return writeUrl({
    scheme: field("scheme"),
    opaque: field("opaque"),
    userinfo: userinfo === "" ? "" : parseUrl(`proto://${userinfo}@host`).userinfo,
    host: field("host"),
    path: field("path"),
    query: field("query"),
    fragment: field("fragment"),
  });
}

export const URLS: Functions = {
  urlParse: define("string", ANY_MAP, (source: string) => {
    const url = parseUrl(source);
    return makeMap(Object.entries({ ...url, hostname: hostName(url.host) }));
  }),
  urlJoin: define("map", STRING, join),
};
