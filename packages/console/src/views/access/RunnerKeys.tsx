/** The keys that runners connect with: made, shown once, and revoked. */
import { type Names, useForm, useNames, useRows } from "../../data/Data.ts"
import { AskButton, type Column, EmptyState, List, Moment, type Opened, Opener } from "../../parts/Parts.ts"
import { SaveDialog, Section, Status, TextField, UntrustedText } from "../../parts/Parts.ts"
import type { RunnerKey, RunnerKeyCreated } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { account } from "../../session/Session.ts"
import { scopeWords } from "../keys/KeyWords.ts"
import { Picker } from "../keys/Picker.tsx"
import { useNewSecrets } from "../keys/ShownOnce.tsx"
import { service } from "../../shell/Paths.ts"

const columnsOf = (agents: Names["agents"], onRevoked: () => void): ReadonlyArray<Column<RunnerKey>> => [
  {
    head: "Runner key",
    isRowHead: true,
    cell: ({ name }) => <UntrustedText text={name} isBrief />,
    sub: ({ prefix }) => <code>rhrun_{prefix}_…</code>
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
        <AskButton
          kind="bare"
          word="Revoke"
          label={`Revoke ${key.name}`}
          title="Revoke this runner key"
          cancel="Keep it"
          act={() => account.value.runnerKeys.revoke(key.id)}
          onDone={onRevoked}
        >
          Runners that use <UntrustedText text={key.name} isBrief /> get 401 within seconds, and lose what
          they are working on. This cannot be undone.
        </AskButton>
      ) : null
  }
]

export const RunnerKeys = () => {
  const agents = useNames().data?.agents ?? []
  const secrets = useNewSecrets()
  const list = useRows<RunnerKey>(account.value.runnerKeys, { kind: "audit" })
  const added = ({ key, name }: RunnerKeyCreated) => {
    secrets.show({ runnerKey: key }, name)
    list.reload()
  }
  const add = (
    <Opener word="New runner key" onDone={added}>
      {(dialog) => <NewRunnerKey {...dialog} />}
    </Opener>
  )
  return (
    <Section title="Runner keys">
      {secrets.card}
      <List
        of={list}
        one="runner key"
        label="Runner keys, newest first"
        none={
          <EmptyState title="No runner key yet" action={add}>
            A runner connects with one. See{" "}
            <a href={`${service}/docs/guides/agents`}>how to write a runner</a>.
          </EmptyState>
        }
        columns={columnsOf(agents, list.reload)}
      />
      {list.rows.length === 0 ? null : <p class="acts">{add}</p>}
    </Section>
  )
}

const NewRunnerKey = ({ onClose, onDone }: Opened<RunnerKeyCreated>) => {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const make = useForm(
    { name: "" },
    ({ name }) => account.value.runnerKeys.create({ name: name.trim(), agent_ids: chosen && [...chosen] }),
    onDone
  )
  return (
    <SaveDialog one="runner key" isNew action={make} onClose={onClose}>
      <TextField
        {...make.field("name")}
        label="Name"
        hint="Such as a host or a pool."
        required
        maxLength={200}
      />
      <Picker
        legend="Agents it may serve"
        of="agent"
        value={chosen}
        onChange={setChosen}
        wrong={make.wrong("agent_ids")}
      />
    </SaveDialog>
  )
}
