/** The driver of S3 and compatible stores, over our own connections, without a client library. */
import { type MakeDriver, secretOf } from "@tiphys/model/artifact";
import { S3Client } from "./client.ts";
import { credentialsOf } from "./credentials.ts";
import { encryptionOf } from "./encryption.ts";
import { S3Driver } from "./s3_driver.ts";
import { addressOf, fieldsOf, uploadLimits } from "./settings.ts";

/** @throws {StoreError} `final`, with the name of the field, for an invalid place. */
export const makeDriver: MakeDriver = async (location, environment) => {
  const fields = fieldsOf(location);
  const address = addressOf(fields);
  const encryption = await encryptionOf(fields, address.bucket, environment);
  const ca = await secretOf(environment, fields.caSecret);
  const credentials = await credentialsOf(fields, environment);
  const tls = ca === undefined ? undefined : { caCerts: [ca] };
  const client = new S3Client(address, environment.net, environment.now, credentials, tls);
  return new S3Driver(client, fields, encryption, uploadLimits(environment), environment);
};
