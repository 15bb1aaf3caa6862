/** Revokes a key, after stating the consequences in numbers. */
import type { KeyFacts } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { countOf } from "../../format/Amounts.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"

export interface RevokeProps {
  readonly of: KeyFacts
  readonly onRevoked: () => void
}

export const Revoke = ({ of: key, onRevoked }: RevokeProps) => {
  const [isOpen, setOpen] = useState(false)
  const revoke = useAction(
    () => account.value.keys.revoke(key.id),
    () => {
      setOpen(false)
      onRevoked()
    }
  )
  return (
    <>
      <Card title="Revoke">
        <p>
          <Use of={key} /> <Cost of={key} />
        </p>
        <p class="acts">
          <Button kind="risk" isChange onPress={() => setOpen(true)}>
            Revoke…
          </Button>
        </p>
      </Card>
      <Dialog
        title={
          <>
            Revoke <UntrustedText text={key.name} isBrief />
          </>
        }
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onSubmit={revoke.run}
      >
        <p>
          <Use of={key} />
        </p>
        <p>
          <Cost of={key} /> This cannot be undone: a revoked key stays revoked.
        </p>
        <Outcome problem={revoke.problem} />
        <p class="acts">
          <Button onPress={() => setOpen(false)}>Keep it</Button>
          <Button kind="risk" isSubmit isChange isRunning={revoke.isRunning}>
            Revoke
          </Button>
        </p>
      </Dialog>
    </>
  )
}

const Use = ({ of: { last_used_at, last_used_from, requests_24h } }: { readonly of: KeyFacts }) =>
  last_used_at === null ? (
    <>Never used.</>
  ) : (
    <>
      Used <strong>{countOf(requests_24h, "time")} in the last 24 hours</strong>, last at{" "}
      <Moment at={last_used_at} />
      {last_used_from === null ? null : (
        <>
          {" "}
          from <code>{last_used_from}</code>
        </>
      )}
      .
    </>
  )

const Cost = ({ of: { live_executions, waiting_deliveries } }: { readonly of: KeyFacts }) => (
  <>
    Once it is revoked its calls get 401.{" "}
    {waiting_deliveries === 0
      ? "No callback waits. "
      : `Its ${countOf(waiting_deliveries, "waiting callback")} ${waiting_deliveries === 1 ? "is" : "are"} still sent. `}
    {live_executions === 0
      ? "Nothing of it runs."
      : `Its ${countOf(live_executions, "unfinished execution")} ${live_executions === 1 ? "goes" : "go"} on.`}
  </>
)
