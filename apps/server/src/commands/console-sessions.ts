/** `runhook console-sessions`: who is signed in to the Integrations page. */
import * as Argument from "effect/cli/Argument"
import { group, listing, ofAccount } from "./Catalog.ts"
import { byId } from "./Names.ts"

const list = listing(
  {
    about: "List who is signed in to an account, newest first",
    takes: {},
    columns: ["id", "person", "name", "role", "by", "last_seen_at", "address"]
  },
  (account, query) => account.consoleSessions.list(query)
)

const end = ofAccount(
  "end",
  {
    about: "Sign somebody out of one browser, with all whom they let in there",
    takes: { session: byId("session") }
  },
  (account, { session }) => account.consoleSessions.end(session)
)

const endPerson = ofAccount(
  "end-person",
  {
    about: "Sign a person out of all browsers, with all whom they let in, and take their links back",
    takes: {
      person: Argument.String("person").pipe(
        Argument.withDescription("Whose sessions end: `person` in the list")
      )
    }
  },
  (account, { person }) => account.consoleSessions.endPerson(person)
)

export const consoleSessionsCommand = group(
  "console-sessions",
  "See who is signed in to the Integrations page, and sign them out",
  [list, end, endPerson]
)
