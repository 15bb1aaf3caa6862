/** `runhook runner-keys`: the keys of runners. */
import { group, listing, ofAccount } from "./Catalog.ts"
import { agentsOf, idOf, idsOf, named, nameFlag, runnerKeysOf, several } from "./Names.ts"

const create = ofAccount(
  "create",
  {
    about: "Create a runner key, which is printed this once",
    takes: { name: nameFlag, agents: several("agent") }
  },
  async (account, { agents, name }) =>
    account.runnerKeys.create({ name, agent_ids: await idsOf(agents, agentsOf(account)) })
)

const list = listing(
  {
    about: "List the runner keys of an account, newest first",
    takes: {},
    columns: ["id", "name", "prefix", "agent_ids", "revoked_at", "created_at"]
  },
  (account, query) => account.runnerKeys.list(query)
)

const revoke = ofAccount(
  "revoke",
  { about: "Revoke a runner key for good", takes: { key: named("key") } },
  async (account, { key }) => account.runnerKeys.revoke(await idOf(key, runnerKeysOf(account)))
)

export const runnerKeysCommand = group("runner-keys", "Manage the runner keys of a running server", [
  create,
  list,
  revoke
])
