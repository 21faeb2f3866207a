/**
 * The generated pages of `docs/reference`: errors, events, fields, functions, commands, metrics, routes and variables,
 * each from the table that programs use.
 */
import { commandsPage } from "./commands.ts";
import { errorsPage } from "./errors.ts";
import { eventsPage } from "./events.ts";
import { fieldsPage } from "./fields.ts";
import { functionsPage } from "./functions.ts";
import { metricsPage } from "./metrics.ts";
import { routesPage } from "./routes.ts";
import { variablesPage } from "./variables.ts";

export { descriptionsModule } from "./fields.ts";

/** The pages by file name. */
export async function referencePages(): Promise<Map<string, string>> {
  return new Map([
    ["commands.md", await commandsPage()],
    ["errors.md", errorsPage()],
    ["events.md", eventsPage()],
    ["fields.md", await fieldsPage()],
    ["functions.md", functionsPage()],
    ["metrics.md", metricsPage()],
    ["routes.md", routesPage()],
    ["variables.md", variablesPage()],
  ]);
}
