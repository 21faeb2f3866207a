/** Every server that the contract of stores is asked of. */
import { azurite } from "./azure.ts";
import { fakeGcs } from "./gcs.ts";
import { hadoop, hadoopKerberos } from "./hdfs.ts";
import { minio } from "./minio.ts";
import { moto, versitygw } from "./s3.ts";
import { pythonPlugin } from "./plugin.ts";
import type { ServerKind } from "./server.ts";
import { nginx } from "./web.ts";

export { NotHere } from "./server.ts";

/** In the order in which they are asked. */
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
