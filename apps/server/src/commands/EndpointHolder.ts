/** Whose endpoints a command is about: those of the key in `RUNHOOK_API_KEY`, or all of an account. */
import type { Account, ApiRequest } from "@runhook/sdk/admin"
import type { LogEntry } from "@runhook/sdk"
import * as Effect from "effect/Effect"
import { adminClient, called, keyClient, orApiKey } from "./AdminClient.ts"
import { accountOf, agentsOf, tasksOf, type Things } from "./Names.ts"

export interface EndpointHolder {
  /** The id of the key or of the account. */
  readonly ownerId: () => Promise<string>
  /** Sends a request whose path begins below the key or the account. */
  readonly request: (request: ApiRequest) => Promise<unknown>
  readonly endpoints: Account["endpoints"]
  readonly agents: Things
  readonly tasks: Things
}

const page = { limit: 200 }

/** The holder of a key cannot make others. */
const hint = " that the key may use"

/** Where an account is named, the key is not used. */
export const endpointHolder = Effect.fnUntraced(function* (
  account: string | undefined,
  log: (entry: LogEntry) => void = () => {}
) {
  const runhook = account === undefined ? yield* keyClient({ log }) : undefined
  if (runhook !== undefined) {
    const { agents, tasks, webhooks } = runhook
    return held({
      ownerId: async () => (await runhook.me()).key_id,
      request: (request) => runhook.request(request),
      endpoints: webhooks.endpoints,
      agents: { kind: "agent", list: agents.list(page), hint },
      tasks: { kind: "task", list: tasks.list(page), hint }
    })
  }
  const admin = yield* adminClient({ log, alternative: orApiKey })
  const owner = yield* called(() => accountOf(admin, account))
  return held({
    ownerId: async () => owner.id,
    request: ({ path, ...request }) => admin.request({ ...request, path: `/accounts/${owner.id}${path}` }),
    endpoints: owner.endpoints,
    agents: agentsOf(owner),
    tasks: tasksOf(owner)
  })
})

const held = (holder: EndpointHolder) => holder

/** The id of the endpoint that is meant by it, by its description or by its URL. */
export const endpointIn = ({ endpoints }: Pick<EndpointHolder, "endpoints">): Things => ({
  kind: "endpoint",
  list: {
    toArray: async () => {
      const { data } = await endpoints.list()
      return data.map(({ description, id, url }) => ({ id, name: description, slug: url ?? id }))
    }
  }
})
