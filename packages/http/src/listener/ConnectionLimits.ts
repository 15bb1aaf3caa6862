/** How many connections the server holds, and how long it waits for their other ends. */
import type { IncomingMessage } from "node:http"
import { hostedFilesPath } from "@runhook/core/artifacts/Artifact"
import * as Duration from "effect/Duration"
import { pathOf } from "../errors/ErrorAnswer.ts"

/** None of these bounds how long an answer may take: polls wait for a minute. */
export interface ConnectionLimits {
  /** Connections served at once; further ones are answered 503. Default: 10,000. */
  readonly connectionsMax: number
  /**
   * For the URL and the headers of a request, from its first byte or the start of the
   * connection. Default: 10 s.
   */
  readonly head: Duration.Duration
  /** For the body of an ordinary request, counted from its headers. Default: 20 s. */
  readonly body: Duration.Duration
  /** For an upload, as long as its grant. Default: 15 minutes. */
  readonly upload: Duration.Duration
  /** Without a byte, while a request comes in or an answer goes out. Default: 30 s. */
  readonly stall: Duration.Duration
}

export const connectionLimitsDefault: ConnectionLimits = {
  connectionsMax: 10_000,
  head: Duration.seconds(10),
  body: Duration.seconds(20),
  upload: Duration.minutes(15),
  stall: Duration.seconds(30)
}

/** How long the body of this request may take. */
export const bodyLimitOf = (
  { method, url = "" }: IncomingMessage,
  { body, upload }: ConnectionLimits
): Duration.Duration => (method === "PUT" && pathOf(url) === hostedFilesPath ? upload : body)
