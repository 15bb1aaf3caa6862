/** Answers of the service held to its OpenAPI documents: each has a status that its operation lists. */
import { assert } from "@effect/vitest"
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as OpenApi from "effect/http-api/OpenApi"

export interface Operation {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly description: Part
  /** The document that describes it. */
  readonly document: Part
}

export const operations: ReadonlyArray<Operation> = [
  OpenApi.fromApi(IntegrationApi),
  OpenApi.fromApi(RunnerApi),
  OpenApi.fromApi(AdminApi)
].flatMap((api) => {
  const document = partOf(api)
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      description: partOf(operation),
      document
    }))
  )
})

export const statusesOf = ({ description }: Operation): ReadonlyArray<number> =>
  Object.keys(partOf(description["responses"])).map(Number)

/** The operations that a path means: those with the fewest parameters, since a literal segment wins over one. */
export const operationsAt = (path: string): ReadonlyArray<Operation> => {
  const found = operations.filter((_, index) => patterns[index]?.test(path))
  const fewest = Math.min(...found.map(parametersIn))
  return found.filter((operation) => parametersIn(operation) === fewest)
}

const patterns = operations.map(({ path }) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`))
const parametersIn = ({ path }: Operation) => path.split("{").length

/** Fails for a status that the document does not tell of. Unknown paths and methods have no operation to look at. */
export const checkDocumented = (url: string, method: string, status: number): void => {
  const [path = ""] = url.split("?")
  const operation = operationsAt(path).find((each) => each.method === method)
  if (operation !== undefined && !statusesOf(operation).includes(status)) {
    assert.fail(`${method} ${operation.path} answered ${status}`)
  }
}
