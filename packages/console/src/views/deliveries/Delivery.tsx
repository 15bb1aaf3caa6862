/** One delivery: the diagnosis first, then the evidence. */
import type { DeliveryDetail } from "@runhook/sdk/admin"
import { useLocation } from "preact-iso/router"
import { useCallback } from "preact/hooks"
import { useLoad } from "../../data/useLoad.ts"
import { shortId } from "../../format/Ids.ts"
import { useLive } from "../../live/Live.ts"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Card } from "../../parts/Card.tsx"
import { Id } from "../../parts/Id.tsx"
import { ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { Status } from "../../parts/Status.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { useShortcut } from "../../shell/Shortcuts.ts"
import "./delivery.css"
import { Attempts, keyOf } from "./Attempts.tsx"
import { AttemptDetail } from "./AttemptDetail.tsx"
import { noEvidence } from "./Case.ts"
import { DeliveryFacts } from "./DeliveryFacts.tsx"
import { DiagnosisNote } from "./DiagnosisNote.tsx"
import { evidenceFor } from "./Evidence.ts"
import { SignatureChecker } from "./SignatureChecker.tsx"
import { stateOf } from "./DeliveryWords.ts"
import { WaitReasons } from "./WaitReasons.tsx"

const crumb = (id: string) => (
  <>
    <a href={pathTo("/deliveries")}>Deliveries</a> / <Id of={id} />
  </>
)

export const Delivery = ({ id }: { readonly id: string }) => {
  const { data, error, reload } = useLoad(`delivery ${account.value.id} ${id}`, (signal) =>
    account.value.deliveries.get(id, { signal })
  )
  useLive(
    { kind: "delivery", id },
    useCallback(async () => reload(), [reload])
  )
  useShortcut("y", "Copy id", () => void navigator.clipboard.writeText(id))
  if (data !== undefined) return <Shown of={data} onChange={reload} />
  return (
    <>
      <Head title="Delivery" crumb={crumb(id)} />
      {error === undefined ? (
        <Skeleton />
      ) : (
        <ProblemNote
          error={error}
          what="delivery"
          all={{ href: pathTo("/deliveries"), words: "All deliveries" }}
          onRetry={reload}
        />
      )}
    </>
  )
}

const Shown = ({ of, onChange }: { readonly of: DeliveryDetail; readonly onChange: () => void }) => {
  const { attempts_log, id, type } = of
  const { query } = useLocation()
  const { data: evidence = noEvidence } = useLoad(
    `evidence ${id} ${of.round} ${of.attempts} ${of.last_cause}`,
    (signal) => evidenceFor(of, signal)
  )
  const chosen = attempts_log.find((attempt) => keyOf(attempt) === query["attempt"]) ?? attempts_log.at(-1)
  return (
    <>
      <Head
        title={`${type} ${shortId(id)}`}
        crumb={crumb(id)}
        heading={
          <>
            {type} <Status of={stateOf(of)} />
          </>
        }
      />
      <div class="stack">
        <DiagnosisNote of={of} evidence={evidence} onChange={onChange} />
        <div class="cols">
          <div class="stack">
            <WaitReasons of={of} />
            <Attempts of={of} chosen={chosen} />
            {chosen === undefined ? null : (
              <>
                <AttemptDetail of={of} attempt={chosen} />
                {chosen.request === null ? null : (
                  <SignatureChecker key={query["attempt"]} of={of} attempt={chosen} />
                )}
              </>
            )}
          </div>
          <aside class="stack">
            <DeliveryFacts of={of} />
            <Card title="About replays">
              <p class="small">
                A replay keeps the event id and the body, with a new signature. A receiver that deduplicates
                by <code>X-Webhook-Event-Id</code> does the work once.
              </p>
            </Card>
          </aside>
        </div>
      </div>
    </>
  )
}
