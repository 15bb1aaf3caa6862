/** `runhook console-links`: links that let people in to the Integrations page. */
import { group, listing, ofAccount } from "./Catalog.ts"
import { byId } from "./Names.ts"

const list = listing(
  {
    about: "List the links of an account and their states, newest first",
    takes: {},
    columns: ["id", "name", "role", "state", "maker.name", "created_at", "expires_at"]
  },
  (account, query) => account.consoleLinks.list(query)
)

const withdraw = ofAccount(
  "withdraw",
  { about: "Withdraw a link that was not used", takes: { link: byId("link") } },
  (account, { link }) => account.consoleLinks.withdraw(link)
)

export const consoleLinksCommand = group(
  "console-links",
  "See and take back links to the Integrations page; runhook console-link makes one",
  [list, withdraw]
)
