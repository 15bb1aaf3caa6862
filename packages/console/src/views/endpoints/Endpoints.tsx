/** Standing endpoints: receivers of the events of many executions. */
import type { Delivery, WebhookEndpoint } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useLoad } from "../../data/useLoad.ts"
import { useLive } from "../../live/Live.ts"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { Note } from "../../parts/Note.tsx"
import { Opener } from "../../parts/Opener.tsx"
import { ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Status } from "../../parts/Status.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account, isAdmin } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathOf } from "../../shell/Paths.ts"
import { useEvery } from "../../time/useEvery.ts"
import { stateOf } from "../deliveries/DeliveryWords.ts"
import { ShownOnce } from "../keys/ShownOnce.tsx"
import { EndpointForm } from "./EndpointForm.tsx"
import { filterWords, nameOf } from "./EndpointWords.ts"

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
    cell: ({ endpoint }) => (
      <>
        <a href={pathOf`/endpoints/${endpoint.id}`}>
          <UntrustedText text={nameOf(endpoint)} isBrief max={80} />
        </a>
        <span class="sub">{filterWords(endpoint)}</span>
      </>
    )
  },
  { head: "Kind", class: "p2", cell: ({ endpoint: { kind } }) => (kind === "poll" ? "Fetched" : "Sent") },
  {
    head: "Last delivery",
    class: "end p1",
    cell: ({ last }) =>
      last === undefined ? (
        <span class="quiet">none</span>
      ) : (
        <>
          <Status of={stateOf(last)} /> <Moment at={last.created_at} />
        </>
      )
  }
]

export const Endpoints = () =>
  isAdmin.value ? (
    <OfAdmins />
  ) : (
    <>
      <Head title="Endpoints" />
      <Note title="Only admins see endpoints">
        <p>Ask an admin of this account.</p>
      </Note>
    </>
  )

const OfAdmins = () => {
  const { deliveries, endpoints, id } = account.value
  const [secret, setSecret] = useState<string>()
  const { data, error, isLoading, reload } = useLoad(`endpoints ${id}`, async (signal) => {
    const all = await endpoints.list({ signal })
    return Promise.all(
      all.data.map(async (endpoint): Promise<Row> => {
        const last = await deliveries.list({ endpoint_id: endpoint.id, limit: 1 }, { signal }).page()
        return { endpoint, last: last.data[0] }
      })
    )
  })
  useLive("audit", reload)
  useEvery(everyMs, reload)
  const add = (
    <Opener kind="first" word="New endpoint">
      {(close) => (
        <EndpointForm
          onClose={close}
          onDone={(made) => {
            close()
            setSecret(made.signing_secret)
            reload()
          }}
        />
      )}
    </Opener>
  )
  return (
    <>
      <Head title="Endpoints" acts={add}>
        Each gets every matching event, beside the callback URL of its execution.
      </Head>
      <div class="stack">
        {error === undefined ? null : <ProblemNote error={error} what="list of endpoints" onRetry={reload} />}
        {secret === undefined ? null : (
          <div class="card">
            <ShownOnce
              key={secret}
              secrets={{ signingSecret: secret }}
              name="endpoint"
              onDone={() => setSecret(undefined)}
            />
          </div>
        )}
        {isLoading ? <Skeleton /> : null}
        {data === undefined ? null : data.length === 0 ? (
          <EmptyState title="No endpoints yet" action={add}>
            An endpoint gets the events of many executions, sent to it or fetched by it.
          </EmptyState>
        ) : (
          <Table
            label="Endpoints, oldest first"
            class="list"
            items={data}
            idOf={({ endpoint }) => endpoint.id}
            columns={columns}
          />
        )}
      </div>
    </>
  )
}
