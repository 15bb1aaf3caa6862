/** One delivery: the diagnosis first, then the evidence. */
import type { DeliveryDetail } from "@runhook/sdk/admin"
import { Detail, useLocation, useShortcut } from "../../shell/Shell.ts"
import { Kept, useLive, useLoad } from "../../data/Data.ts"
import { shortId } from "../../format/Ids.ts"
import { Card, Id, Status } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import "./delivery.css"
import { Attempts, keyOf } from "./Attempts.tsx"
import { AttemptDetail } from "./AttemptDetail.tsx"
import type { Evidence } from "./Case.ts"
import { DeliveryFacts } from "./DeliveryFacts.tsx"
import { DiagnosisNote } from "./DiagnosisNote.tsx"
import { evidenceFor } from "./Evidence.ts"
import { SignatureChecker } from "./SignatureChecker.tsx"
import { stateOf } from "./DeliveryWords.ts"
import { WaitReasons } from "./WaitReasons.tsx"

/** Together, since a diagnosis without its evidence would be another one. */
interface Diagnosed {
  readonly of: DeliveryDetail
  readonly evidence: Evidence
}

const kept = new Kept<Diagnosed>()

export const Delivery = ({ id }: { readonly id: string }) => {
  const loaded = useLoad(
    `delivery ${id}`,
    async (signal): Promise<Diagnosed> => {
      const of = await account.value.deliveries.get(id, { signal })
      return { of, evidence: await evidenceFor(of, signal) }
    },
    kept
  )
  useLive({ kind: "delivery", id }, loaded.reload)
  useShortcut("y", "Copy id", () => void navigator.clipboard.writeText(id))
  return (
    <Detail id={id} of={loaded} what="delivery" head={headOf}>
      {(shown) => <Shown {...shown} onChange={loaded.reload} />}
    </Detail>
  )
}

const headOf = ({ of }: Diagnosed) => ({
  title: `${of.type} ${shortId(of.id)}`,
  crumb: <Id of={of.id} />,
  heading: (
    <>
      {of.type} <Status of={stateOf(of)} />
    </>
  )
})

const Shown = ({ evidence, of, onChange }: Diagnosed & { readonly onChange: () => void }) => {
  const { attempts_log } = of
  const { query } = useLocation()
  const asked = attempts_log.find((attempt) => keyOf(attempt) === query["attempt"])
  const chosen = asked ?? attempts_log.at(-1)
  // It stays, with what was typed, when an attempt follows that sent nothing.
  const signed = asked ?? attempts_log.findLast(({ request }) => request !== null)
  return (
    <div class="stack">
      <DiagnosisNote of={of} evidence={evidence} onChange={onChange} />
      <div class="cols">
        <div class="stack">
          <WaitReasons of={of} />
          {chosen === undefined ? null : (
            <>
              <Attempts of={of} chosen={chosen} />
              <AttemptDetail of={of} attempt={chosen} />
            </>
          )}
          {signed === undefined || signed.request === null ? null : (
            <SignatureChecker key={query["attempt"]} of={of} attempt={signed} />
          )}
        </div>
        <aside class="stack">
          <DeliveryFacts of={of} />
          <Card title="About replays">
            <p class="small">
              A replay keeps the event id and the body, with a new signature. A receiver that deduplicates by{" "}
              <code>X-Webhook-Event-Id</code> does the work once.
            </p>
          </Card>
        </aside>
      </div>
    </div>
  )
}
