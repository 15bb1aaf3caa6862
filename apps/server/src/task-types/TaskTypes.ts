/** The file that `runhook types` writes: the types of each task's params and result. */
import { declarationsOf } from "./SchemaTypes.ts"
import type { SchemaObject } from "./SchemaTargets.ts"
import { commentOf, indented, nameOf } from "./TypeText.ts"

/** A task whose current version has these schemas. */
export interface TypedTask {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly paramsSchema: SchemaObject
  readonly resultSchema: SchemaObject | null
}

const head = `// The tasks of a Runhook service. Written by \`runhook types\`: do not edit.
import type { JsonObject } from "@runhook/sdk"
`

/** The text of the file. Equal tasks give equal text, whatever their ids are, and in whichever order they come. */
export const fileOf = (tasks: ReadonlyArray<TypedTask>): string => {
  const taken = new Set<string>()
  const typed = tasks
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
    .map((task) => {
      const name = nameOf(task.slug, taken)
      taken.add(name)
      return { task, name }
    })
  const entries = typed.map(
    ({ name, task }) =>
      `    "${task.slug}": { readonly params: ${name}.Params; readonly result: ${name}.Result }\n`
  )
  return `${head}
declare module "@runhook/sdk" {
  interface RunhookTasks {
${entries.join("")}  }
}
${typed.map(({ name, task }) => partOf(name, task)).join("")}`
}

/** Where the part of each task begins. */
const mark = "\n// Task "

const partOf = (name: string, { description, name: title, paramsSchema, resultSchema, slug }: TypedTask) => {
  const taken = new Set(["JsonObject", "Params", "Result"])
  const declared = (part: string, schema: SchemaObject | null): ReadonlyArray<string> => {
    const [first = "", ...others] = declarationsOf(schema ?? {}, part, taken)
    // Both are objects, whatever the schema takes.
    return [first.replace(/= unknown$/, "= JsonObject"), ...others]
  }
  const declarations = [...declared("Params", paramsSchema), ...declared("Result", resultSchema)]
  const comment = commentOf([title, description].filter((text) => text !== ""))
  const body = declarations.map((each) => indented(`\n${each}`)).join("\n")
  return `${mark}${slug}\n${comment}export declare namespace ${name} {${body}\n}\n`
}

/** How the tasks that a file was made of differ from those of another one, as phrases. */
export const changesBetween = (before: string, after: string): ReadonlyArray<string> => {
  const [old, current] = [partsOf(before), partsOf(after)]
  return [
    ...[...current].flatMap(([slug, part]) =>
      old.get(slug) === part ? [] : [`${slug} ${old.has(slug) ? "has changed" : "is new"}`]
    ),
    ...[...old.keys()].filter((slug) => !current.has(slug)).map((slug) => `${slug} is gone`)
  ]
}

const partsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split(mark)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf("\n")), part] as const)
  )
