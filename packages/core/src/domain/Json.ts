/** JSON as the service stores and shows it. */
import * as Schema from "effect/Schema"

export type Json = Schema.Json
export type JsonObject = Schema.JsonObject

/** An object of JSON values: params, metadata, results and schemas are of this form. */
export const JsonObject = Schema.JsonObject
