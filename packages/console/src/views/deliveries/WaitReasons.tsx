/** What a pending delivery waits for, and until when, the longest wait first. */
import { deliveryAttemptsMax, type DeliveryDetail } from "@runhook/sdk/admin"
import { useLoad } from "../../data/Data.ts"
import { originOf } from "../../format/Ids.ts"
import { Card, type Column, Moment, Status, Table } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import { reasonsOf } from "./Reasons.ts"

interface ReasonWords {
  readonly sign: string
  readonly name: string
  readonly words: string
}

const reasons: { readonly [waitingFor: string]: ReasonWords } = {
  backoff: { sign: "queued", name: "Retry time", words: "the wait after an attempt that failed" },
  breaker_open: {
    sign: "paused",
    name: "Receiver paused",
    words: "it failed several times in a row; then it is asked with one callback"
  },
  paused: { sign: "paused", name: "Receiver asked for a pause", words: "by Retry-After" },
  earlier_event: {
    sign: "queued",
    name: "Order",
    words:
      "an earlier event of the same execution goes first; this is when it is looked at again at the latest"
  },
  sending: {
    sign: "sending",
    name: "In flight",
    words: "without an outcome until then, the attempt counts as lost"
  }
}

/** A reason of a later version of the service. */
const unknown = (waitingFor: string): ReasonWords => ({ sign: "queued", name: waitingFor, words: "" })

interface Line extends ReasonWords {
  readonly until: string | null
}

const columns: ReadonlyArray<Column<Line>> = [
  {
    head: "Reason",
    isRowHead: true,
    cell: ({ name, sign }) => <Status of={sign} word={name} tone="quiet" />
  },
  { head: "Until", cell: ({ until }) => <Moment at={until} isExact /> },
  { head: "In words", class: "p2", cell: ({ words }) => words }
]

export const WaitReasons = ({ of }: { readonly of: DeliveryDetail }) => {
  const { attempts, expires_at, waiting_for } = of
  const origin = originOf(of.callback_url)
  const { data: receiver } = useLoad(`receiver ${origin} ${waiting_for} ${attempts}`, async (signal) => {
    if (waiting_for === null || waiting_for === "sending") return undefined
    const { data } = await account.value.usage.receivers({ limit: 200 }, { signal })
    return data.find((each) => each.origin === origin)
  })
  if (waiting_for === null) return null
  const lines: ReadonlyArray<Line> = [
    ...reasonsOf(of, receiver, now()).map(({ until, waitingFor }) => ({
      ...(reasons[waitingFor] ?? unknown(waitingFor)),
      until
    })),
    {
      sign: "dead",
      name: "Given up",
      until: expires_at,
      words: `at the latest; ${attempts} of ${deliveryAttemptsMax} attempts are used`
    }
  ]
  return (
    <Card title="What it waits for">
      <Table label="Reasons" items={lines} idOf={({ name }) => name} columns={columns} />
    </Card>
  )
}
