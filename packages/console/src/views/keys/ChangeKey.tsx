/** Changes a key's name, scopes, capabilities, expiry and limits. Its secrets stay. */
import { type Opened, SaveDialog } from "../../parts/Parts.ts"
import type { Key } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/Data.ts"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import { bodyOf, draftOf } from "./KeyDraft.ts"
import { KeyFields } from "./KeyFields.tsx"

export const ChangeKey = ({ of: key, onClose, onDone }: Opened & { readonly of: Key }) => {
  const [draft, setDraft] = useState(() => draftOf(key))
  const save = useAction(() => account.value.keys.update(key.id, bodyOf(draft, now(), key)), onDone)
  return (
    <SaveDialog one="key" isNew={false} action={save} onClose={onClose}>
      <p>Changes hold from its next request. Running executions go on.</p>
      <KeyFields value={draft} onChange={setDraft} wrong={save.wrong} />
    </SaveDialog>
  )
}
