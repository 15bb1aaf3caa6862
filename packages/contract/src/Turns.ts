/**
 * Which requests of an account are served one after the other: the expensive ones,
 * from all of its callers together. An account that sends many at once holds up
 * only itself.
 */
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as SchemaAST from "effect/SchemaAST"

/** Annotates an endpoint that is no list and costs as much: `.annotate(TakesTurns, true)`. */
export const TakesTurns = Context.Reference<boolean>("@runhook/contract/TakesTurns", {
  defaultValue: () => false
})

/**
 * Lists do, whose queries have a `limit`, and what declares it. What may `wait` for
 * news does not: it would keep others waiting.
 */
export const takesTurns = ({
  annotations,
  query
}: Pick<HttpApiEndpoint.Top, "annotations" | "query">): boolean => {
  const names = query === undefined ? [] : namesIn(query.ast)
  return Context.get(annotations, TakesTurns) || (names.includes("limit") && !names.includes("wait"))
}

const namesIn = (ast: SchemaAST.AST): ReadonlyArray<PropertyKey> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => name) : []
