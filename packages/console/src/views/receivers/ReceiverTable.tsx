/** Receivers with their state, in the service's order: the worst first. */
import type { Receiver } from "@runhook/sdk/admin"
import { boundedWords, countWords, shareWords } from "../../format/Amounts.ts"
import { Moment } from "../../parts/Moment.tsx"
import { Status } from "../../parts/Status.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { receiverWord } from "./ReceiverWords.ts"

export interface ReceiverTableProps {
  readonly of: ReadonlyArray<Receiver>
  readonly label: string
}

export const ReceiverTable = ({ label, of }: ReceiverTableProps) => (
  <div class="scroll" role="region" aria-label={label} tabIndex={0}>
    <table class="list">
      <caption class="hide">{label}</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Receiver</th>
          <th scope="col" class="end p2">
            Delivered, 24 h
          </th>
          <th scope="col" class="p3">
            Last success
          </th>
          <th scope="col" class="end">
            Waiting
          </th>
          <th scope="col" class="end">
            Dead letters
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map((receiver) => (
          <Row key={receiver.origin} of={receiver} />
        ))}
      </tbody>
    </table>
  </div>
)

const Row = ({ of: receiver }: { readonly of: Receiver }) => {
  const { dead, delivered_24h, failed_24h, last_success_at, origin, until, waiting } = receiver
  const { of, tone, word } = receiverWord(receiver)
  return (
    <tr>
      <td>
        <Status of={of} word={word} tone={tone} />
        {until === null ? null : (
          <span class="sub">
            paused until <Moment at={until} />
          </span>
        )}
      </td>
      <th scope="row">
        <a href={pathTo("/deliveries", { origin })}>
          <UntrustedText text={origin} max={100} isBrief />
        </a>
      </th>
      <td class="end num p2">
        {delivered_24h + failed_24h === 0 ? (
          <span class="quiet">nothing sent</span>
        ) : (
          <>
            {shareWords(delivered_24h, delivered_24h + failed_24h)}
            <span class="sub">
              {countWords(delivered_24h)} of {countWords(delivered_24h + failed_24h)}
            </span>
          </>
        )}
      </td>
      <td class="p3">
        {last_success_at === null ? <span class="quiet">never</span> : <Moment at={last_success_at} />}
      </td>
      <td class="end num p1">
        <Count of={waiting} word="waiting" />
      </td>
      <td class="end num p1">
        {dead === 0 ? (
          <Count of={dead} word="dead" />
        ) : (
          <a href={pathTo("/deliveries", { state: "dead", origin })}>
            <Count of={dead} word="dead" />
          </a>
        )}
      </td>
    </tr>
  )
}

/** With a label for cards, which have no column heads. */
const Count = ({ of, word }: { readonly of: number; readonly word: string }) => (
  <>
    {boundedWords(of)}
    <span class="on-card"> {word}</span>
  </>
)
