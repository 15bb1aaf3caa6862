/** Any JSON value. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

/** One of the values known today, or one that a later version of the service may give. */
export type Open<Known extends string> = Known | (string & {})
