/** A client over an HTTP client that answers as a test says, on the test's own clock. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Sdk from "../../src/effect/Runhook.ts"

export const apiKey = "rhlive_prefix_hush"

/** How one request is met: by an answer, by a broken connection, or never. */
export type Met = Response | "broken" | "silence"

export interface Meeting {
  readonly requests: ReadonlyArray<HttpClientRequest.HttpClientRequest>
  readonly layer: Layer.Layer<Sdk.Runhook>
}

/** Meets the requests one after the other; what is too many is met as the last. */
export const meeting = (
  answers: ReadonlyArray<() => Met>,
  options: Partial<Sdk.RunhookOptions> = {}
): Meeting => {
  const requests: Array<HttpClientRequest.HttpClientRequest> = []
  const http = HttpClient.make((request) =>
    Effect.suspend(() => {
      requests.push(request)
      const met = answers[Math.min(requests.length, answers.length) - 1]?.() ?? "silence"
      if (met === "silence") return Effect.never
      if (met !== "broken") return Effect.succeed(HttpClientResponse.fromWeb(request, met))
      const cause = new Error(`reset while sending Bearer ${apiKey}`)
      return Effect.fail(
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, cause })
        })
      )
    })
  )
  const layer = Sdk.Runhook.layer({
    baseUrl: "http://service.test",
    apiKey: Redacted.make(apiKey),
    ...options
  }).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, http)))
  return { requests, layer }
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (): Response =>
    Response.json(body, { status, headers: { "x-request-id": "req_1", ...headers } })

export const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  json(
    status,
    { error: { code, message: `refused: ${code}`, details: { why: code }, request_id: "req_2" } },
    headers
  )
