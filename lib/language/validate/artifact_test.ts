import { IN, INPUT, input, main, output, STEP, testAccepted, testRejected } from "./testing/workflows.ts";

testRejected([
  [
    "an argument artifact with nothing but an expression",
    main('steps: [[{name: a, template: work, arguments: {artifacts: [{name: x, fromExpression: "1"}]}}]]'),
    `${STEP}.arguments.artifacts[0]: templates.main.steps[0].a.arguments.x.from, artifact location, or key is required`,
  ],
  [
    "an artifact path that leads out of its folder",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, outputs: {artifacts: [{name: o, path: /tmp/safe/../x}]}}]",
    "spec.templates[0].outputs.artifacts[0].path: error in templates.a.outputs.artifacts.o: Artifact 'o' attempted " +
    "to use a path containing '..'. Directory traversal is not permitted",
  ],
  [
    "an artifact in two stores at once",
    input("s3: {key: k}, gcs: {key: k}"),
    `${INPUT}.gcs: ${IN}: at most one artifact location can be specified, got s3, gcs`,
  ],
  [
    "an argument in two stores at once",
    main("steps: [[{name: a, template: work, arguments: {artifacts: [{name: x, raw: {data: d}, oss: {key: k}}]}}]]"),
    `${STEP}.arguments.artifacts[0].oss: templates.main.steps[0].a.arguments.x: at most one artifact location can be ` +
    "specified, got raw, oss",
  ],
  [
    "one half of a pair of secrets",
    input("s3: {key: k, secretKeySecret: {name: s, key: k}}"),
    `${INPUT}.s3.secretKeySecret: ${IN}.s3 has secretKeySecret without accessKeySecret`,
  ],
  [
    "a user without a password",
    input('artifactory: {url: "https://h/a", usernameSecret: {name: s, key: k}}'),
    `${INPUT}.artifactory.usernameSecret: ${IN}.artifactory has usernameSecret without passwordSecret`,
  ],
  [
    "one half of a pair in the place of a template's archive",
    "entrypoint: a\ntemplates: [{name: a, container: {image: i}, archiveLocation: {s3: {key: k, accessKeySecret: {name: s, key: k}}}}]",
    "spec.templates[0].archiveLocation.s3.accessKeySecret: templates.a.archiveLocation.s3 has accessKeySecret without " +
    "secretKeySecret",
  ],
  [
    "a git repository as the place of an output",
    output("git: {repo: r}"),
    "spec.templates[0].outputs.artifacts[0].git: templates.a.outputs.artifacts.x: git output artifacts unsupported",
  ],
  [
    "a text as the place of an output",
    output("raw: {data: d}"),
    "spec.templates[0].outputs.artifacts[0].raw: templates.a.outputs.artifacts.x: Raw output artifacts unsupported",
  ],
  [
    "one branch of git without its name",
    input("git: {repo: r, singleBranch: true}"),
    `${INPUT}.git.singleBranch: ${IN}.git: single branch mode without a branch specified`,
  ],
  [
    "two kinds of credentials for one file",
    input(
      'http: {url: "https://h", auth: {clientCert: {clientKeySecret: {key: k}}, oauth2: {tokenURLSecret: {key: k}}}}',
    ),
    `${INPUT}.http.auth: ${IN}.http.auth may have clientCert or oauth2, not both`,
  ],
  [
    "two keys of encryption",
    input(
      "s3: {key: k, encryptionOptions: {enableEncryption: true, kmsKeyId: i, serverSideCustomerKeySecret: {name: s, key: k}}}",
    ),
    `${INPUT}.s3.encryptionOptions.serverSideCustomerKeySecret: ${IN}.s3.encryptionOptions: ` +
    "serverSideCustomerKeySecret and kmsKeyId cannot be set together",
  ],
  [
    "a key of encryption that would travel in the open",
    input(
      "s3: {key: k, insecure: true, encryptionOptions: {enableEncryption: true, serverSideCustomerKeySecret: {name: s, key: k}}}",
    ),
    `${INPUT}.s3.encryptionOptions.serverSideCustomerKeySecret: ${IN}.s3.encryptionOptions: ` +
    "secure must be set if EncryptOpts.SSECPassword is set",
  ],
]);

testAccepted([
  [
    "a tag in the place of an input artifact that every caller replaces",
    main("steps: [[{name: a, template: read, arguments: {artifacts: [{name: x, raw: {data: z}}]}}]]") +
    '- {name: read, inputs: {artifacts: [{name: x, path: /x, raw: {data: "{{steps.a.ip}}"}}]}, container: {image: i}}',
  ],
  [
    "empty credentials that Go clients write alongside the one in use",
    input('http: {url: "https://h", auth: {basicAuth: {usernameSecret: {key: u}}, clientCert: {}, oauth2: {}}}'),
  ],
]);
