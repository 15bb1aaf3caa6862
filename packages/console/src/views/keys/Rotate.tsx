/** Rotates a key or its signing secret: the old one stays valid for a while. */
import type { KeyFacts } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/Data.ts"
import { countOf } from "../../format/Amounts.ts"
import { ChoiceField, Dialog, Moment, Note, type Opened, PickOne } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import type { Secrets } from "./KeyHandout.ts"

interface RotateProps extends Opened<Secrets> {
  readonly of: KeyFacts
}

export const RotateKey = ({ of: key, onClose, onDone }: RotateProps) => {
  const [overlap, setOverlap] = useState(86_400)
  const rotate = useAction(
    () => account.value.keys.rotate(key.id, { overlap_seconds: overlap }),
    (rotated) => onDone({ key: rotated.key })
  )
  return (
    <Dialog
      title="Rotate the key"
      onClose={onClose}
      confirm={{ word: "Show the new key", action: rotate, isRisk: overlap === 0, cancel: "Not now" }}
    >
      <p>
        You get a new key with the same name, scopes and limits. Deploy it before the current one expires.
      </p>
      <Overlap label="The current key stays valid for" value={overlap} onChange={setOverlap} hasNone />
      {overlap === 0 ? (
        <Note tone="warn">
          The current key expires at once. Who calls with it gets 401 until they have the new one:{" "}
          {countOf(key.requests_24h, "call")} in the last 24 hours.
        </Note>
      ) : (
        <Note tone="run">
          The current key expires at <EndTime inSeconds={overlap} />. Nothing breaks until then.
        </Note>
      )}
    </Dialog>
  )
}

/** The expected end of the overlap. */
const EndTime = ({ inSeconds }: { readonly inSeconds: number }) => (
  <Moment at={new Date(now() + inSeconds * 1_000).toISOString()} />
)

/** Rotates the signing secret: staged, so that no receiver breaks, or at once. */
export const RotateSecret = ({ of: key, onClose, onDone }: RotateProps) => {
  const [mode, setMode] = useState<"staged" | "immediate">("staged")
  const [overlap, setOverlap] = useState(86_400)
  const rotate = useAction(
    () => account.value.keys.rotateSigningSecret(key.id, { mode, overlap_seconds: overlap }),
    (rotated) => onDone({ signingSecret: rotated.signing_secret })
  )
  const isStaged = mode === "staged"
  const waiting =
    key.waiting_deliveries === 0
      ? "No callback is waiting now."
      : `${countOf(key.waiting_deliveries, "waiting callback")} will be signed with the new one.`
  return (
    <Dialog
      title="Rotate the signing secret"
      onClose={onClose}
      confirm={{
        word: isStaged ? "Show the next secret" : "Replace it now",
        action: rotate,
        isRisk: !isStaged,
        cancel: "Not now"
      }}
    >
      <PickOne
        legend={<span class="hide">How</span>}
        value={mode}
        onPick={setMode}
        options={[
          [
            "staged",
            <>
              <strong>Staged: nothing breaks</strong>
              <span class="sub">
                You get the next secret now. Callbacks are signed with both; then it becomes active and the
                old one ends.
              </span>
            </>
          ],
          [
            "immediate",
            <>
              <strong>At once: the secret leaked</strong>
              <span class="sub">
                Every receiver with the old one refuses callbacks until it has the new one. {waiting}
              </span>
            </>
          ]
        ]}
      />
      {isStaged ? (
        <>
          <Overlap
            label="Time until it becomes active, and then until the old one ends"
            value={overlap}
            onChange={setOverlap}
          />
          <Note tone="run">
            Active at <EndTime inSeconds={overlap} />, the old one ends at <EndTime inSeconds={2 * overlap} />
            .
          </Note>
        </>
      ) : (
        <Note tone="warn">The old secret stops signing immediately.</Note>
      )}
    </Dialog>
  )
}

const choices: ReadonlyArray<readonly [seconds: string, words: string]> = [
  ["3600", "1 hour"],
  ["86400", "24 hours"],
  ["604800", "7 days"],
  ["2592000", "30 days"]
]

interface OverlapProps {
  readonly label: string
  readonly value: number
  readonly onChange: (seconds: number) => void
  /** Whether zero is offered. */
  readonly hasNone?: boolean
}

/** Chooses how long the old secret stays valid beside the new one. */
export const Overlap = ({ hasNone = false, label, onChange, value }: OverlapProps) => (
  <ChoiceField
    label={label}
    value={String(value)}
    onText={(seconds) => onChange(Number(seconds))}
    options={[...(hasNone ? [["0", "At once: the key leaked"] as const] : []), ...choices]}
  />
)
