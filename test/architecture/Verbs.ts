/** Use cases are found by name: "go to definition" and the outline of a file lead to each. */
import { parseSync, Visitor } from "oxc-parser"

/** What a use case offers without a name of its own, as sentences: `make: Effect.gen(… return { create: useCase(…) })`. */
export const unnamedVerbs = (file: string, source: string): ReadonlyArray<string> => {
  const problems: Array<string> = []
  new Visitor({
    Property: ({ key, value }) => {
      if (key.type !== "Identifier" || key.name !== "make" || value.type !== "CallExpression") return
      const [build] = value.arguments
      const end = build?.type === "FunctionExpression" ? build.body?.body.at(-1) : undefined
      if (end?.type !== "ReturnStatement" || end.argument?.type !== "ObjectExpression") {
        problems.push(`${file} does not end its make with the verbs that it offers`)
        return
      }
      for (const { end: after, start, ...part } of end.argument.properties) {
        if (part.type === "Property" && part.value.type === "Identifier") continue
        problems.push(
          `${file} offers what has no name of its own: ${source.slice(start, after).split("\n")[0]}`
        )
      }
    }
  }).visit(parseSync(file, source).program)
  return problems
}
