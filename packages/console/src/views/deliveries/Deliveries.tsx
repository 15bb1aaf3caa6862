/** Deliveries, newest first: filtered, searched and live. */
import type { AdminDeliveryFilter, Delivery } from "@runhook/sdk/admin"
import { Kept, type KeptList, useFilters, useNames, useRows } from "../../data/Data.ts"
import { urlWords } from "../../format/Ids.ts"
import { AttemptDots, type Column, EmptyState, FilterBar, Id, List, Moment } from "../../parts/Parts.ts"
import { NoMatch, Status, UntrustedText } from "../../parts/Parts.ts"
import { useView } from "../../parts/ViewMenu.tsx"
import type { BulkAct } from "../../parts/bulk/Bulk.ts"
import { account } from "../../session/Session.ts"
import { Head, pathOf, pathTo } from "../../shell/Shell.ts"
import { filterNames, filtersWith, queryOf } from "./DeliveryFilters.ts"
import { LastAnswer } from "./LastAnswer.tsx"
import { attemptCountsOf, stateOf } from "./DeliveryWords.ts"

const columns: ReadonlyArray<Column<Delivery>> = [
  { head: "State", cell: (delivery) => <Status of={stateOf(delivery)} /> },
  {
    head: "Event",
    isRowHead: true,
    cell: ({ id, type }) => <a href={pathOf`/deliveries/${id}`}>{type}</a>
  },
  {
    head: "Reference",
    class: "p1",
    cell: ({ execution_id, reference }) =>
      reference === null || reference === execution_id ? null : (
        <UntrustedText class="clip" text={reference} isBrief max={120} />
      )
  },
  { head: "Id", class: "p3", cell: ({ id }) => <Id of={id} /> },
  {
    head: "Receiver",
    class: "p1",
    cell: ({ callback_url }) => <UntrustedText class="clip" text={urlWords(callback_url)} isBrief />
  },
  { head: "Attempts", class: "p4", cell: (delivery) => <AttemptDots {...attemptCountsOf(delivery)} /> },
  { head: "Last answer", class: "p1 line", cell: (delivery) => <LastAnswer of={delivery} /> },
  { head: "Since", class: "end", cell: ({ created_at }) => <Moment at={created_at} /> }
]

const kept = new Kept<KeptList<Delivery>>()

const acts: ReadonlyArray<BulkAct<Delivery>> = [
  {
    title: "Replay",
    can: ({ state }) => state !== "pending",
    act: ({ id }) => account.value.deliveries.replay(id),
    text: "Same event ids, same bodies, new signatures.",
    left: "are still being delivered, and stay as they are"
  }
]

export const Deliveries = () => {
  const by = useFilters("/deliveries", filterNames)
  const list = useRows<Delivery, AdminDeliveryFilter>(account.value.deliveries, {
    kept,
    kind: "delivery",
    createdAt: (row) => row.created_at,
    query: queryOf(by.filters)
  })
  const view = useView("deliveries", columns)
  const { data } = useNames()
  return (
    <>
      <Head title="Deliveries" />
      <FilterBar by={by} of={filtersWith(data?.keys)}>
        {view.menu}
      </FilterBar>
      <List
        of={list}
        one="delivery"
        many="deliveries"
        label="Deliveries, newest first"
        columns={view.columns}
        acts={acts}
        none={
          by.isAny ? (
            <NoMatch by={by} text={by.filters.find === undefined ? "q" : "find"} tab="state">
              References and ids are found by their beginning.
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
