/** `runhook console-sessions`: who is signed in to the Integrations page. */
import { PersonSessionId, PersonId } from "@runhook/core/domain/Ids"
import * as Command from "effect/cli/Command"
import { callAndPrint } from "./AdminClient.ts"
import { accountFlag, idFlag } from "./NamingFlags.ts"

const list = Command.make("list", { params: { account_id: accountFlag } }, (request) =>
  callAndPrint((client) => client.consoleSessions.list({ ...request, query: {} }))
).pipe(Command.withDescription("List who is signed in to an account, newest first"))

const end = Command.make(
  "end",
  {
    params: {
      account_id: accountFlag,
      session_id: idFlag("session", { id: PersonSessionId, description: "The id of the session" })
    }
  },
  (request) => callAndPrint((client) => client.consoleSessions.end(request))
).pipe(Command.withDescription("Sign somebody out of one browser, with all whom they let in there"))

const endPerson = Command.make(
  "end-person",
  {
    params: { account_id: accountFlag },
    query: {
      person: idFlag("person", { id: PersonId, description: "Whose sessions end: `person` in the list" })
    }
  },
  (request) => callAndPrint((client) => client.consoleSessions.endPerson(request))
).pipe(
  Command.withDescription(
    "Sign a person out of all browsers, with all whom they let in, and take their links back"
  )
)

export const consoleSessionsCommand = Command.make("console-sessions").pipe(
  Command.withDescription("See who is signed in to the Integrations page, and sign them out"),
  Command.withSubcommands([list, end, endPerson])
)
