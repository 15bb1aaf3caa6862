/** Links and sessions of the Integrations page, and the moments of their tests. */
import type { ConsoleLink } from "@runhook/core/domain/console/ConsoleLink"
import type { ConsoleSession } from "@runhook/core/domain/console/ConsoleSession"
import { type AccountId, ConsoleLinkId, ConsoleSessionId, newId } from "@runhook/core/domain/Ids"
import { ConsoleStore } from "@runhook/core/ports/ConsoleStore"
import * as Effect from "effect/Effect"
import { second } from "../Fixtures.ts"

/** A stored link that may be used for a quarter of an hour. The hash of its token is its id, so that no two have the same. */
export const aLink = Effect.fnUntraced(function* (accountId: AccountId, fields: Partial<ConsoleLink> = {}) {
  const id = yield* newId(ConsoleLinkId)
  const link: ConsoleLink = {
    id,
    tokenHash: id,
    accountId,
    role: "admin",
    name: "Ada",
    createdAt: second(0),
    expiresAt: second(900),
    usedAt: null,
    ...fields
  }
  yield* ConsoleStore.use((store) => store.createLink(link))
  return link
})

/** A session that is not stored yet. */
export const newSession = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<ConsoleSession> = {}
) {
  const id = yield* newId(ConsoleSessionId)
  const session: ConsoleSession = {
    id,
    tokenHash: id,
    name: "Ada",
    method: "link",
    subject: null,
    memberships: [{ accountId, role: "admin" }],
    signedInAt: second(0),
    lastSeenAt: second(0),
    expiresAt: second(604_800),
    endedAt: null,
    ...fields
  }
  return session
})

/** A stored session. */
export const aSession = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<ConsoleSession> = {}
) {
  const session = yield* newSession(accountId, fields)
  yield* ConsoleStore.use((store) => store.begin({ session, replaces: null }))
  return session
})
