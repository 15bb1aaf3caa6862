/**
 * The bytes of artifacts, for hosts that keep them themselves. The grant in the URL
 * is the only key: a forged, expired or different one gets 403, and so does one of an
 * account that was removed; if its file is gone, 404.
 */
import { hostedFilesPath } from "@runhook/core/artifacts/Artifact"
import type { AccountId } from "@runhook/core/shared/Ids"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { GrantedAccounts, HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { errorAnswer } from "../errors/ErrorAnswer.ts"
import { answerFile } from "./FileAnswer.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const files = yield* HostedFiles
    const accounts = yield* AccountStore
    const isThere = (id: AccountId) =>
      accounts.get(id).pipe(
        Effect.as(true),
        Effect.catchTag("AccountNotFound", () => Effect.succeed(false)),
        // Files need no database, so they are there while it is away.
        Effect.catchDefect((defect) =>
          isStoreUnavailable(defect) ? Effect.succeed(true) : Effect.die(defect)
        )
      )
    const granted = Effect.provideService(GrantedAccounts, isThere)
    yield* router.add("PUT", hostedFilesPath, (request) => granted(receive(files, request)))
    yield* router.add("GET", hostedFilesPath, granted(serve(files)))
  })
)

/**
 * Streams an upload to its place. Its limit is the announced size, which may be far
 * above that of JSON bodies.
 */
const receive = Effect.fnUntraced(
  function* (files: HostedFiles["Service"], request: HttpServerRequest.HttpServerRequest) {
    const bytes = request.headers["content-length"] === "0" ? Stream.empty : request.stream
    yield* files.receive({ grant: yield* grantOf, bytes: Stream.orDie(bytes) })
    return HttpServerResponse.empty({ status: 204 })
  },
  Effect.catchTags({
    GrantRefused: ({ message }) => errorAnswer({ status: 403, message }),
    StorageFull: Effect.die,
    UploadMismatch: ({ message, reason }) => errorAnswer({ status: 422, message, details: { reason } })
  })
)

const serve = Effect.fnUntraced(
  function* (files: HostedFiles["Service"]) {
    const answer = yield* answerFile(yield* files.open(yield* grantOf))
    // Anybody who has the URL may show the file in a page of their own.
    return HttpServerResponse.setHeader(answer, "cross-origin-resource-policy", "cross-origin")
  },
  Effect.catchTags({
    GrantRefused: ({ message }) => errorAnswer({ status: 403, message }),
    FileMissing: ({ message }) => errorAnswer({ status: 404, message, details: { reason: "file_missing" } })
  })
)

const grantOf = Effect.map(HttpServerRequest.ParsedSearchParams, ({ grant }) =>
  typeof grant === "string" ? grant : ""
)
