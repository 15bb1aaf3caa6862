/** Signs people in to the Integrations page, for a while. Tokens are shown once and kept hashed. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { CurrentActor } from "../audit/Actor.ts"
import { linkMade, linkWithdrawn, sessionBegun, sessionEnded } from "../audit/SessionEvents.ts"
import { startAtProvider, startByLink } from "./SignInSessions.ts"
import { type SignInLink, madeBy } from "./SignInLink.ts"
import { type BrowserSessions, isOpen, isSeenAnew } from "./PersonSession.ts"
import type { Identity } from "./IdentityClaims.ts"
import type { Role } from "./Membership.ts"
import {
  type AccountId,
  type InAccount,
  SignInLinkId,
  PersonSessionId,
  newId,
  PersonId
} from "../shared/Ids.ts"
import type { PageRequest } from "../shared/Page.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { type Begun, PeopleStore, type Ending, LinkUnusable } from "./PeopleStore.ts"
import { Signals } from "../signals/Signals.ts"
import { Pepper } from "../keys/sealing/Pepper.ts"
import { hash, type PepperKey } from "../signing/ApiKey.ts"
import * as Token from "../signing/Token.ts"
import { audited } from "../audit/Audited.ts"
import { useCase } from "../engine/UseCase.ts"

/** No one is signed in, or no longer. */
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

/** New sessions, and what their browser keeps. */
export interface SignedIn {
  readonly sessions: BrowserSessions
  readonly token: Redacted.Redacted
}

export class PersonSessions extends Context.Service<PersonSessions>()("@runhook/core/people/PersonSessions", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const pepper = yield* Pepper
    const signals = yield* Signals
    const store = yield* PeopleStore
    const atRandom = Effect.provideService(SecureRandom, yield* SecureRandom)

    const findOpen = Effect.fnUntraced(function* (token: Redacted.Redacted | null, at: DateTime.Utc) {
      const text = token === null ? "" : Redacted.value(token)
      const sessions = Token.isToken(text) ? yield* store.find(hash(pepper, text)) : []
      return sessions.filter((session) => isOpen(session, at))
    })

    /** Wakes those who wait with a session: it ended, or its browser has another cookie. */
    const wake = (ids: ReadonlyArray<PersonSessionId>) =>
      signals.notify(ids.map((id) => `key:${id}` as const))

    const endAll = Effect.fnUntraced(function* (ending: Partial<Ending>) {
      const at = yield* DateTime.now
      const whole = { sessions: [], people: [], accountId: null, by: [], ...ending, at }
      yield* wake(yield* store.end(whole, yield* sessionAudit))
    })

    const newToken = Effect.map(Token.generate, (text) => ({
      token: Redacted.make(text, { label: "session token" }),
      tokenHash: hash(pepper, text)
    }))

    const signedIn = Effect.fnUntraced(function* ({ begun, ended, kept }: Begun, token: Redacted.Redacted) {
      yield* wake([...ended, ...kept.map(({ id }) => id)])
      return { sessions: Arr.appendAll(begun, kept), token }
    })

    /** A member's link lets in someone who counts as the member, for no longer than the member's session. */
    const makeLink = useCase("PersonSessions.makeLink")(function* ({
      accountId,
      name,
      role,
      validFor
    }: {
      readonly accountId: AccountId
      readonly role: Role
      readonly name: string
      readonly validFor: Duration.Duration
    }) {
      yield* accounts.get(accountId)
      const id = yield* newId(SignInLinkId)
      // Not the moment in the id: the link expires by the store's clock.
      const createdAt = yield* DateTime.now
      const { token, tokenHash } = yield* newToken
      const link: SignInLink = {
        ...madeBy(yield* CurrentActor, id),
        id,
        tokenHash,
        accountId,
        role,
        name,
        createdAt,
        expiresAt: DateTime.addDuration(createdAt, validFor),
        usedAt: null,
        withdrawnAt: null
      }
      yield* store.createLink(link, yield* audited(linkMade))
      return { link, token }
    }, atRandom)

    const listLinks = useCase("PersonSessions.listLinks")(function* (
      accountId: AccountId,
      page: PageRequest
    ) {
      yield* accounts.get(accountId)
      return yield* store.listLinks(accountId, page)
    })

    /** Makes a link unusable. A person who has already signed in by it stays signed in. */
    const withdrawLink = useCase("PersonSessions.withdrawLink")(function* (ref: InAccount<SignInLinkId>) {
      const at = yield* DateTime.now
      const audit = yield* audited((link: SignInLink) => linkWithdrawn(link, { at, by: [] }))
      yield* store.withdraw({ ...ref, at, audit })
    })

    /** Uses up a link. A person who is already signed in by another link then has the accounts of both. */
    const redeem = useCase("PersonSessions.redeem")(function* (options: {
      readonly token: Redacted.Redacted
      readonly present: Redacted.Redacted | null
    }) {
      const text = Redacted.value(options.token)
      if (!Token.isToken(text)) return yield* new LinkUnusable()
      const at = yield* DateTime.now
      const { fromAddress } = yield* CurrentActor
      const present = yield* findOpen(options.present, at)
      const id = yield* newId(PersonSessionId)
      const { token, tokenHash } = yield* newToken
      const begun = yield* store.redeem({
        tokenHash: hash(pepper, text),
        at,
        present,
        audit: yield* sessionAudit,
        begin: (link, maker) => startByLink(link, { id, tokenHash, fromAddress, at, maker, present })
      })
      return yield* signedIn(begun, token)
    }, atRandom)

    /** Begins sessions for a person whom the provider knows, in place of the present ones. */
    const signIn = useCase("PersonSessions.signIn")(function* ({
      identity,
      present
    }: {
      readonly identity: Identity
      readonly present: Redacted.Redacted | null
    }) {
      const { memberships, name, subject } = identity
      const found = yield* Effect.filter(memberships, ({ accountId }) =>
        Effect.isSuccess(accounts.get(accountId))
      )
      if (!Arr.isReadonlyArrayNonEmpty(found)) return yield* new NoAccount({ name })
      const at = yield* DateTime.now
      const { fromAddress } = yield* CurrentActor
      const person = personAt(pepper, subject)
      const { token, tokenHash } = yield* newToken
      const ids = yield* Effect.forEach(found, () => newId(PersonSessionId))
      const sessions = Arr.zipWith(found, ids, (membership, id) =>
        startAtProvider({ ...membership, id, name, person }, { tokenHash, fromAddress, at })
      )
      const replaced = yield* findOpen(present, at)
      const beginning = { begun: sessions, kept: [], replaced }
      return yield* signedIn(yield* store.begin(beginning, yield* sessionAudit), token)
    }, atRandom)

    /** The sessions of a browser in use; `watching` does not count as use. */
    const open = Effect.fnUntraced(function* (token: Redacted.Redacted, how: "using" | "watching") {
      const at = yield* DateTime.now
      const sessions = yield* findOpen(token, at)
      if (!Arr.isReadonlyArrayNonEmpty(sessions)) return yield* new SignedOut()
      if (how === "watching" || !sessions.some((each) => isSeenAnew(each, at))) return sessions
      yield* store.touch({ ids: sessions.map(({ id }) => id), at })
      return Arr.map(sessions, (session) => ({ ...session, lastSeenAt: at }))
    })

    /** Who is signed in to the account, the newest first. */
    const list = useCase("PersonSessions.list")(function* (accountId: AccountId, page: PageRequest) {
      yield* accounts.get(accountId)
      return yield* store.list({ accountId, at: yield* DateTime.now, page })
    })

    /** Ends the sessions of a browser, with all that their links began. */
    const signOut = useCase("PersonSessions.signOut")(function* (sessions: BrowserSessions) {
      yield* endAll({ sessions: sessions.map(({ id }) => id), by: sessions })
    })

    /**
     * Ends all sessions of the people who have these. A person whom a member let in
     * counts as that member: they end only their own, with all that their links began.
     */
    const signOutEverywhere = useCase("PersonSessions.signOutEverywhere")(function* (
      sessions: BrowserSessions
    ) {
      const people = sessions.filter(({ maker }) => maker === null).map(({ person }) => person)
      yield* endAll({ sessions: sessions.map(({ id }) => id), people, by: sessions })
    })

    /** Ends a session of the account, with all that its links began. */
    const end = useCase("PersonSessions.end")(function* ({ accountId, id }: InAccount<PersonSessionId>) {
      yield* store.get(accountId, id)
      yield* endAll({ sessions: [id] })
    })

    /** Ends all sessions of a person in the account, and withdraws their links. */
    const endPerson = useCase("PersonSessions.endPerson")(function* (ref: {
      readonly accountId: AccountId
      readonly person: PersonId
    }) {
      yield* accounts.get(ref.accountId)
      yield* endAll({ people: [ref.person], accountId: ref.accountId })
    })

    return {
      makeLink,
      listLinks,
      withdrawLink,
      redeem,
      signIn,
      open,
      list,
      signOut,
      signOutEverywhere,
      end,
      endPerson
    }
  })
}) {
  static readonly layer = Layer.effect(PersonSessions, PersonSessions.make).pipe(Layer.provide(Pepper.layer))
}

const sessionAudit = Effect.all({
  begun: audited(sessionBegun),
  ended: audited(sessionEnded),
  withdrawn: audited(linkWithdrawn)
})

/** The person behind a subject of the provider, by an id that does not reveal the subject. */
const personAt = (pepper: PepperKey, subject: string): PersonId => {
  const text = hash(pepper, `person ${subject}`).slice(0, 32)
  return PersonId.make(text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"))
}
