/** `runhook runner-keys`: the keys of runners. */
import { RunnerKeyId } from "@runhook/core/domain/Ids"
import * as Command from "effect/cli/Command"
import { callAndPrint } from "./AdminClient.ts"
import { accountFlag, agentFlags, idFlag, nameFlag } from "./NamingFlags.ts"

const create = Command.make(
  "create",
  { params: { account_id: accountFlag }, payload: { name: nameFlag, agent_ids: agentFlags } },
  (request) => callAndPrint((client) => client.runnerKeys.create(request))
).pipe(Command.withDescription("Create a runner key, which is printed this once"))

const list = Command.make("list", { params: { account_id: accountFlag } }, (request) =>
  callAndPrint((client) => client.runnerKeys.list({ ...request, query: {} }))
).pipe(Command.withDescription("List the runner keys of an account, newest first"))

const revoke = Command.make(
  "revoke",
  {
    params: {
      account_id: accountFlag,
      key_id: idFlag("key", { id: RunnerKeyId, description: "The id of the runner key" })
    }
  },
  (request) => callAndPrint((client) => client.runnerKeys.revoke(request))
).pipe(Command.withDescription("Revoke a runner key for good"))

export const runnerKeysCommand = Command.make("runner-keys").pipe(
  Command.withDescription("Manage the runner keys of a running server"),
  Command.withSubcommands([create, list, revoke])
)
