/** Standing endpoints: receivers of the events of many executions. */
import type { Delivery, WebhookEndpoint } from "@runhook/sdk/admin"
import { useLive, useLoad } from "../../data/Data.ts"
import { type Column, EmptyState, Loaded, Moment, NameLink, OnlyAdmins, Opener } from "../../parts/Parts.ts"
import { prose, Status, Table } from "../../parts/Parts.ts"
import { account, isAdmin } from "../../session/Session.ts"
import { Head, pathOf } from "../../shell/Shell.ts"
import { useEvery } from "../../time/useEvery.ts"
import { stateOf } from "../deliveries/DeliveryWords.ts"
import { useNewSecrets } from "../keys/ShownOnce.tsx"
import { EndpointForm, type SavedEndpoint } from "./EndpointForm.tsx"
import { endpointName } from "../../format/Choices.ts"
import { filterWords } from "./EndpointWords.ts"

interface Row {
  readonly endpoint: WebhookEndpoint
  readonly last: Delivery | undefined
}

/** Their last deliveries are looked at so often, in milliseconds: with each delivery would be too much. */
const everyMs = 30_000

const columns: ReadonlyArray<Column<Row>> = [
  { head: "State", cell: ({ endpoint }) => <Status of={endpoint.enabled ? "active" : "paused"} /> },
  {
    head: "Endpoint",
    isRowHead: true,
    cell: ({ endpoint: of }) => (
      <NameLink href={pathOf`/endpoints/${of.id}`} text={endpointName(of)} max={80} />
    ),
    sub: ({ endpoint }) => filterWords(endpoint)
  },
  { head: "Kind", class: "p2", cell: ({ endpoint: { kind } }) => (kind === "poll" ? "Fetched" : "Sent") },
  {
    head: "Last delivery",
    class: "end p1",
    cell: ({ last }) => last && prose`${<Status of={stateOf(last)} />} ${<Moment at={last.created_at} />}`,
    none: "none"
  }
]

export const Endpoints = () =>
  isAdmin.value ? (
    <OfAdmins />
  ) : (
    <>
      <Head title="Endpoints" />
      <OnlyAdmins see="endpoints" />
    </>
  )

const OfAdmins = () => {
  const { deliveries, endpoints } = account.value
  const secrets = useNewSecrets()
  const loaded = useLoad("endpoints", async (signal) => {
    const all = await endpoints.list({ signal })
    return Promise.all(
      all.data.map(async (endpoint): Promise<Row> => {
        const last = await deliveries.list({ endpoint_id: endpoint.id, limit: 1 }, { signal }).page()
        return { endpoint, last: last.data[0] }
      })
    )
  })
  useLive("audit", loaded.reload)
  useEvery(everyMs, loaded.reload)
  const added = ({ signing_secret: signingSecret }: SavedEndpoint) => {
    if (signingSecret !== undefined) secrets.show({ signingSecret }, "endpoint")
    loaded.reload()
  }
  const add = (
    <Opener kind="first" word="New endpoint" onDone={added}>
      {(dialog) => <EndpointForm {...dialog} />}
    </Opener>
  )
  return (
    <>
      <Head title="Endpoints" acts={add}>
        Each gets every matching event, beside the callback URL of its execution.
      </Head>
      <div class="stack">
        {secrets.card}
        <Loaded of={loaded} what="list of endpoints">
          {(rows) => (
            <Table
              label="Endpoints, oldest first"
              class="list"
              items={rows}
              idOf={({ endpoint }) => endpoint.id}
              columns={columns}
              none={
                <EmptyState title="No endpoints yet" action={add}>
                  An endpoint gets the events of many executions, sent to it or fetched by it.
                </EmptyState>
              }
            />
          )}
        </Loaded>
      </div>
    </>
  )
}
