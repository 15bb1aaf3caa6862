/** What the tests use of this package, which has no types of its own. */
declare module "@20minutes/s3rver" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  interface Options {
    readonly directory: string
    readonly serviceEndpoint: string
    readonly silent: boolean
    readonly allowMismatchedSignatures: boolean
    readonly configureBuckets: ReadonlyArray<{
      readonly name: string
      readonly configs: ReadonlyArray<string>
    }>
  }

  export default class S3rver {
    constructor(options: Options)
    configureBuckets(): Promise<unknown>
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  }
}
