/** `runhook keys`: the keys of integrations. The flags follow the admin API's requests. */
import { overlapSecondsDefault } from "@runhook/contract/wire/KeyWire"
import { ApiKeyId } from "@runhook/core/domain/Ids"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { callAndPrint } from "./AdminClient.ts"
import { accountFlag, agentFlags, idFlag, nameFlag, taskFlags } from "./NamingFlags.ts"

const params = {
  account_id: accountFlag,
  key_id: idFlag("key", { id: ApiKeyId, description: "The id of the key" })
}

const overlap_seconds = Flag.Int("overlap").pipe(
  Flag.withMetavar("seconds"),
  Flag.withDescription("How long the old one stays valid"),
  Flag.withDefault(overlapSecondsDefault)
)

const create = Command.make(
  "create",
  {
    params: { account_id: accountFlag },
    payload: { name: nameFlag, allowed_agent_ids: agentFlags, allowed_task_ids: taskFlags }
  },
  (request) => callAndPrint((client) => client.keys.create(request))
).pipe(
  Command.withDescription("Create a key. The key and its signing secret are printed this once."),
  Command.withExamples([
    {
      command: 'runhook keys create --account <uuid> --name "Order system" --task <uuid>',
      description: "A key that may run one task only"
    }
  ])
)

const list = Command.make("list", { params: { account_id: accountFlag } }, (request) =>
  callAndPrint((client) => client.keys.list({ ...request, query: {} }))
).pipe(Command.withDescription("List the keys of an account, newest first"))

const revoke = Command.make("revoke", { params }, (request) =>
  callAndPrint((client) => client.keys.revoke(request))
).pipe(Command.withDescription("Revoke a key for good"))

const rotate = Command.make("rotate", { params, payload: { overlap_seconds } }, (request) =>
  callAndPrint((client) => client.keys.rotate(request))
).pipe(Command.withDescription("Replace a key by a new one, which is printed this once"))

const rotateSigningSecret = Command.make(
  "rotate-signing-secret",
  {
    params,
    payload: {
      mode: Flag.Literals("mode", ["immediate", "staged"]).pipe(
        Flag.withDescription(
          "immediate: the old secret is lost or leaked; staged: receivers learn the new one first"
        ),
        Flag.withDefault("staged")
      ),
      overlap_seconds
    }
  },
  (request) => callAndPrint((client) => client.keys.rotateSigningSecret(request))
).pipe(
  Command.withDescription("Replace the signing secret of a key by a new one, which is printed this once")
)

const reseal = Command.make("reseal", {}, () => callAndPrint((client) => client.secretKeys.reseal())).pipe(
  Command.withDescription(
    "Seal everything under the newest key of RUNHOOK_SECRET_KEY, and say which older ones may be removed"
  )
)

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("Manage the integration keys of a running server"),
  Command.withSubcommands([create, list, revoke, rotate, rotateSigningSecret, reseal])
)
