import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { evaluate, EvaluationMeter, MeterError, withMeter } from "../mod.ts";
import { answer, env } from "../testing/run.ts";
import { parseAddress } from "./address.ts";
import { KeyError, type PrivateKey, privateKeyPem, readPrivateKey, writePem } from "@tiphys/base/x509";
import { integer, sequence } from "@tiphys/base/x509/der";
import { needs } from "../../../../base/testing/needs.ts";

/** An RSA key of 2048 bits, made once because that takes a while. */
const KEY = (evaluate("sprig.genCA('maker', 1).Key", env()) as string).trim() + "\n";

const hasOpenssl = await new Deno.Command("openssl", { args: ["version"], stdout: "null" }).output()
  .then(({ success }) => success, () => false);

/** Runs openssl on files with these texts; `{0}` in the arguments is the first file. */
async function openssl(args: readonly string[], ...texts: readonly string[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    await Promise.all(texts.map((text, index) => Deno.writeTextFile(`${folder}/${index}.pem`, text)));
    const filled = args.map((arg) => arg.replace(/\{(\d)\}/, `${folder}/$1.pem`));
    const { success, stdout, stderr } = await new Deno.Command("openssl", { args: filled }).output();
    const decoder = new TextDecoder();
    assert(success, decoder.decode(stderr) + decoder.decode(stdout));
    return decoder.decode(stdout);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const CHAIN = `let ca = sprig.genCAWithKey('my ca', 365, key);
  let cert = sprig.genSignedCertWithKey('host', ['127.0.0.1', '::1'], ['a.example', 'b.example'], 30, ca, key);
  [ca.Cert, cert.Cert, cert.Key]`;

Deno.test({
  ...needs(
    "openssl",
    hasOpenssl,
    "genSignedCert: names its key, addresses and names, and verifies against its authority",
  ),
}, async () => {
  const keys = { rsa: KEY, ecdsa: undefined, ed25519: undefined };
  for (const [kind, given] of Object.entries(keys)) {
    const key = given ?? evaluate(`sprig.genPrivateKey('${kind}')`, env());
    const [authority, certificate, ownKey] = evaluate(CHAIN, env({ key })) as [string, string, string];
    assertEquals(ownKey, key);
    await openssl(["verify", "-x509_strict", "-CAfile", "{0}", "{1}"], authority, certificate);
    const text = await openssl(["x509", "-in", "{0}", "-noout", "-text"], certificate);
    assert(text.includes("DNS:a.example, DNS:b.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1"), text);
    assert(/Issuer: CN ?= ?my ca/.test(text) && /Subject: CN ?= ?host/.test(text), text);
    const isPublic = ["pkey", "-in", "{0}", "-pubout"];
    assertEquals(
      await openssl(["x509", "-in", "{0}", "-noout", "-pubkey"], certificate),
      await openssl(isPublic, ownKey),
    );
  }
});

Deno.test({
  ...needs(
    "openssl",
    hasOpenssl,
    "genSelfSignedCert: does not create an authority, and supports names in any alphabet",
  ),
}, async () => {
  const made = evaluate("sprig.genSelfSignedCertWithKey('hé', [], ['a.example'], 3, key).Cert", env({ key: KEY }));
  const text = await openssl(["x509", "-in", "{0}", "-noout", "-text", "-nameopt", "utf8"], made as string);
  assert(text.includes("Subject: CN=hé") && text.includes("CA:FALSE"), text);
});

Deno.test("certificates: each kind of private key has its usual format", () => {
  for (const [kind, label] of [["ecdsa", "EC PRIVATE KEY"], ["ed25519", "PRIVATE KEY"]]) {
    assert(answer(`sprig.genPrivateKey('${kind}')`).startsWith(`"-----BEGIN ${label}-----\\n`));
  }
  assert(KEY.startsWith("-----BEGIN RSA PRIVATE KEY-----\n"));
  assertEquals(answer("sprig.genPrivateKey('x')"), '"Unknown type x"');
});

Deno.test("certificates: a private key of every kind can be parsed again", () => {
  const dsa: PrivateKey = { kind: "dsa", p: 23n, q: 11n, g: 4n, y: 8n, x: 7n };
  const texts = [
    KEY,
    privateKeyPem(dsa),
    ...["ecdsa", "ed25519"].map((kind) => {
      return evaluate(`sprig.genPrivateKey('${kind}')`, env()) as string;
    }),
  ];
  for (const text of texts) assertEquals(privateKeyPem(readPrivateKey(text)), text);
});

Deno.test("certificates: buildCustomCert returns a valid certificate unchanged", () => {
  const flat = { key: KEY, cert: evaluate("sprig.genCAWithKey('x', 1, key).Cert", env({ key: KEY })) };
  const build = "sprig.buildCustomCert(toBase64(cert), toBase64(key))";
  assertEquals(answer(`${build}.Cert == cert && ${build}.Key == key`, flat), "true");
  assertEquals(answer(`sprig.keys(fromJSON(toJson(${build}))) | sort()`, flat), '["Cert","Key"]');
  assertEquals(answer("sprig.buildCustomCert('!', '')"), "!run: unable to decode base64 certificate");
  assertEquals(answer("sprig.buildCustomCert(toBase64('x'), '')"), "!run: unable to decode certificate");
});

Deno.test("certificates: the error names the invalid argument", () => {
  const dsa = privateKeyPem({ kind: "dsa", p: 23n, q: 11n, g: 4n, y: 8n, x: 7n });
  const cases: Record<string, string> = {
    "sprig.genCAWithKey('x', 1, 'no key')": "!run: parsing private key: no PEM data in input",
    "sprig.genCAWithKey('x', 1, dsa)":
      "!run: error creating certificate: x509: only RSA, ECDSA and Ed25519 keys supported",
    "sprig.genSelfSignedCertWithKey('x', ['300.1.1.1'], nil, 1, key)": "!run: error parsing ip: 300.1.1.1",
    "sprig.genSelfSignedCertWithKey('x', [1], nil, 1, key)": "!run: error parsing ip: 1 is not a string",
    "sprig.genSelfSignedCertWithKey('x', nil, [1], 1, key)":
      "!run: error processing alternate dns name: 1 is not a string",
    "sprig.genSignedCertWithKey('x', nil, nil, 1, nil, key)": "!run: unable to decode certificate",
  };
  for (const [source, expected] of Object.entries(cases)) assertEquals(answer(source, { key: KEY, dsa }), expected);
});

Deno.test("certificates: more days than a Go duration has wrap around", () => {
  for (const days of ["2000000000", "-2000000000", "9223372036854775807"]) {
    const made = evaluate(`sprig.genCAWithKey('x', ${days}, key).Cert`, env({ key: KEY }));
    assert((made as string).startsWith("-----BEGIN CERTIFICATE-----\n"), days);
  }
});

Deno.test("parseAddress: parses IPv4 and IPv6 addresses and rejects other texts", () => {
  assertEquals([...parseAddress("192.0.2.255")!], [192, 0, 2, 255]);
  assertEquals(parseAddress("2001:db8::ffff:1.2.3.4")!.length, 16);
  assertEquals([...parseAddress("::")!], Array(16).fill(0));
  for (const text of ["", "1.2.3", "1.2.3.04", "256.1.1.1", "1:2", "::1::", "1:2:3:4:5:6:7:8:9", "::g"]) {
    assertEquals(parseAddress(text), undefined, text);
  }
});

function rsaPem(...numbers: readonly bigint[]): string {
  return writePem({ label: "RSA PRIVATE KEY", bytes: sequence(...numbers.map(integer)) });
}

Deno.test("certificates: keys that are too large or invalid are rejected when they are parsed", () => {
  const large = (1n << 9_999n) + 1n;
  assertThrows(
    () => readPrivateKey(rsaPem(0n, large, 65_537n, large - 2n, 3n, 5n)),
    KeyError,
    "x509: RSA keys may have 8192 bits, this one has 10000",
  );
  const exponent = 1n << 90_000n;
  assertThrows(
    () => readPrivateKey(rsaPem(0n, 3233n, 65_537n, exponent, 61n, 53n)),
    KeyError,
    "invalid RSA private key",
  );
  const dsa = writePem({
    label: "DSA PRIVATE KEY",
    bytes: sequence(...[0n, large, 3n, 3n, 3n, 3n].map(integer)),
  });
  assertThrows(() => readPrivateKey(dsa), KeyError, "x509: DSA keys may have 3072 bits, this one has 10000");
  const long = rsaPem(0n, 1n << 8_000_000n, 65_537n, 1n, 1n, 1n);
  assertThrows(() => readPrivateKey(long), KeyError, "this one has 8000004");
});

Deno.test("certificates: the meter is checked while a key is made", () => {
  for (const make of ["genPrivateKey('rsa')", "genPrivateKey('dsa')", "genCA('maker', 1)"]) {
    let now = 0;
    const meter = new EvaluationMeter({ now: () => now += 100, all: 1_000, single: 500 });
    const error = assertThrows(() => withMeter(meter, () => evaluate(`sprig.${make}`, env())), MeterError);
    assertStringIncludes(error.message, "an evaluation may take 0.5s");
  }
});
