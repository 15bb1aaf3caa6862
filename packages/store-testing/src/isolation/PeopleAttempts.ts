/** What may be tried with the ids of an account, in another's name, at who is let in to it. */
import { ConsoleStore } from "@runhook/core/ports/ConsoleStore"
import { end } from "../console/ConsoleFixtures.ts"
import { second } from "../Fixtures.ts"
import type { Attempt } from "./IsolationFixtures.ts"

const at = second(5)
const page = { after: null, limit: 100 }

export const ofPeople: Readonly<Record<string, Attempt>> = {
  "see who is signed in": ({ stranger }) =>
    ConsoleStore.use((_) => _.list({ accountId: stranger, at, page })),
  "get who is signed in": ({ member, stranger }) =>
    ConsoleStore.use((_) => _.get(stranger, member.signedIn.id)),
  "put a person out": ({ member, stranger }) =>
    end({ people: [member.signedIn.person], accountId: stranger }),
  "list links": ({ stranger }) => ConsoleStore.use((_) => _.listLinks(stranger, page)),
  "withdraw a link": ({ member, stranger }) =>
    ConsoleStore.use((_) => _.withdraw({ accountId: stranger, id: member.link.id, at }))
}
