/** `runhook keys`: the keys of integrations. */
import * as Flag from "effect/cli/Flag"
import { calling, group, listing, ofAccount } from "./Catalog.ts"
import { agentsOf, idOf, idsOf, keysOf, named, nameFlag, optional, several, tasksOf } from "./Names.ts"

const key = named("key")

const overlap_seconds = Flag.Int("overlap").pipe(
  Flag.withMetavar("seconds"),
  Flag.withDescription("How long the old one stays valid (default: a day)"),
  optional
)

const create = ofAccount(
  "create",
  {
    about: "Create a key. The key and its signing secret are printed this once.",
    takes: { name: nameFlag, agents: several("agent"), tasks: several("task") },
    examples: [
      {
        command: 'runhook keys create --account Acme --name "Order system" --task fetch-page',
        description: "A key that may run one task only"
      }
    ]
  },
  async (account, { agents, name, tasks }) =>
    account.keys.create({
      name,
      allowed_agent_ids: await idsOf(agents, agentsOf(account)),
      allowed_task_ids: await idsOf(tasks, tasksOf(account))
    })
)

const list = listing(
  {
    about: "List the keys of an account, newest first",
    takes: {},
    columns: ["id", "name", "prefix", "last_used_at", "expires_at", "revoked_at", "created_at"]
  },
  (account, query) => account.keys.list(query)
)

const get = ofAccount(
  "get",
  { about: "Show a key and what depends on it", takes: { key } },
  async (account, flags) => account.keys.get(await idOf(flags.key, keysOf(account)))
)

const revoke = ofAccount(
  "revoke",
  { about: "Revoke a key for good", takes: { key } },
  async (account, flags) => account.keys.revoke(await idOf(flags.key, keysOf(account)))
)

const rotate = ofAccount(
  "rotate",
  {
    about: "Replace a key by a new one, which is printed this once",
    takes: { key, body: { overlap_seconds } }
  },
  async (account, { body, ...flags }) => account.keys.rotate(await idOf(flags.key, keysOf(account)), body)
)

const rotateSigningSecret = ofAccount(
  "rotate-signing-secret",
  {
    about: "Replace the signing secret of a key by a new one, which is printed this once",
    takes: {
      key,
      body: {
        mode: Flag.Literals("mode", ["immediate", "staged"]).pipe(
          Flag.withDescription(
            "immediate: the old secret is lost or leaked; staged: receivers learn the new one first"
          ),
          Flag.withDefault("staged" as const)
        ),
        overlap_seconds
      }
    }
  },
  async (account, { body, ...flags }) =>
    account.keys.rotateSigningSecret(await idOf(flags.key, keysOf(account)), body)
)

const reseal = calling(
  "reseal",
  {
    about:
      "Seal everything under the newest key of RUNHOOK_SECRET_KEY, and say which older ones may be removed",
    takes: {}
  },
  (admin) => admin.secretKeys.reseal()
)

export const keysCommand = group("keys", "Manage the integration keys of a running server", [
  create,
  list,
  get,
  revoke,
  rotate,
  rotateSigningSecret,
  reseal
])
