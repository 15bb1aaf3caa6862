/** Changes a key's name, scopes, capabilities, expiry and limits. Its secrets stay. */
import type { Key } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/Data.ts"
import { Dialog, type Opened } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import { bodyOf, draftOf } from "./KeyDraft.ts"
import { KeyFields } from "./KeyFields.tsx"

export const ChangeKey = ({ of: key, onClose, onDone }: Opened & { readonly of: Key }) => {
  const [draft, setDraft] = useState(() => draftOf(key))
  const save = useAction(() => account.value.keys.update(key.id, bodyOf(draft, now(), key)), onDone)
  return (
    <Dialog title="Change this key" onClose={onClose} confirm={{ word: "Save", action: save }}>
      <p>Changes hold from its next request. Running executions go on.</p>
      <KeyFields value={draft} onChange={setDraft} wrong={save.wrong} />
    </Dialog>
  )
}
