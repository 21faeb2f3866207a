/** All servers on which the driver contract is tested. */
import { azurite } from "./azure.ts";
import { fakeGcs } from "./gcs.ts";
import { hadoop, hadoopKerberos } from "./hdfs.ts";
import { minio } from "./minio.ts";
import { moto, versitygw } from "./s3.ts";
import { pythonPlugin } from "./plugin.ts";
import type { ServerKind } from "./server.ts";
import { nginx } from "./web.ts";

export { Unavailable } from "./server.ts";

/** The servers in the order in which they are tested. */
export const SERVERS: readonly ServerKind[] = [
  versitygw,
  moto,
  fakeGcs,
  azurite,
  nginx,
  pythonPlugin,
  minio,
  hadoop,
  hadoopKerberos,
];
