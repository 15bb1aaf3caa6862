/** Changes that the audit log tells of, and on whose behalf tests make them. */
import { type Actor, theService } from "@runhook/core/audit/Actor"
import {
  type Audit,
  type AuditAction,
  auditBy,
  type AuditEvent,
  type AuditSubject
} from "@runhook/core/audit/AuditEntry"
import { type AccountId, PersonId } from "@runhook/core/shared/Ids"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { type AuditFilter, AuditStore } from "@runhook/core/audit/AuditStore"
import * as Effect from "effect/Effect"
import type { Stores } from "../Fixtures.ts"

/** A change that is about to be made, and what will have to be told of it. */
export interface Mutation {
  readonly accountId: AccountId
  /** On behalf of the actor, or of nobody who is recorded. */
  readonly act: (actor: Actor | null) => Effect.Effect<unknown, unknown, Stores>
  /** What readers find of the thing that changes. */
  readonly seen: Effect.Effect<unknown, unknown, Stores>
  readonly action: AuditAction
  readonly subject: AuditSubject
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  /** Who did it, where that is not the one on whose behalf it was done. */
  readonly actor?: Partial<Actor>
}

/** What to record on behalf of an actor, as a use case gives it to a store. */
export const by = <Seen extends ReadonlyArray<unknown>>(
  actor: Actor | null,
  tell: (...seen: Seen) => AuditEvent | undefined
): Audit<Seen> | undefined => (actor === null ? undefined : auditBy(actor, tell))

/** Adds an entry without a change. */
export const record = (event: AuditEvent, actor: Actor = theService) =>
  AuditStore.use((store) => store.add(auditBy(actor, () => event)()))

/** Prepares a mutation of something new. */
export type Arrangement = Effect.Effect<Mutation, unknown, Stores>

export const jana: Actor = {
  kind: "member",
  id: "0190a5e0-0000-7000-8000-000000000001",
  name: "Jana",
  person: PersonId.make("0190a5e0-0000-7000-8000-000000000002"),
  fromAddress: "198.51.100.23",
  requestId: "req_test"
}

/** Somebody of whom no store can keep where they are, so that no entry of theirs can be. */
export const nowhere: Actor = { ...jana, fromAddress: "no\u0000where" }

export const anyEntry: AuditFilter = {
  kind: null,
  actor: null,
  subjectId: null,
  text: null,
  from: null,
  to: null
}

/** The first page of the entries of an account, newest first. */
export const entriesOf = (accountId: AccountId, filter: Partial<AuditFilter> = {}) =>
  AuditStore.use((store) =>
    store.list(accountId, { ...anyEntry, ...filter }, { after: null, limit: 100 })
  ).pipe(Effect.map(({ items }) => items))
