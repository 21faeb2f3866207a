/** Help: the keys, the version, and where more is told. */
import { allActions } from "../actions.ts";
import { useApp } from "../app.ts";

const COMMANDS = ["tiphys list", "tiphys get @latest", "tiphys logs @latest --follow", "tiphys why @latest"];

/** The page. */
export function HelpPage() {
  const app = useApp();
  return (
    <article>
      <header class="page-head">
        <h1>Help</h1>
        <span class="muted">{app.version.value}</span>
      </header>
      <h2>Keys</h2>
      <table class="keys">
        <tbody>
          <tr>
            <td>
              <kbd>Ctrl K</kbd> or <kbd>⌘ K</kbd>
            </td>
            <td>Search, or do something</td>
          </tr>
          {allActions().filter(({ key }) => key !== undefined).map(({ name, key = "" }) => (
            <tr key={name}>
              <td>{key.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</td>
              <td>{name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted">
        Single letters can be switched off below{" "}
        <a href={app.hrefOf({ page: { kind: "you" }, query: [] })}>You</a>; they never act while you type.
      </p>
      <h2>Filters of runs</h2>
      <p>
        <code>phase:failed,error</code>,{" "}
        <code>label:team=a</code>, and any other word is a part of the name. Each filter stands in the address, so a
        bookmark keeps them.
      </p>
      <h2>On the command line</h2>
      <pre class="words">{COMMANDS.join("\n")}</pre>
    </article>
  );
}
