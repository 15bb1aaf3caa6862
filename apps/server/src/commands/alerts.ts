/** `runhook alerts`: what is wrong, and who is told of it. */
import { AlertKind } from "@runhook/core/domain/alert/Alert"
import type { RunhookAdmin } from "@runhook/sdk/admin"
import * as Flag from "effect/cli/Flag"
import * as Argument from "effect/cli/Argument"
import { CommandFailed } from "../logging/Reporting.ts"
import { calling, group } from "./Catalog.ts"
import { owners } from "./contract/Owner.ts"
import { plain } from "./contract/PlainCommand.ts"
import { accountOf, byId, optional } from "./Names.ts"

const owner = owners.alerts.flags.account

const alertsOf = async (admin: RunhookAdmin, account: string | undefined) =>
  account === undefined ? admin.alerts : (await accountOf(admin, account)).alerts

const target = byId("target")

const kinds = Flag.Literals("kind", AlertKind.literals).pipe(
  Flag.withDescription("It gets these alerts; may be repeated (default: all)"),
  Flag.atLeast(0)
)

const pausedUntil = Flag.String("paused-until").pipe(
  Flag.withMetavar("timestamp"),
  Flag.withDescription("It is told nothing before"),
  optional
)

/** What the flags choose, and nothing else. */
const chosen = (kind: ReadonlyArray<AlertKind>, paused_until: string | null | undefined) => ({
  ...(kind.length > 0 && { kinds: kind }),
  ...(paused_until !== undefined && { paused_until })
})

const add = calling(
  "add",
  {
    about: "Have a webhook or a mailbox told of alerts; the signing secret is printed this once",
    takes: {
      address: Argument.String("address").pipe(Argument.withDescription("A URL, or an e-mail address")),
      account: owner,
      kinds,
      pausedUntil
    },
    examples: [
      { command: "runhook alerts add ops@example.com", description: "Alerts of all accounts, by e-mail" }
    ]
  },
  async (admin, { account, address, kinds: kind, pausedUntil: until }) =>
    (await alertsOf(admin, account)).targets.create({
      channel: address.includes("://") ? "webhook" : "email",
      address,
      ...chosen(kind, until)
    })
)

const update = calling(
  "update",
  {
    about: "Choose which alerts a target gets, pause it, or end its pause",
    takes: {
      target,
      account: owner,
      kinds,
      pausedUntil,
      resume: Flag.Boolean("resume").pipe(
        Flag.withDescription("End the pause: it is told what is still open"),
        Flag.withDefault(false)
      )
    }
  },
  async (admin, { account, kinds: kind, pausedUntil: until, resume, target: id }) =>
    (await alertsOf(admin, account)).targets.update(id, chosen(kind, resume ? null : until))
)

const test = calling(
  "test",
  { about: "Send a test to a target; fails if it is not taken", takes: { target, account: owner } },
  async (admin, { account, target: id }) => {
    const tested = await (await alertsOf(admin, account)).targets.test(id)
    if (!tested.taken) throw new CommandFailed({ reason: `The test was not taken: ${tested.error}` })
    return tested
  }
)

export const alertsCommand = group("alerts", "See what is wrong, and choose who is told", [
  plain("alerts", "list"),
  plain("alerts", "targets"),
  add,
  update,
  plain("alerts", "remove"),
  test
])
