/** What operators and members read in the audit log of an account. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AuditEntry } from "../domain/audit/AuditEntry.ts"
import type { AccountId } from "../domain/Ids.ts"
import type { Page, PageRequest } from "../domain/Page.ts"
import { type AccountNotFound, AccountStore } from "../ports/AccountStore.ts"
import { type AuditFilter, AuditStore } from "../ports/AuditStore.ts"
import { useCase } from "./UseCase.ts"

type Verbs = AuditLog["Service"]

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Newest first. */
    list(
      accountId: AccountId,
      filter: AuditFilter,
      page: PageRequest
    ): Effect.Effect<Page<AuditEntry>, AccountNotFound>
  }
>()("@runhook/core/usecases/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const store = yield* AuditStore

      const list: Verbs["list"] = useCase("AuditLog.list")(function* (accountId, filter, page) {
        yield* accounts.get(accountId)
        return yield* store.list(accountId, filter, page)
      })

      return AuditLog.of({ list })
    })
  )
}
