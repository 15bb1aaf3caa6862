/**
 * Runs the demo task for the welcome page. The service calls its own API as an
 * integrator would, so the page needs no key.
 */
import { BaseUrl } from "@runhook/http/BaseUrl"
import { errorAnswer } from "@runhook/http/errors/ErrorAnswer"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { DemoAccount } from "./DemoAccount.ts"
import { forOwner, fromOwnPage } from "./DemoOwner.ts"
import { inboxPath, runPath } from "./DemoPaths.ts"

/** Seconds that a page waits for news at a time. */
const waitSeconds = 20

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const baseUrl = yield* BaseUrl
    const client = yield* HttpClient.HttpClient
    const { agent, key, task } = yield* DemoAccount
    const executions = `${baseUrl}/api/v1/integrations/executions`

    const call = (request: HttpClientRequest.HttpClientRequest) =>
      client.execute(HttpClientRequest.bearerToken(request, key))

    const create = HttpClientRequest.post(executions).pipe(
      HttpClientRequest.bodyJsonUnsafe({
        agent_id: agent.id,
        task_id: task.id,
        reference: "welcome-page",
        callback_url: baseUrl + inboxPath
      })
    )

    yield* router.add("POST", runPath, (request) =>
      fromOwnPage(request, baseUrl, passed(call(create), asJson))
    )

    yield* router.add("GET", `${runPath}/:id`, (request) =>
      Effect.flatMap(HttpRouter.params, ({ id = "" }) => {
        const detail = HttpClientRequest.get(`${executions}/${encodeURIComponent(id)}?wait=${waitSeconds}`)
        return forOwner(request, baseUrl, passed(call(detail), asJson))
      })
    )

    yield* router.add("GET", `${runPath}/:id/files/:fileId`, (request) =>
      Effect.flatMap(HttpRouter.params, ({ fileId = "", id = "" }) => {
        const file = HttpClientRequest.get(
          `${executions}/${encodeURIComponent(id)}/files/${encodeURIComponent(fileId)}`
        )
        return forOwner(request, baseUrl, passed(call(file), asShown))
      })
    )
  })
)

/** The answer of the API as the page gets it. */
const passed = (
  answer: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>,
  typeOf: (answer: HttpClientResponse.HttpClientResponse) => string
) =>
  Effect.gen(function* () {
    const given = yield* answer
    const body = new Uint8Array(yield* given.arrayBuffer)
    return HttpServerResponse.uint8Array(body, {
      status: given.status,
      contentType: given.status < 400 ? typeOf(given) : "application/json",
      headers: { "content-security-policy": "default-src 'none'; sandbox" }
    })
  }).pipe(
    Effect.catchTag("HttpClientError", () =>
      errorAnswer({
        status: 503,
        message: "The service does not answer at its own address: see RUNHOOK_BASE_URL"
      })
    )
  )

const asJson = () => "application/json"

/** A picture as a picture; anything else as text, since it comes from a stranger's page. */
const asShown = ({ headers }: HttpClientResponse.HttpClientResponse): string =>
  /^image\/(?:gif|jpeg|png|webp)$/.exec(headers["content-type"] ?? "")?.[0] ?? "text/plain; charset=utf-8"
