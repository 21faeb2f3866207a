import { assertEquals } from "@std/assert";
import { FakeWorld } from "../testing/fake_world.ts";

const REFUSED: readonly (readonly [line: string, message: string])[] = [
  ["stop w --message x", "--message has no effect without --node-field-selector"],
  ["submit x --status Failed", "--status has no effect without --watch"],
  ["submit x --node-field-selector a=b --wait", "--node-field-selector has no effect without --watch"],
  ["submit x --log --watch", "--log has no effect together with --watch"],
  ["submit x --name a --generate-name b", "--generate-name has no effect together with --name"],
  ["submit --from cronwf/x --no-strict", "--no-strict has no effect together with --from"],
  ["run --retry w --entrypoint x", "--entrypoint has no effect together with --retry"],
  ["retry w --log --watch", "--log has no effect together with --watch"],
  ["archive resubmit w --log --watch", "--log has no effect together with --watch"],
  ["get w -o json --status Failed", "--status has no effect together with --output json"],
  [
    "delete w --all-namespaces",
    "--all-namespaces has no effect without --all or --completed or --resubmitted or --prefix or --selector or " +
    "--field-selector or --older or --status",
  ],
  ["cron create x --name a --generate-name b", "--generate-name has no effect together with --name"],
  ["local --no-ui --ui-port 1", "--ui-port has no effect together with --no-ui"],
  ["sync get x --type Database --cm-name m", "--cm-name has no effect together with --type database"],
  ["list --local --context c", "--context has no effect together with --local"],
  ["list --data d --argo-server h:1", "--argo-server has no effect together with --data"],
  ["list -s h:1 --cluster c", "--cluster has no effect together with --argo-server"],
  ["list -H a:b", "--header has no effect without --argo-server or ARGO_SERVER"],
];

for (const [line, message] of REFUSED) {
  Deno.test(`options without effect: ${line}`, async () => {
    using world = new FakeWorld();
    assertEquals([await world.run(...line.split(" ")), world.errors], [2, `${message}\n`]);
  });
}
