/**
 * What another account may try with the ids of this one: reading, ending and
 * withdrawing the sessions and links of its people.
 */
import { PeopleStore } from "@runhook/core/people/PeopleStore"
import { end } from "../people/PeopleFixtures.ts"
import { second } from "../Fixtures.ts"
import type { Attempt } from "./IsolationFixtures.ts"

const at = second(5)
const page = { after: null, limit: 100 }

export const ofPeople: Readonly<Record<string, Attempt>> = {
  "see who is signed in": ({ stranger }) => PeopleStore.use((_) => _.list({ accountId: stranger, at, page })),
  "get who is signed in": ({ member, stranger }) =>
    PeopleStore.use((_) => _.get(stranger, member.signedIn.id)),
  "put a person out": ({ member, stranger }) =>
    end({ people: [member.signedIn.person], accountId: stranger }),
  "list links": ({ stranger }) => PeopleStore.use((_) => _.listLinks(stranger, page)),
  "withdraw a link": ({ member, stranger }) =>
    PeopleStore.use((_) => _.withdraw({ accountId: stranger, id: member.link.id, at }))
}
