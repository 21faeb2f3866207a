/** A web server that accepts uploads: nginx with WebDAV. Tested with the drivers `http` and `artifactory`. */
import { driverFor } from "../../../lib/stores/driver_for.ts";
import type { Driver } from "@tiphys/model/artifact";
import { driverEnvironment } from "../../../lib/artifacts/testing/surroundings.ts";
import { serve } from "./process.ts";
import { type ServerKind, Unavailable } from "./server.ts";

const PROGRAM = "/usr/sbin/nginx";
const MODULE = "/usr/lib/nginx/modules/ngx_http_dav_ext_module.so";
const SECRETS = { "s/u": "me", "s/p": "the-secret", "s/wrong": "wrong-secret-value" };

function placeAt(store: string, port: number, key: string, password = "p") {
  const basicAuth = { usernameSecret: { name: "s", key: "u" }, passwordSecret: { name: "s", key: password } };
  const url = new URL(`http://127.0.0.1:${port}/`);
  url.pathname = `/${key}`.split("/").map(encodeURIComponent).join("/");
  const settings = { url: url.href, ...store === "http" ? { auth: { basicAuth } } : basicAuth };
  return { store, key: `/${key}`, settings };
}

async function driverWithPlace(location: ReturnType<typeof placeAt>) {
  return { driver: await driverFor(location, driverEnvironment({ secrets: SECRETS })) as Driver, place: location };
}

/** nginx. */
export const nginx: ServerKind = {
  name: "nginx",
  async start() {
    for (const path of [PROGRAM, MODULE]) {
      if (await Deno.stat(path).then(() => true, () => false)) continue;
      throw new Unavailable(`${path} is missing (Debian: nginx-light and libnginx-mod-http-dav-ext)`);
    }
    const serving = await serve((port, folder) => {
      Deno.mkdirSync(`${folder}/files`);
      Deno.chmodSync(folder, 0o755);
      Deno.writeTextFileSync(`${folder}/users`, "me:{PLAIN}the-secret\n");
      Deno.writeTextFileSync(`${folder}/nginx.conf`, configuration(port, folder));
      return [PROGRAM, "-p", folder, "-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`];
    });
    const { port } = serving;
    return {
      subjects: ["http", "artifactory"].map((store) => ({
        name: store,
        driver: async (through = port) => (await driverWithPlace(placeAt(store, through, "x"))).driver,
        place: (key: string, through = port) => placeAt(store, through, key),
        port,
        wrongSecret: (through = port) => driverWithPlace(placeAt(store, through, "x", "wrong")),
        cannot: { "AR-09": "nginx answers a name that its file system rejects with 500, which is a temporary error" },
      })),
      [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
    };
  },
};

/** The configuration of nginx. It runs as a single process, so that killing the process stops it completely. */
function configuration(port: number, folder: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) =>
    `  ${name}_temp_path ${folder}/${name};`
  );
  return `
load_module ${MODULE};
daemon off;
master_process off;
pid ${folder}/pid;
events { worker_connections 256; }
http {
  access_log off;
${temporary.join("\n")}
  client_max_body_size 0;
  server {
    listen 127.0.0.1:${port};
    location / {
      root ${folder}/files;
      auth_basic "artifacts";
      auth_basic_user_file ${folder}/users;
      dav_methods PUT DELETE;
      create_full_put_path on;
    }
  }
}
`;
}
