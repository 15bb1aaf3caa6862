/** The keys that runners connect with: made, shown once, and revoked. */
import type { RunnerKey } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { useList } from "../../data/useList.ts"
import { Ask } from "../../parts/Ask.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { TextField } from "../../parts/Field.tsx"
import { List } from "../../parts/List.tsx"
import { Moment } from "../../parts/Moment.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Status } from "../../parts/Status.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { scopeWords } from "../keys/KeyWords.ts"
import { Picker } from "../keys/Picker.tsx"
import { ShownOnce } from "../keys/ShownOnce.tsx"
import { type Names, useNames } from "../keys/useNames.ts"

const columnsOf = (
  agents: Names["agents"],
  leave: (key: RunnerKey) => void
): ReadonlyArray<Column<RunnerKey>> => [
  {
    head: "Runner key",
    isRowHead: true,
    cell: (key) => (
      <>
        <UntrustedText text={key.name} isBrief />
        <span class="sub">
          <code>rhrun_{key.prefix}_…</code>
        </span>
      </>
    )
  },
  {
    head: "State",
    class: "p1",
    cell: ({ revoked_at }) => <Status of={revoked_at === null ? "active" : "revoked"} />
  },
  {
    head: "Agents",
    class: "p2",
    cell: ({ agent_ids }) => (
      <UntrustedText text={scopeWords(agent_ids, { known: agents, many: "agents" })} isBrief />
    )
  },
  { head: "Created", class: "p2", cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    head: "Revoke",
    class: "end p1",
    cell: (key) =>
      key.revoked_at === null ? (
        <Button kind="bare" isChange label={`Revoke ${key.name}`} onPress={() => leave(key)}>
          Revoke…
        </Button>
      ) : null
  }
]

export const RunnerKeys = () => {
  const { id, runnerKeys } = account.value
  const names = useNames()
  const agents = names.data?.agents ?? []
  const [isMaking, setMaking] = useState(false)
  const [name, setName] = useState("")
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const [leaving, setLeaving] = useState<RunnerKey>()
  const list = useList({
    key: `runner keys ${id}`,
    load: (where, signal) => runnerKeys.list(where, { signal }).page(),
    idOf: (key: RunnerKey) => key.id,
    kind: "audit"
  })
  const make = useAction(
    () => runnerKeys.create({ name: name.trim(), agent_ids: chosen && [...chosen] }),
    () => {
      setMaking(false)
      list.reload()
    }
  )
  const add = (
    <Button isChange onPress={() => setMaking(true)}>
      New runner key
    </Button>
  )
  return (
    <section class="stack" aria-labelledby="runner-keys">
      <h2 id="runner-keys">Runner keys</h2>
      {make.done === undefined ? null : (
        <div class="card">
          <ShownOnce secrets={{ runnerKey: make.done.key }} name={make.done.name} onDone={make.reset} />
        </div>
      )}
      <div>
        <List
          of={list}
          one="runner key"
          label="Runner keys, newest first"
          none={
            <EmptyState title="No runner key yet" action={add}>
              A runner connects with one. See <a href="/docs/guides/agents">how to write a runner</a>.
            </EmptyState>
          }
          columns={columnsOf(agents, setLeaving)}
        />
      </div>
      {list.rows.length === 0 ? null : <p class="acts">{add}</p>}
      <Dialog
        title="New runner key"
        isOpen={isMaking}
        onClose={() => setMaking(false)}
        confirm={{ word: "Create runner key", action: make, run: make.run }}
      >
        <TextField
          label="Name"
          hint="Such as a host or a pool."
          wrong={make.wrong("name")}
          required
          maxLength={200}
          value={name}
          onText={setName}
        />
        <Picker
          legend="Agents it may serve"
          one="agent"
          options={agents}
          value={chosen}
          onChange={setChosen}
          wrong={make.wrong("agent_ids")}
        />
      </Dialog>
      <Ask
        of={leaving}
        title="Revoke this runner key"
        word="Revoke"
        cancel="Keep it"
        act={(key) => runnerKeys.revoke(key.id)}
        onClose={() => setLeaving(undefined)}
        onDone={list.reload}
      >
        {({ name: revoked }) => (
          <p>
            Runners that use <UntrustedText text={revoked} isBrief /> get 401 within seconds, and lose what
            they are working on. This cannot be undone.
          </p>
        )}
      </Ask>
    </section>
  )
}
