/** An API whose reference is served, and where. */
import type { Part } from "@runhook/contract/openapi/Document"
import { type Reference, referenceOf } from "./Reference.ts"

export interface ServedApi {
  /** In the paths of its pages: `runner`. The main API has no name, and is at `/docs/api` itself. */
  readonly name: string
  /** Where its OpenAPI document is served. */
  readonly documentPath: string
  /** The shell variable with the key in examples. */
  readonly keyVariable: string
  readonly reference: Reference
}

export const servedApi = (options: {
  readonly name: string
  readonly documentPath: string
  readonly keyVariable: string
  readonly document: Part
}): ServedApi => {
  const { document, ...where } = options
  return { ...where, reference: referenceOf(document) }
}

export const apiPath = ({ name }: ServedApi): string => (name === "" ? "/docs/api" : `/docs/api/${name}`)

/** Ids contain a dot or a dash, and names of APIs do not. */
export const operationPath = (api: ServedApi, id: string): string =>
  `${apiPath(api)}/${encodeURIComponent(id)}`
