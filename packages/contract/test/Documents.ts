/** The documents under test, as a client reads them, and how to look into them. */
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminApi } from "../src/AdminApi.ts"
import { IntegrationApi } from "../src/IntegrationApi.ts"
import { type Part, partOf } from "../src/openapi/Document.ts"
import { RunnerApi } from "../src/RunnerApi.ts"

export const documents = {
  integration: OpenApi.fromApi(IntegrationApi),
  runner: OpenApi.fromApi(RunnerApi),
  admin: OpenApi.fromApi(AdminApi)
}

export type ApiName = keyof typeof documents

export const apiNames: ReadonlyArray<ApiName> = ["integration", "runner", "admin"]

export interface Place {
  readonly path: ReadonlyArray<string>
  readonly part: Part
}

/** Every object of a document, with the way to it. */
export const placesOf = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<Place> => {
  if (typeof value !== "object" || value === null) return []
  const inside = Object.entries(value).flatMap(([key, child]) => placesOf(child, [...path, key]))
  return Array.isArray(value) ? inside : [{ path, part: partOf(value) }, ...inside]
}

/** Every schema of what requests of the API may hold, wherever it stands. */
export const placesInRequests = (name: ApiName): ReadonlyArray<Place> => {
  const { components, paths } = documents[name]
  const schemas = partOf(partOf(components)["schemas"])
  const seen = new Set<string>()
  const within = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<Place> =>
    placesOf(value, path).flatMap((place) => {
      const reference = place.part["$ref"]
      if (typeof reference !== "string") return place.path.includes("example") ? [] : [place]
      const component = reference.split("/").at(-1) ?? ""
      if (seen.has(component)) return []
      seen.add(component)
      return within(schemas[component], [component])
    })
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { parameters, requestBody } = partOf(operation)
      return within([parameters, requestBody], [method, path])
    })
  )
}

/** `GET /path` for every operation of a document. */
export const operationsOf = (name: ApiName): ReadonlyArray<string> =>
  Object.entries(documents[name].paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`)
  )
