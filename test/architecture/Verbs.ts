/** Use cases are found by name: "go to definition" and the outline of a file lead to each. */
import { parseSync, Visitor } from "oxc-parser"

/** What a use case offers without a name of its own, as sentences: `Tasks.of({ create: useCase(…) })`. */
export const unnamedVerbs = (file: string, source: string): ReadonlyArray<string> => {
  const problems: Array<string> = []
  new Visitor({
    CallExpression: ({ arguments: [offered], callee }) => {
      const isOf =
        callee.type === "MemberExpression" &&
        callee.property.type === "Identifier" &&
        callee.property.name === "of"
      if (!isOf || offered?.type !== "ObjectExpression") return
      for (const { end, start, ...part } of offered.properties) {
        if (part.type === "Property" && part.value.type === "Identifier") continue
        problems.push(
          `${file} offers what has no name of its own: ${source.slice(start, end).split("\n")[0]}`
        )
      }
    }
  }).visit(parseSync(file, source).program)
  return problems
}
