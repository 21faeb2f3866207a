import { expectResults } from "../testing/run.ts";

Deno.test("urlParse and urlJoin: convert a URL to a map and back", () => {
  expectResults({
    "sprig.urlParse('https://u:p@h:8/p?q=1#f')":
      '{"fragment":"f","host":"h:8","hostname":"h","opaque":"","path":"/p","query":"q=1","scheme":"https","userinfo":"u:p"}',
    "sprig.urlJoin({scheme: 'http', host: 'h', path: 'p'})": '"http://h/p"',
  });
});
