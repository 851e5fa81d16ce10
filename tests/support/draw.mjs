// Render templates, line by line, until the input ends. The argument is the folder of the phone's modules; a question
// is JSON, [what, drawings], on one line. A drawing that fails is {error}.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const { buildContext } = await import(new URL("table/context.js", folder));
const { buildTable } = await import(new URL("table/match.js", folder));
const { renderTemplate, filters } = await import(new URL("table/templates.js", folder));

const answers = {
  filters: () => Object.keys(filters),
  drawn: (drawings) => drawings.map(({ program, name, context }) => tried(() => renderTemplate(program, name, context))),
  drawnFromKnown: (drawings) =>
    drawings.map(({ program, name, known, view, moment }) =>
      tried(() => renderTemplate(program, name, buildContext(buildTable(known, []), view, moment))),
    ),
};

function tried(draw) {
  try {
    return draw();
  } catch (error) {
    return { error: error.stack };
  }
}

console.log("ready"); // its modules are read
for await (const line of createInterface({ input: process.stdin })) {
  const [what, drawings] = JSON.parse(line);
  console.log(JSON.stringify(answers[what](drawings)));
}
