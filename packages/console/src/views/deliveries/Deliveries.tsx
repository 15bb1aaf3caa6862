/** Deliveries, newest first: filtered, searched and live. */
import type { Delivery } from "@runhook/sdk/admin"
import { useFilters } from "../../data/useFilters.ts"
import { Kept } from "../../data/Kept.ts"
import { type KeptList, useList } from "../../data/useList.ts"
import { useLoad } from "../../data/useLoad.ts"
import { urlWords } from "../../format/Ids.ts"
import { FilterBar, NoMatch } from "../../parts/FilterBar.tsx"
import { Id } from "../../parts/Id.tsx"
import { List } from "../../parts/List.tsx"
import type { Column } from "../../parts/Rows.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { Status } from "../../parts/Status.tsx"
import { AttemptDots } from "../../parts/AttemptDots.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { filterNames, filtersWith, queryOf } from "./DeliveryFilters.ts"
import { LastAnswer } from "./LastAnswer.tsx"
import { stateOf, attemptCountsOf } from "./DeliveryWords.ts"

const columns: ReadonlyArray<Column<Delivery>> = [
  { head: "State", cell: (delivery) => <Status of={stateOf(delivery)} /> },
  {
    head: "Event",
    isRowHead: true,
    cell: ({ id, reference, type }) => (
      <>
        <a href={pathOf`/deliveries/${id}`}>{type}</a>
        <span class="sub">
          <Id of={id} />{" "}
          {reference === null ? "no execution" : <UntrustedText text={reference} isBrief max={60} />}
        </span>
      </>
    )
  },
  {
    head: "Receiver",
    class: "p2",
    cell: ({ callback_url }) => <UntrustedText class="clip" text={urlWords(callback_url)} isBrief />
  },
  { head: "Attempts", class: "p3", cell: (delivery) => <AttemptDots {...attemptCountsOf(delivery)} /> },
  { head: "Last answer", class: "p1", cell: (delivery) => <LastAnswer of={delivery} /> },
  { head: "Since", class: "end", cell: ({ created_at }) => <Moment at={created_at} /> }
]

const kept = new Kept<KeptList<Delivery>>()

export const Deliveries = () => {
  const by = useFilters("/deliveries", filterNames)
  const { id, keys } = account.value
  const query = queryOf(by.filters)
  const list = useList<Delivery>({
    kept,
    key: JSON.stringify([id, query]),
    load: (where, signal) => account.value.deliveries.list({ ...where, ...query }, { signal }).page(),
    idOf: (delivery) => delivery.id,
    kind: "delivery",
    one: (one) => account.value.deliveries.get(one)
  })
  const { data } = useLoad(`keys ${id}`, (signal) => keys.list({ limit: 200 }, { signal }).page())
  return (
    <>
      <Head title="Deliveries">Every filter is in the address: send a colleague the link.</Head>
      <FilterBar by={by} of={filtersWith(data?.data.map(({ id: key, name }) => [key, name]))} />
      <List
        of={list}
        one="delivery"
        many="deliveries"
        label="Deliveries, newest first"
        columns={columns}
        none={
          by.isAny ? (
            <NoMatch by={by} text="q" tab="state">
              The search covers parts of the event type or URL, and whole ids, but not references.
            </NoMatch>
          ) : (
            <EmptyState
              title="No deliveries yet"
              action={<a href={pathTo("/test-webhook")}>Send test webhook</a>}
            >
              They appear here when an execution with a <code>callback_url</code> changes status.
            </EmptyState>
          )
        }
      />
    </>
  )
}
