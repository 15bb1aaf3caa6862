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

/** `GET /path` for every operation of a document. */
export const operationsOf = (name: ApiName): ReadonlyArray<string> =>
  Object.entries(documents[name].paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`)
  )
