/** Rotates the signing secret: staged, so that no receiver breaks, or at once. */
import type { Key } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { countOf } from "../../format/Amounts.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Note } from "../../parts/Note.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { account } from "../../session/Session.ts"
import type { Secrets } from "./KeyHandout.ts"
import { Overlap } from "./Overlap.tsx"
import { EndTime } from "./RotateKey.tsx"

export interface RotateSecretProps {
  readonly of: Key & { readonly waiting_deliveries: number }
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMade: (secrets: Secrets) => void
}

export const RotateSecret = ({ isOpen, of: key, onClose, onMade }: RotateSecretProps) => {
  const [mode, setMode] = useState<"staged" | "immediate">("staged")
  const [overlap, setOverlap] = useState(86_400)
  const rotate = useAction(
    () => account.value.keys.rotateSigningSecret(key.id, { mode, overlap_seconds: overlap }),
    (rotated) => onMade({ signingSecret: rotated.signing_secret })
  )
  const isStaged = mode === "staged"
  const waiting =
    key.waiting_deliveries === 0
      ? "No callback is waiting now."
      : `${countOf(key.waiting_deliveries, "waiting callback")} will be signed with the new one.`
  return (
    <Dialog title="Rotate the signing secret" isOpen={isOpen} onClose={onClose} onSubmit={rotate.run}>
      <fieldset>
        <legend class="hide">How</legend>
        <label class="pick">
          <input type="radio" name="mode" checked={isStaged} onChange={() => setMode("staged")} />
          <span>
            <strong>Staged: nothing breaks</strong>
            <span class="sub">
              You get the next secret now. Callbacks are signed with both; then it becomes active and the old
              one ends.
            </span>
          </span>
        </label>
        <label class="pick">
          <input type="radio" name="mode" checked={!isStaged} onChange={() => setMode("immediate")} />
          <span>
            <strong>At once: the secret leaked</strong>
            <span class="sub">
              Every receiver with the old one refuses callbacks until it has the new one. {waiting}
            </span>
          </span>
        </label>
      </fieldset>
      {isStaged ? (
        <>
          <Overlap
            label="Becomes active in, and the old one ends after as long again"
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
          <p>The old one signs nothing from now on.</p>
        </Note>
      )}
      <Outcome problem={rotate.problem} />
      <p class="acts">
        <Button onPress={onClose}>Not now</Button>
        <Button kind={isStaged ? "first" : "risk"} isSubmit isChange isRunning={rotate.isRunning}>
          {isStaged ? "Show the next secret" : "Replace it now"}
        </Button>
      </p>
    </Dialog>
  )
}
