/** Deliveries, newest first: filtered, searched and live. */
import type { Delivery } from "@runhook/sdk/admin"
import { useFilters } from "../../data/useFilters.ts"
import { useList } from "../../data/useList.ts"
import { urlWords } from "../../format/Ids.ts"
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
import { filterNames, queryOf } from "./DeliveryFilters.ts"
import { DeliveryFilterBar } from "./DeliveryFilterBar.tsx"
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

export const Deliveries = () => {
  const filtering = useFilters("/deliveries", filterNames)
  const { clear, filters, isAny } = filtering
  const query = queryOf(filters)
  const list = useList<Delivery>({
    key: JSON.stringify([account.value.id, query]),
    load: (where, signal) => account.value.deliveries.list({ ...where, ...query }, { signal }).page(),
    idOf: ({ id }) => id,
    kind: "delivery",
    one: (id) => account.value.deliveries.get(id)
  })
  return (
    <>
      <Head title="Deliveries">Every filter is in the address: send a colleague the link.</Head>
      <DeliveryFilterBar of={filtering} />
      <List
        of={list}
        one="delivery"
        many="deliveries"
        label="Deliveries, newest first"
        columns={columns}
        none={
          isAny ? (
            <NothingMatches
              q={filters.q}
              state={filters.state}
              allHref={pathTo("/deliveries", { q: filters.q })}
              onClear={clear}
            />
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

interface NothingMatchesProps {
  readonly q: string | undefined
  readonly state: string | undefined
  readonly allHref: string
  readonly onClear: () => void
}

const NothingMatches = ({ allHref, onClear, q, state }: NothingMatchesProps) => (
  <EmptyState
    title={
      q === undefined ? (
        "Nothing matches these filters"
      ) : (
        <>
          Nothing matches “<UntrustedText text={q} isBrief max={60} />”
        </>
      )
    }
    action={
      <>
        {q !== undefined && state !== undefined ? <a href={allHref}>Search all states</a> : null}
        <button type="button" onClick={onClear}>
          Clear filters
        </button>
      </>
    }
  >
    {q === undefined
      ? "No delivery matches all of them."
      : "The search covers parts of the event type or URL, and whole ids, but not references."}
  </EmptyState>
)
