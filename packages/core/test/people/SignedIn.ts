/** People who sign in by links, for tests. */
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { actorOf } from "@runhook/core/people/PersonSession"
import type { AccountId } from "@runhook/core/shared/Ids"
import { PeopleStore } from "@runhook/core/people/PeopleStore"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { PersonSessions, type SignedIn } from "@runhook/core/people/PersonSessions"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export const validFor = Duration.minutes(15)

export const makeAccount = () => Effect.flatMap(Accounts, (accounts) => accounts.create("Acme"))

export const makeLink = (accountId: AccountId, name = "Ada") =>
  PersonSessions.use((sessions) => sessions.makeLink({ accountId, role: "admin", name, validFor }))

/** A link to a new account. */
export const makeAccountLink = () => Effect.flatMap(makeAccount(), ({ id }) => makeLink(id))

/** Uses a link. */
export const redeem = (
  { token }: Effect.Success<ReturnType<typeof makeAccountLink>>,
  present: SignedIn | null = null
) => PersonSessions.use((sessions) => sessions.redeem({ token, present: present && present.token }))

/** Somebody who has signed in by a link. */
export const makeSession = () => Effect.flatMap(makeAccountLink(), (link) => redeem(link))

/** Somebody whom a member has let in. */
export const letInBy = ({ sessions: [maker] }: SignedIn, name?: string) =>
  makeLink(maker.accountId, name).pipe(
    Effect.provideService(CurrentActor, { ...theService, ...actorOf(maker) }),
    Effect.flatMap((link) => redeem(link))
  )

/** Which of them are still signed in. */
export const stillIn = (all: ReadonlyArray<SignedIn>) =>
  PersonSessions.use((sessions) =>
    Effect.forEach(all, ({ token }) => Effect.isSuccess(sessions.open(token, "using")))
  )

export const storedOf = ({ sessions: [session] }: SignedIn) =>
  PeopleStore.use((store) => store.get(session.accountId, session.id))

export const ada = { subject: "issuer ada", name: "Ada" }
