/** Receivers with their state, in the service's order: the worst first. */
import type { Receiver } from "@runhook/sdk/admin"
import { boundedWords, countWords, shareWords } from "../../format/Amounts.ts"
import { type Column, Moment, NameLink, Status, Table } from "../../parts/Parts.ts"
import { pathTo } from "../../shell/Shell.ts"
import { receiverWord } from "./ReceiverWords.ts"

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
  { head: "State", cell: (receiver) => <State of={receiver} /> },
  {
    head: "Receiver",
    isRowHead: true,
    cell: ({ origin }) => <NameLink href={pathTo("/deliveries", { origin })} text={origin} max={100} />
  },
  { head: "Delivered, 24 h", class: "end num p2", cell: (receiver) => <Delivered of={receiver} /> },
  {
    head: "Last success",
    class: "p3",
    cell: ({ last_success_at: at }) => (at === null ? <span class="quiet">never</span> : <Moment at={at} />)
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

const State = ({ of: receiver }: { readonly of: Receiver }) => {
  const { of, tone, word } = receiverWord(receiver)
  return (
    <>
      <Status of={of} word={word} tone={tone} />
      {receiver.until === null ? null : (
        <span class="sub">
          paused until <Moment at={receiver.until} />
        </span>
      )}
    </>
  )
}

const Delivered = ({ of: { delivered_24h: delivered, failed_24h: failed } }: { readonly of: Receiver }) =>
  delivered + failed === 0 ? (
    <span class="quiet">nothing sent</span>
  ) : (
    <>
      {shareWords(delivered, delivered + failed)}
      <span class="sub">
        {countWords(delivered)} of {countWords(delivered + failed)}
      </span>
    </>
  )

/** With a label for cards, which have no column heads. */
const Count = ({ of, word }: { readonly of: number; readonly word: string }) => (
  <>
    {boundedWords(of)}
    <span class="on-card"> {word}</span>
  </>
)
