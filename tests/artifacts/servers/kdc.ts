/** MIT Kerberos on loopback: a new realm with one user and the given services, each with keys in a keytab. */
import { hasProgram, runCommand } from "../../../scripts/command.ts";
import { serve } from "./process.ts";
import { Unavailable } from "./server.ts";

const REALM = "EXAMPLE.TEST";
const USER = "me";

/** Creates the realm. Arguments: the port, the folder, then the services. */
const SCRIPT = `
set -e
port=$1 folder=$2
shift 2
export KRB5_CONFIG=$folder/krb5.conf KRB5_KDC_PROFILE=$folder/kdc.conf
cat > $KRB5_CONFIG <<END
[libdefaults]
  default_realm = ${REALM}
  dns_lookup_kdc = false
  rdns = false
  udp_preference_limit = 1
[realms]
  ${REALM} = {
    kdc = 127.0.0.1:$port
  }
END
cat > $KRB5_KDC_PROFILE <<END
[kdcdefaults]
  kdc_listen = ""
  kdc_tcp_listen = 127.0.0.1:$port
[realms]
  ${REALM} = {
    database_name = $folder/principal
    key_stash_file = $folder/stash
  }
END
kdb5_util -r ${REALM} create -s -P master
for service in "$@"; do
  kadmin.local -q "addprinc -randkey $service"
  kadmin.local -q "ktadd -k $folder/service.keytab $service"
done
kadmin.local -q "addprinc -randkey +requires_preauth ${USER}"
kadmin.local -q "ktadd -k $folder/user.keytab ${USER}"
exec krb5kdc -n
`;

/** A running realm; disposing it stops its server. */
export interface Kdc extends AsyncDisposable {
  readonly realm: string;
  readonly user: string;
  readonly conf: string;
  readonly confFile: string;
  /** Path of the keytab of the services. */
  readonly serviceKeytab: string;
  readonly userKeytab: Uint8Array<ArrayBuffer>;
  readonly userCache: Uint8Array<ArrayBuffer>;
}

/** Starts the server. @throws {Unavailable} when Kerberos is not installed. */
export async function startKdc(services: readonly string[]): Promise<Kdc> {
  for (const program of ["krb5kdc", "kdb5_util", "kadmin.local", "kinit"]) {
    if (await hasProgram(program)) continue;
    throw new Unavailable(`the program ${program} is not installed (Debian: krb5-kdc, krb5-admin-server, krb5-user)`);
  }
  const serving = await serve((port, folder) => ["bash", "-c", SCRIPT, "kdc", String(port), folder, ...services]);
  const confFile = `${serving.folder}/krb5.conf`;
  const [keytab, cache] = [`${serving.folder}/user.keytab`, `${serving.folder}/user.cache`];
  const env = { KRB5_CONFIG: confFile };
  const { code, stderr } = await runCommand(["kinit", "-c", `FILE:${cache}`, "-k", "-t", keytab, USER], { env });
  if (code !== 0) {
    await serving[Symbol.asyncDispose]();
    throw new Error(`kinit failed: ${stderr}`);
  }
  return {
    realm: REALM,
    user: USER,
    conf: await Deno.readTextFile(confFile),
    confFile,
    serviceKeytab: `${serving.folder}/service.keytab`,
    userKeytab: await Deno.readFile(keytab),
    userCache: await Deno.readFile(cache),
    [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
  };
}
