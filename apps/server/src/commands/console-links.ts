/** `runhook console-links`: links that let people in to the Integrations page. */
import { SignInLinkId } from "@runhook/core/domain/Ids"
import * as Command from "effect/cli/Command"
import { callAndPrint } from "./AdminClient.ts"
import { accountFlag, idFlag } from "./NamingFlags.ts"

const list = Command.make("list", { params: { account_id: accountFlag } }, (request) =>
  callAndPrint((client) => client.consoleLinks.list({ ...request, query: {} }))
).pipe(Command.withDescription("List the links of an account and what became of them, newest first"))

const withdraw = Command.make(
  "withdraw",
  {
    params: {
      account_id: accountFlag,
      link_id: idFlag("link", { id: SignInLinkId, description: "The id of the link" })
    }
  },
  (request) => callAndPrint((client) => client.consoleLinks.withdraw(request))
).pipe(Command.withDescription("Take a link back that nobody has used"))

export const consoleLinksCommand = Command.make("console-links").pipe(
  Command.withDescription("See and take back links to the Integrations page; runhook console-link makes one"),
  Command.withSubcommands([list, withdraw])
)
