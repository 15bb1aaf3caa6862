/** `runhook alerts`: what is wrong, and who is told of it. */
import { CommandFailed } from "../logging/Reporting.ts"
import { calling, group } from "./Catalog.ts"
import { owners } from "./contract/Owner.ts"
import { plain } from "./contract/PlainCommand.ts"
import { accountOf, byId } from "./Names.ts"

const test = calling(
  "test",
  {
    about: "Send a test to a target; fails if it is not taken",
    takes: { target: byId("target"), ...owners.alerts.flags }
  },
  async (admin, { account, target: id }) => {
    const { alerts } = account === undefined ? admin : await accountOf(admin, account)
    const tested = await alerts.targets.test(id)
    if (!tested.taken) throw new CommandFailed({ reason: `The test was not taken: ${tested.error}` })
    return tested
  }
)

export const alertsCommand = group("alerts", "See what is wrong, and choose who is told", [
  plain("alerts", "list"),
  plain("alerts", "targets"),
  plain("alerts", "add"),
  plain("alerts", "update"),
  plain("alerts", "remove"),
  test
])
