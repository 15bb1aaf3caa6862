/** The pages of development mode: a welcome, the inbox, and the page that the demo task fetches. */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { Signals } from "@runhook/core/signals/Signals"
import { Draining } from "@runhook/core/engine/Draining"
import { BaseUrl } from "@runhook/http/BaseUrl"
import { eventStream, type EventText, eventText } from "@runhook/http/documents/EventStream"
import { errorAnswer } from "@runhook/http/errors/ErrorAnswer"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { DemoAccount } from "./DemoAccount.ts"
import * as DemoConsole from "./DemoConsole.ts"
import { curlOf } from "./DemoCurl.ts"
import { forOwner } from "./DemoOwner.ts"
import { loadPages, type PageName } from "./DemoPages.ts"
import { inboxPath, pagePath } from "./DemoPaths.ts"
import * as DemoRun from "./DemoRun.ts"
import { Inbox } from "./Inbox.ts"
import type { InboxItem } from "./InboxItem.ts"
import { retentionNotice } from "./RetentionNotice.ts"

const pages = (settings: ServerSettings) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const baseUrl = yield* BaseUrl
      const { agent, key, task } = yield* DemoAccount
      const curl = curlOf({ baseUrl, key: Redacted.value(key), agentId: agent.id, taskId: task.id })
      const answers = yield* loadPages({ baseUrl, curl, keeping: retentionNotice(settings) })

      const serve = (path: `/${string}`, name: PageName) =>
        router.add("GET", path, (request) => forOwner(request, baseUrl, Effect.succeed(answers[name])))

      yield* serve("/", "welcome")
      yield* serve(inboxPath, "inbox")
      // Open to all: the demo task fetches it like any page.
      yield* router.add("GET", pagePath, Effect.succeed(answers.page))
    })
  )

const inbox = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const baseUrl = yield* BaseUrl
    const callbacks = yield* Inbox
    const draining = yield* Draining
    const signals = yield* Signals

    /** A browser that watches must not delay the stop of the service. */
    const untilDraining = Effect.scoped(
      Effect.gen(function* () {
        const signal = yield* signals.subscribe(["draining"])
        while (!(yield* draining.hasBegun)) yield* signal
      })
    )

    const follow = (after: number) =>
      eventStream(callbacks.follow(after).pipe(Stream.map(eventOf), Stream.interruptWhen(untilDraining)))

    const list = Effect.fnUntraced(function* (after: number) {
      const data = yield* callbacks.list(after)
      return HttpServerResponse.jsonUnsafe({ data, request_id: yield* CurrentRequestId })
    })

    yield* router.add("POST", inboxPath, (request) =>
      Effect.gen(function* () {
        const item = yield* callbacks.receive({ body: yield* request.text, headers: request.headers })
        // Like a receiver: an unverified callback is refused, but still shown.
        return item.problem === null
          ? HttpServerResponse.empty({ status: 204 })
          : yield* errorAnswer({ status: 401, message: item.problem })
      })
    )

    yield* router.add("GET", `${inboxPath}/events`, (request) => {
      const after = afterOf(request)
      const watches = request.headers["accept"]?.includes("text/event-stream") === true
      return forOwner(request, baseUrl, watches ? follow(after) : list(after))
    })
  })
)

export const layer = (settings: ServerSettings) =>
  Layer.mergeAll(pages(settings), inbox, DemoRun.layer, DemoConsole.layer).pipe(Layer.provide(Inbox.layer))

const eventOf = (item: InboxItem): EventText =>
  eventText({ event: "message", id: String(item.number), data: JSON.stringify(item) })

/** Where a watcher left off; 0 for a new one. */
const afterOf = ({ headers }: HttpServerRequest.HttpServerRequest): number =>
  /^\d{1,9}$/.test(headers["last-event-id"] ?? "") ? Number(headers["last-event-id"]) : 0
