import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { NetError } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import { credentialsOf } from "./credentials.ts";
import { type Answer, scriptedNet, type SentRequest, STATIC, surroundingsOn } from "./testing/scripted_net.ts";

const stop = new AbortController().signal;
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

const sts = (key: string, until = "2026-01-02T04:04:05Z"): Answer => ({
  body:
    `<AccessKeyId>${key}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>${until}</Expiration>`,
});

/** Resolves credentials in an environment, on a network. */
async function credentials(
  fields: Parameters<typeof credentialsOf>[0],
  env: Readonly<Record<string, string>>,
  answer: (sent: SentRequest, number: number) => Answer | Error | undefined,
  now = () => NOW,
) {
  const net = scriptedNet(answer);
  const source = await credentialsOf(fields, surroundingsOn(net, { env: (name) => env[name], now }));
  return { net, source };
}

Deno.test("s3 credentials: the keys of a location take precedence, and no other source is used", async () => {
  const env = { AWS_ACCESS_KEY_ID: "env", AWS_SECRET_ACCESS_KEY: "env" };
  const { net, source } = await credentials({ ...STATIC, roleARN: "r", useSDKCreds: true }, env, () => undefined);
  assertEquals((await source.get(stop))?.accessKey, "access-value");
  assertEquals([net.sent.length, await source.renew()], [0, false]);
});

Deno.test("s3 credentials: a key pair that is incomplete, or a missing secret, is named in the error", async () => {
  const none = { accessKeySecret: { name: "s", key: "none" }, secretKeySecret: { name: "s", key: "secret" } };
  await assertRejects(() => credentials(none, {}, () => undefined), StoreError, "the secret s has no key none");
});

Deno.test("s3 credentials: environment variables are used only if the location requests it", async () => {
  const env = { AWS_ACCESS_KEY_ID: "env", AWS_SECRET_ACCESS_KEY: "x", AWS_EC2_METADATA_DISABLED: "true" };
  const { source } = await credentials({ useSDKCreds: true }, env, () => undefined);
  assertEquals((await source.get(stop))?.accessKey, "env");
  const plain = await credentials({}, env, () => undefined);
  const error = await assertRejects(() => plain.source.get(stop), StoreError, "There are no credentials for s3");
  assertEquals(error.kind, "forbidden");
});

Deno.test("s3 credentials: a role is assumed by a request signed with other credentials", async () => {
  const env = { AWS_ACCESS_KEY_ID: "env", AWS_SECRET_ACCESS_KEY: "x", AWS_REGION: "eu-west-1" };
  const { net, source } = await credentials({ roleARN: "arn:aws:iam::1:role/r" }, env, () => sts("lent"));
  assertEquals(await source.get(stop), { accessKey: "lent", secretKey: "s", sessionToken: "t" });
  const [{ host, headers, body } = { host: "", headers: {} as Record<string, string>, body: "" }] = net.sent;
  assertEquals(host, "sts.eu-west-1.amazonaws.com");
  assertStringIncludes(headers.authorization ?? "", "Credential=env/20260102/eu-west-1/sts/aws4_request");
  assertStringIncludes(body, "RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr");
});

Deno.test("s3 credentials: temporary keys are renewed five minutes before they expire, with the current token in the file", async () => {
  const file = await Deno.makeTempFile();
  try {
    let now = NOW;
    await Deno.writeTextFile(file, "first\n");
    const env = { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: "r" };
    const { net, source } = await credentials({}, env, (_, number) => sts(`lent-${number}`), () => now);
    assertEquals((await source.get(stop))?.accessKey, "lent-1");
    now += 54 * 60_000;
    assertEquals((await source.get(stop))?.accessKey, "lent-1");
    await Deno.writeTextFile(file, "second\n");
    now += 2 * 60_000;
    assertEquals((await source.get(stop))?.accessKey, "lent-2");
    assertEquals(net.sent.map(({ body }) => /WebIdentityToken=(\w+)/.exec(body)?.[1]), ["first", "second"]);
    assert(net.sent.every(({ headers }) => headers.authorization === undefined));
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("s3 credentials: concurrent callers share one request, and valid keys are used while renewal fails", async () => {
  let now = NOW;
  const env = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://169.254.170.23/v1/credentials",
    AWS_CONTAINER_AUTHORIZATION_TOKEN: "tok",
  };
  const lent = JSON.stringify({
    AccessKeyId: "a",
    SecretAccessKey: "s",
    Token: "t",
    Expiration: "2026-01-02T04:04:05Z",
  });
  const { net, source } = await credentials(
    {},
    env,
    (_, number) => number === 1 ? { body: lent } : { status: 500 },
    () => now,
  );
  await Promise.all([source.get(stop), source.get(stop), source.get(stop)]);
  assertEquals([net.sent.length, net.sent[0]?.headers.authorization], [1, "tok"]);
  now += 56 * 60_000;
  assertEquals((await source.get(stop))?.accessKey, "a");
  now += 10 * 60_000;
  assertEquals((await assertRejects(() => source.get(stop), StoreError)).kind, "transient");
});

Deno.test("s3 credentials: a token is requested from an EC2 machine first; without one, there are no credentials", async () => {
  const lent = JSON.stringify({ AccessKeyId: "machine", SecretAccessKey: "s", Token: "t" });
  const { net, source } = await credentials({}, {}, ({ line }) => {
    if (line === "PUT /latest/api/token") return { body: "token" };
    return { body: line.endsWith("/role-1") ? lent : "role-1" };
  });
  assertEquals((await source.get(stop))?.accessKey, "machine");
  assertEquals(net.sent.slice(1).map(({ headers }) => headers["x-aws-ec2-metadata-token"]), ["token", "token"]);
  const nobody = await credentials({}, {}, () => new NetError("refused", true));
  await assertRejects(() => nobody.source.get(stop), StoreError, "There are no credentials");
});

Deno.test("s3 credentials: the file of a profile is read", async () => {
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(
      file,
      "[default]\naws_access_key_id = d\n\n[other]\naws_access_key_id=o\naws_secret_access_key = x=y\n",
    );
    const env = { AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: "other" };
    const { source } = await credentials({ useSDKCreds: true }, env, () => undefined);
    assertEquals(await source.get(stop), { accessKey: "o", secretKey: "x=y", sessionToken: undefined });
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("s3 credentials: a role that may not be assumed is forbidden, with the server's message", async () => {
  const env = { AWS_ACCESS_KEY_ID: "env", AWS_SECRET_ACCESS_KEY: "hidden-value" };
  const { source } = await credentials(
    { roleARN: "r" },
    env,
    () => ({ status: 403, body: "<Code>AccessDenied</Code><Message>no</Message>" }),
  );
  const error = await assertRejects(
    () => source.get(stop),
    StoreError,
    "AssumeRole of r failed: 403 Forbidden: AccessDenied: no",
  );
  assertEquals(error.kind, "forbidden");
  assert(!error.message.includes("hidden"));
});
