/** Standing endpoints of an account, by endpoint of the contract. */
import type { Office } from "../Office.ts"
import type { Ways } from "../Ways.ts"

type Endpoints = Office["account"]["endpoints"]

const root = "/accounts/:account_id/webhooks/endpoints"

const withEndpoint =
  <A>(use: (endpoints: Endpoints, id: string) => Promise<A>) =>
  async ({ account: { endpoints } }: Office) => {
    const { id } = await endpoints.create({ kind: "poll" })
    return use(endpoints, id)
  }

export const endpointWays: Ways = {
  [`GET ${root}`]: ({ account }) => account.endpoints.list(),
  [`POST ${root}`]: withEndpoint(async (_, id) => id),
  [`GET ${root}/:id`]: withEndpoint((endpoints, id) => endpoints.get(id)),
  [`PATCH ${root}/:id`]: withEndpoint((endpoints, id) => endpoints.update(id, { enabled: false })),
  [`DELETE ${root}/:id`]: withEndpoint((endpoints, id) => endpoints.remove(id)),
  [`POST ${root}/:id/rotate`]: withEndpoint((endpoints, id) => endpoints.rotate(id)),
  [`POST ${root}/:id/test`]: withEndpoint((endpoints, id) => endpoints.test(id)),
  [`GET ${root}/:id/messages`]: withEndpoint((endpoints, id) => endpoints.fetch(id)),
  [`POST ${root}/:id/messages/ack`]: withEndpoint((endpoints, id) => endpoints.acknowledge(id, [id]))
}
