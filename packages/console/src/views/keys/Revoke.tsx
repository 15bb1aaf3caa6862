/** Revokes a key, after stating the consequences in numbers. */
import type { KeyFacts } from "@runhook/sdk/admin"
import { countOf } from "../../format/Amounts.ts"
import { AskButton, Card, Moment, prose, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"

export const Revoke = ({ of: key, onRevoked }: { readonly of: KeyFacts; readonly onRevoked: () => void }) => (
  <Card title="Revoke">
    <p>
      <Use of={key} /> <Cost of={key} />
    </p>
    <p class="acts">
      <AskButton
        kind="risk"
        word="Revoke"
        title={prose`Revoke ${<UntrustedText text={key.name} isBrief />}`}
        cancel="Keep it"
        act={() => account.value.keys.revoke(key.id)}
        onDone={onRevoked}
        more={
          <p>
            <Cost of={key} /> This cannot be undone.
          </p>
        }
      >
        <Use of={key} />
      </AskButton>
    </p>
  </Card>
)

const Use = ({ of: { last_used_at, last_used_from, requests_24h } }: { readonly of: KeyFacts }) =>
  last_used_at === null ? (
    <>Never used.</>
  ) : (
    <>
      Used <strong>{countOf(requests_24h, "time")} in the last 24 hours</strong>, most recently at{" "}
      <Moment at={last_used_at} />
      {last_used_from === null ? null : prose` from ${<code>{last_used_from}</code>}`}.
    </>
  )

const Cost = ({ of: { live_executions, waiting_deliveries } }: { readonly of: KeyFacts }) => (
  <>
    Once revoked, its calls get 401.{" "}
    {waiting_deliveries === 0
      ? "No callback is waiting. "
      : `Its ${countOf(waiting_deliveries, "waiting callback")} ${waiting_deliveries === 1 ? "is" : "are"} still sent. `}
    {live_executions === 0
      ? "It has no unfinished executions."
      : `Its ${countOf(live_executions, "unfinished execution")} ${live_executions === 1 ? "continues" : "continue"}.`}
  </>
)
