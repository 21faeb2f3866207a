/** Reasons: whenever a scenario is idle, the engine knows what it waits for. */
import { assert } from "@std/assert";
import { explain, isCause, type Reason } from "@tiphys/engine/explain";
import { isCompletedPhase, isFulfilled, nodesOf } from "@tiphys/model/status";
import { Memory } from "@tiphys/engine";
import { runScenario, Scenario } from "./scenario.ts";

/** A world that requests reasons after each command that leaves the engine idle. */
class ExplainingWorld extends Scenario {
  checks = 0;

  override run(command: string, body: string): string {
    const answer = super.run(command, body);
    if (this.#isIdle()) this.#checkReasons(command);
    return answer;
  }

  #isIdle(): boolean {
    if (!this.workflow?.status?.phase || isCompletedPhase(this.workflow.status.phase)) return false;
    const decision = this.decide(new Memory());
    return decision.actions.length === 0 && JSON.stringify(decision.workflow) === JSON.stringify(this.workflow);
  }

  reasons(): Reason[] {
    return explain(this.workflow!, this.observe(), this.now, { ...this.config, graceSeconds: 0 });
  }

  #checkReasons(command: string): void {
    this.checks++;
    const reasons = this.reasons();
    const texts = reasons.map(({ code, node, text }) => `${code} ${node}: ${text}`).join("\n");
    assert(reasons.some(isCause), `after ${command} nothing is in progress:\n${texts}`);
    const known = new Set(reasons.map(({ node }) => node));
    for (const { name, type, ...node } of nodesOf(this.workflow!)) {
      if (isFulfilled(node) || !["Pod", "Suspend", "HTTP", "Plugin"].includes(type)) continue;
      assert(known.has(name), `after ${command} there is no reason why ${name} waits:\n${texts}`);
    }
  }
}

Deno.test("explain: whenever a scenario is idle, something is in progress, and every running or waiting node has a reason", () => {
  let checks = 0;
  for (const { name } of Deno.readDirSync(new URL("testdata", import.meta.url))) {
    const world = new ExplainingWorld();
    try {
      runScenario(Deno.readTextFileSync(new URL(`testdata/${name}`, import.meta.url)), world);
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
    checks += world.checks;
  }
  assert(checks > 50, `only ${checks} rests were found`);
});
