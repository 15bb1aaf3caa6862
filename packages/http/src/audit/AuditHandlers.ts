/** The audit log of an account, as pages or as one file. */
import { AdminApi } from "@runhook/contract/AdminApi"
import type { AuditEntry } from "@runhook/core/audit/AuditEntry"
import type { Page, PageRequest } from "@runhook/core/shared/Page"
import { pageSizeMax } from "@runhook/core/shared/Page"
import { AuditLog } from "@runhook/core/audit/AuditLog"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { toApiError } from "../errors/ErrorTable.ts"
import { longAnswerBytes } from "../limits/ResponseBudget.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { prefers } from "../pipeline/answer/Negotiation.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"
import { auditCsvHead, auditCsvLine, auditFilterOf, auditItem } from "./AuditToWire.ts"

export const AuditHandlers = handlersOf(
  AdminApi,
  "audit",
  Effect.fnUntraced(function* (handle) {
    const log = yield* AuditLog

    return handle({
      list: Effect.fnUntraced(function* ({ params, query }) {
        const list = (page: PageRequest) => log.list(params.account_id, auditFilterOf(query), page)
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        if (!prefers(headers, "text/csv")) return yield* pageBody(yield* list(pageRequest(query)), auditItem)
        const wanted = query.limit ?? Number.POSITIVE_INFINITY
        const start = { after: query.cursor?.after ?? null, left: wanted }
        const { share } = yield* CurrentCall
        return yield* share.begin(longAnswerBytes, csv(list, start, yield* list(pieceOf(start))))
      }, toApiError)
    })
  })
)

/** How far the file has come: after which entry, and how many more it may have. */
interface Progress {
  readonly after: string | null
  readonly left: number
}

const pieceOf = ({ after, left }: Progress): PageRequest => ({ after, limit: Math.min(left, pageSizeMax) })

const utf8 = new TextEncoder()

/** A file that is read and sent piece by piece, each when the caller has read the one before. */
const csv = Effect.fnUntraced(function* <E>(
  list: (page: PageRequest) => Effect.Effect<Page<AuditEntry>, E>,
  start: Progress,
  first: Page<AuditEntry>
) {
  const { share } = yield* CurrentCall

  const piece = Effect.fnUntraced(function* (progress: Progress) {
    const isFirst = progress === start
    const { hasMore, items, next } = isFirst ? first : yield* share.readOn(list(pieceOf(progress)))
    const text = utf8.encode((isFirst ? auditCsvHead : "") + items.map(auditCsvLine).join(""))
    const left = progress.left - items.length
    const last = next ?? items.at(-1)?.id
    return [
      [text],
      hasMore && left > 0 && last !== undefined
        ? Option.some<Progress>({ after: last, left })
        : Option.none<Progress>()
    ] as const
  })

  // A failure now comes after the 200: the caller sees the answer break off.
  return yield* share.stream(Stream.orDie(Stream.paginate(start, piece)), {
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": `attachment; filename="audit.csv"` }
  })
})
