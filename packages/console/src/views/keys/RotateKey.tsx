/** Rotates a key: the old secret stays valid for a while. */
import type { Key } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/Data.ts"
import { countOf } from "../../format/Amounts.ts"
import { Dialog, Moment, Note, type Opened } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import type { Secrets } from "./KeyHandout.ts"
import { Overlap } from "./Overlap.tsx"

interface RotateKeyProps extends Opened<Secrets> {
  readonly of: Key & { readonly requests_24h: number }
}

export const RotateKey = ({ of: key, onClose, onDone }: RotateKeyProps) => {
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
          <p>
            The current key expires at once. Who calls with it gets 401 until they have the new one:{" "}
            {countOf(key.requests_24h, "call")} in the last 24 hours.
          </p>
        </Note>
      ) : (
        <Note tone="run">
          <p>
            The current key expires at <EndTime inSeconds={overlap} />. Nothing breaks until then.
          </p>
        </Note>
      )}
    </Dialog>
  )
}

/** The expected end of the overlap. */
export const EndTime = ({ inSeconds }: { readonly inSeconds: number }) => (
  <Moment at={new Date(now() + inSeconds * 1_000).toISOString()} />
)
