/** The audit log in memory. */
import type { AuditEntry } from "@runhook/core/audit/AuditEntry"
import { instantOf } from "@runhook/core/shared/Ids"
import { type AuditFilter, AuditStore } from "@runhook/core/audit/AuditStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { pageOf } from "../tables/Paging.ts"
import { makeAudited } from "./Audited.ts"

export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function* () {
    const { audit } = yield* MemoryDatabase
    const audited = yield* makeAudited

    return AuditStore.of({
      list: (accountId, filter, page) =>
        Effect.sync(() =>
          pageOf(
            Iterable.filter(
              audit.values(),
              (entry) => entry.accountId === accountId && matches(entry, filter)
            ),
            page
          )
        ),

      add: (entry) => audited((note) => Result.succeed(note(entry)))
    })
  })
)

const matches = (entry: AuditEntry, filter: AuditFilter): boolean => {
  const at = instantOf(entry.id)
  return (
    (filter.kind === null || entry.subject.kind === filter.kind) &&
    (filter.actor === null ||
      [entry.actor.kind, entry.actor.id, entry.actor.person, entry.actor.name].some(
        (each) => each === filter.actor
      )) &&
    (filter.subjectId === null || entry.subject.id === filter.subjectId) &&
    (filter.text === null || mentions(entry, filter.text)) &&
    (filter.from === null || DateTime.isGreaterThanOrEqualTo(at, filter.from)) &&
    (filter.to === null || DateTime.isLessThanOrEqualTo(at, filter.to))
  )
}

const mentions = ({ action, actor, subject }: AuditEntry, text: string): boolean => {
  const folded = text.toLowerCase()
  return (
    [action, actor.name, subject.name ?? ""].some((each) => each.toLowerCase().includes(folded)) ||
    [actor.id, actor.person, subject.id, actor.requestId].some((each) => each === text)
  )
}
