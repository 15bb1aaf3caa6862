/** What operators and members read in the audit log of an account. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../shared/Ids.ts"
import type { PageRequest } from "../shared/Page.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { type AuditFilter, AuditStore } from "./AuditStore.ts"
import { useCase } from "../engine/UseCase.ts"

export class AuditLog extends Context.Service<AuditLog>()("@runhook/core/audit/AuditLog", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const store = yield* AuditStore

    /** Newest first. */
    const list = useCase("AuditLog.list")(function* (
      accountId: AccountId,
      filter: AuditFilter,
      page: PageRequest
    ) {
      yield* accounts.get(accountId)
      return yield* store.list(accountId, filter, page)
    })

    return { list }
  })
}) {
  static readonly layer = Layer.effect(AuditLog, AuditLog.make)
}
