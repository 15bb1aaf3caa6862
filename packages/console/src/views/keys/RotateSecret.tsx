/** Rotates the signing secret: staged, so that no receiver breaks, or at once. */
import type { Key } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/Data.ts"
import { countOf } from "../../format/Amounts.ts"
import { Dialog, Note, type Opened, PickOne } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import type { Secrets } from "./KeyHandout.ts"
import { Overlap } from "./Overlap.tsx"
import { EndTime } from "./RotateKey.tsx"

interface RotateSecretProps extends Opened<Secrets> {
  readonly of: Key & { readonly waiting_deliveries: number }
}

export const RotateSecret = ({ of: key, onClose, onDone }: RotateSecretProps) => {
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
            <p>
              Active at <EndTime inSeconds={overlap} />, the old one ends at{" "}
              <EndTime inSeconds={2 * overlap} />.
            </p>
          </Note>
        </>
      ) : (
        <Note tone="warn">
          <p>The old secret stops signing immediately.</p>
        </Note>
      )}
    </Dialog>
  )
}
