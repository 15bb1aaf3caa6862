/** Signs people in to the Integrations page, for a while. Tokens are shown once and kept hashed. */
import * as Context from "effect/Context"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { ConsoleLink } from "../domain/console/ConsoleLink.ts"
import {
  begunBy,
  type ConsoleSession,
  isOpen,
  isSeenAnew,
  sessionMax
} from "../domain/console/ConsoleSession.ts"
import type { Membership, Role } from "../domain/console/Membership.ts"
import { type AccountId, ConsoleLinkId, ConsoleSessionId, newId } from "../domain/Ids.ts"
import { type AccountNotFound, AccountStore } from "../ports/AccountStore.ts"
import { ConsoleStore, LinkUnusable } from "../ports/ConsoleStore.ts"
import { Signals } from "../ports/Signals.ts"
import * as Token from "../signing/Token.ts"
import { useCase } from "./UseCase.ts"

/** Nobody is signed in, or no longer. */
export class SignedOut extends Schema.TaggedError<SignedOut>()("SignedOut", {}) {
  override get message() {
    return "You are not signed in, or no longer: sign in again"
  }
}

/** The person is known, but none of the accounts is theirs. */
export class NoAccount extends Schema.TaggedError<NoAccount>()("NoAccount", { name: Schema.String }) {
  override get message() {
    return `No rule gives ${this.name} an account that there is`
  }
}

/** A person, as the operator's provider names them. */
export interface Identity {
  /** The person at the provider, for good. */
  readonly subject: string
  readonly name: string
  /** By the operator's rules. Accounts that do not exist open nothing. */
  readonly memberships: ReadonlyArray<Membership>
}

/** A new session, and what its browser keeps. */
export interface SignedIn {
  readonly session: ConsoleSession
  readonly token: Redacted.Redacted
}

export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    makeLink(request: {
      readonly accountId: AccountId
      readonly role: Role
      readonly name: string
      readonly validFor: Duration.Duration
    }): Effect.Effect<{ readonly link: ConsoleLink; readonly token: Redacted.Redacted }, AccountNotFound>

    /** Uses up a link. A person who is already signed in by another link then has the accounts of both. */
    redeem(options: {
      readonly token: Redacted.Redacted
      readonly present: Redacted.Redacted | null
    }): Effect.Effect<SignedIn, LinkUnusable>

    /** Begins a session for a person whom the provider knows, in place of the present one. */
    signIn(options: {
      readonly identity: Identity
      readonly present: Redacted.Redacted | null
    }): Effect.Effect<SignedIn, NoAccount>

    /** The session of a browser in use; `watching` does not count as use. */
    open(token: Redacted.Redacted, how: "using" | "watching"): Effect.Effect<ConsoleSession, SignedOut>

    signOut(session: ConsoleSession): Effect.Effect<void>

    /** Ends all sessions of the person who has this one. */
    signOutEverywhere(session: ConsoleSession): Effect.Effect<void>
  }
>()("@runhook/core/usecases/ConsoleSessions") {
  static readonly layer = Layer.effect(
    ConsoleSessions,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const signals = yield* Signals
      const store = yield* ConsoleStore
      const services = yield* Effect.context<SecureRandom>()

      const find = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        const text = Redacted.value(token)
        return Token.isToken(text) ? yield* store.find(Token.hash(text)) : undefined
      })

      const findOpen = Effect.fnUntraced(function* (token: Redacted.Redacted | null, at: DateTime.Utc) {
        const session = token === null ? undefined : yield* find(token)
        return session !== undefined && isOpen(session, at) ? session : null
      })

      /** Wakes those who wait with the session. */
      const tellEnd = (ids: ReadonlyArray<ConsoleSessionId>) =>
        signals.notify(ids.map((id) => `key:${id}` as const))

      const newToken = Effect.map(Token.generate, (text) => ({
        token: Redacted.make(text, { label: "session token" }),
        tokenHash: Token.hash(text)
      }))

      return ConsoleSessions.of({
        makeLink: useCase("ConsoleSessions.makeLink")(function* ({ accountId, name, role, validFor }) {
          yield* accounts.get(accountId)
          const id = yield* newId(ConsoleLinkId)
          // Not the moment in the id: the link expires by the store's clock.
          const createdAt = yield* DateTime.now
          const { token, tokenHash } = yield* newToken
          const expiresAt = DateTime.addDuration(createdAt, validFor)
          const link = { id, tokenHash, accountId, role, name, createdAt, expiresAt, usedAt: null }
          yield* store.createLink(link)
          return { link, token }
        }, Effect.provide(services)),

        redeem: useCase("ConsoleSessions.redeem")(function* (options) {
          const text = Redacted.value(options.token)
          if (!Token.isToken(text)) return yield* new LinkUnusable()
          const at = yield* DateTime.now
          const previous = yield* findOpen(options.present, at)
          const id = yield* newId(ConsoleSessionId)
          const { token, tokenHash } = yield* newToken
          const session = yield* store.redeem({
            tokenHash: Token.hash(text),
            at,
            begin: (link) => begunBy(link, { id, tokenHash, at, previous }),
            replaces: previous?.id ?? null
          })
          if (previous !== null) yield* tellEnd([previous.id])
          return { session, token }
        }, Effect.provide(services)),

        signIn: useCase("ConsoleSessions.signIn")(function* ({ identity, present }) {
          const memberships = yield* Effect.filter(identity.memberships, ({ accountId }) =>
            Effect.isSuccess(accounts.get(accountId))
          )
          if (memberships.length === 0) return yield* new NoAccount({ name: identity.name })
          const at = yield* DateTime.now
          const previous = yield* findOpen(present, at)
          const { token, tokenHash } = yield* newToken
          const session: ConsoleSession = {
            ...identity,
            memberships,
            id: yield* newId(ConsoleSessionId),
            tokenHash,
            method: "oidc",
            signedInAt: at,
            lastSeenAt: at,
            expiresAt: DateTime.addDuration(at, sessionMax),
            endedAt: null
          }
          yield* store.begin({ session, replaces: previous?.id ?? null })
          if (previous !== null) yield* tellEnd([previous.id])
          return { session, token }
        }, Effect.provide(services)),

        open: Effect.fnUntraced(function* (token, how) {
          const at = yield* DateTime.now
          const session = yield* findOpen(token, at)
          if (session === null) return yield* new SignedOut()
          if (how === "watching" || !isSeenAnew(session, at)) return session
          yield* store.touch({ id: session.id, at })
          return { ...session, lastSeenAt: at }
        }),

        signOut: useCase("ConsoleSessions.signOut")(function* ({ id }) {
          yield* store.end({ id, at: yield* DateTime.now })
          yield* tellEnd([id])
        }),

        signOutEverywhere: useCase("ConsoleSessions.signOutEverywhere")(function* (session) {
          const ended = yield* store.endAll({ session, at: yield* DateTime.now })
          yield* tellEnd(ended)
        })
      })
    })
  )
}
