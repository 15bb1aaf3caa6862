/** `runhook agents`: where executions run. */
import * as Flag from "effect/cli/Flag"
import { group, listing, ofAccount } from "./Catalog.ts"
import { agentsOf, idOf, named, nameFlag, optional } from "./Names.ts"

const agent = named("agent")

const capacity = Flag.Int("capacity").pipe(Flag.withDescription("Executions it runs at once"), optional)

const create = ofAccount(
  "create",
  {
    about: "Create an agent, on which executions run as soon as a runner serves it",
    takes: { name: nameFlag, capacity }
  },
  (account, body) => account.agents.create(body)
)

const list = listing(
  {
    about: "List the agents of an account and how busy they are, newest first",
    takes: {},
    columns: ["id", "name", "status", "busy", "capacity", "queued", "runners", "last_seen_at"]
  },
  (account, query) => account.agents.list(query)
)

const get = ofAccount("get", { about: "Show an agent", takes: { agent } }, async (account, flags) =>
  account.agents.get(await idOf(flags.agent, agentsOf(account)))
)

const update = ofAccount(
  "update",
  {
    about: "Change an agent",
    takes: {
      agent,
      body: {
        name: optional(nameFlag),
        capacity,
        state: Flag.Literals("state", ["active", "paused", "disabled"]).pipe(
          Flag.withDescription("paused: accepts executions but runs none; disabled: accepts none"),
          optional
        )
      }
    },
    examples: [
      { command: "runhook agents update Portal --state paused", description: "Let its executions wait" }
    ]
  },
  async (account, { body, ...flags }) =>
    account.agents.update(await idOf(flags.agent, agentsOf(account)), body)
)

const remove = ofAccount(
  "remove",
  { about: "Remove an agent that has no unfinished executions", takes: { agent } },
  async (account, flags) => account.agents.remove(await idOf(flags.agent, agentsOf(account)))
)

export const agentsCommand = group("agents", "Manage the agents, on which executions run", [
  create,
  list,
  get,
  update,
  remove
])
