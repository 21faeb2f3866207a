/** The routes with information about the server and the caller. */
import { EXTENSIONS } from "@tiphys/model/api/extensions";
import { VERSION } from "@tiphys/base/version";
import { type Route, route } from "../routes/route.ts";
import { textField } from "../workflows/body_fields.ts";

/** The version, in the fields that Argo's clients read. */
export function versionInfo() {
  return {
    version: `v${VERSION}`,
    buildDate: "1970-01-01T00:00:00Z",
    gitCommit: "",
    gitTag: `v${VERSION}`,
    gitTreeState: "clean",
    goVersion: `deno${Deno.version.deno}`,
    compiler: "v8",
    platform: `${Deno.build.os}/${Deno.build.arch === "x86_64" ? "amd64" : "arm64"}`,
  };
}

/** All information routes. They require an authenticated caller. */
export const INFO_ROUTES: readonly Route[] = [
  route({
    id: "InfoService_GetInfo",
    method: "GET",
    path: "/api/v1/info",
    rights: () => [],
    answer({ served }) {
      const { managedNamespace, links, columns, modals, navColor, prices } = served.info();
      return Promise.resolve({
        json: {
          ...(managedNamespace ? { managedNamespace } : {}),
          ...(links.length > 0 ? { links } : {}),
          ...(Object.keys(modals).length > 0 ? { modals } : {}),
          ...(navColor ? { navColor } : {}),
          ...(columns.length > 0 ? { columns } : {}),
          ...(prices ? { prices } : {}),
          extensions: EXTENSIONS,
        },
      });
    },
  }),
  route({
    id: "InfoService_GetVersion",
    method: "GET",
    path: "/api/v1/version",
    rights: () => [],
    answer: () => Promise.resolve({ json: versionInfo() }),
  }),
  route({
    id: "InfoService_GetUserInfo",
    method: "GET",
    path: "/api/v1/userinfo",
    rights: () => [],
    answer({ caller: { claims } }) {
      const { preferredUsername: _name, groups, ...rest } = claims;
      return Promise.resolve({ json: { ...rest, ...(groups.length > 0 ? { groups } : {}) } });
    },
  }),
  route({
    id: "InfoService_CollectEvent",
    method: "POST",
    path: "/api/v1/tracking/event",
    hasBody: true,
    maxBody: 1 << 16,
    rights: () => [],
    answer({ body, served }) {
      served.log.info("Event of the page", { name: textField(body, "name") ?? "" });
      return Promise.resolve({ json: {} });
    },
  }),
];
