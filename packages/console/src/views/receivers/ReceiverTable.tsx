/** Receivers with their state, in the service's order: the worst first. */
import type { Receiver } from "@runhook/sdk/admin"
import { boundedWords, countWords, shareWords } from "../../format/Amounts.ts"
import { type Column, Moment, NameLink, prose, Status, Table } from "../../parts/Parts.ts"
import { pathTo } from "../../shell/Shell.ts"
import { receiverStatus } from "./ReceiverWords.ts"

export const ReceiverTable = ({ of }: { readonly of: ReadonlyArray<Receiver> }) => (
  <Table
    class="list"
    label="Receivers, the worst first"
    items={of}
    idOf={({ origin }) => origin}
    columns={columns}
  />
)

const columns: ReadonlyArray<Column<Receiver>> = [
  {
    head: "State",
    cell: (receiver) => <Status {...receiverStatus(receiver)} />,
    sub: ({ until }) => until && prose`paused until ${<Moment at={until} />}`
  },
  {
    head: "Receiver",
    isRowHead: true,
    cell: ({ origin }) => <NameLink href={pathTo("/deliveries", { origin })} text={origin} max={100} />
  },
  {
    head: "Delivered, 24 h",
    class: "end num p2",
    cell: (of) => sentTo(of) > 0 && shareWords(of.delivered_24h, sentTo(of)),
    sub: (of) => sentTo(of) > 0 && `${countWords(of.delivered_24h)} of ${countWords(sentTo(of))}`,
    none: "nothing sent"
  },
  {
    head: "Last success",
    class: "p3",
    cell: ({ last_success_at: at }) => at && <Moment at={at} />,
    none: "never"
  },
  { head: "Waiting", class: "end num p1", cell: ({ waiting }) => <Count of={waiting} word="waiting" /> },
  {
    head: "Dead letters",
    class: "end num p1",
    cell: ({ dead, origin }) =>
      dead === 0 ? (
        <Count of={dead} word="dead" />
      ) : (
        <a href={pathTo("/deliveries", { state: "dead", origin })}>
          <Count of={dead} word="dead" />
        </a>
      )
  }
]

const sentTo = ({ delivered_24h, failed_24h }: Receiver): number => delivered_24h + failed_24h

/** With a label for cards, which have no column heads. */
const Count = ({ of, word }: { readonly of: number; readonly word: string }) => (
  <>
    {boundedWords(of)}
    <span class="on-card"> {word}</span>
  </>
)
