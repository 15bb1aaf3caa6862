/** Creates an agent, or edits one. */
import type { Agent, AgentDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { account } from "../../session/Session.ts"

interface AgentFormProps {
  /** The agent to edit; without it, a new one is created. */
  readonly agent?: Agent
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: (agent: AgentDetail) => void
}

export const AgentForm = ({ agent, isOpen, onClose, onDone }: AgentFormProps) => {
  const [name, setName] = useState(agent?.name ?? "")
  const [description, setDescription] = useState(agent?.description ?? "")
  const [capacity, setCapacity] = useState(String(agent?.capacity ?? 1))
  const save = useAction(() => {
    const body = { name, description, capacity: Number(capacity) }
    return agent === undefined
      ? account.value.agents.create(body)
      : account.value.agents.update(agent.id, body)
  }, onDone)
  return (
    <Dialog
      title={agent === undefined ? "New agent" : "Change this agent"}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => save.run()}
    >
      <Field label="Name" hint="What callers choose." wrong={save.wrong("name")}>
        {(input) => (
          <input {...input} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        )}
      </Field>
      <Field
        label={
          <>
            Description <span class="quiet">(optional)</span>
          </>
        }
        wrong={save.wrong("description")}
      >
        {(input) => (
          <input
            {...input}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Slots" hint="Executions that run on it at once." wrong={save.wrong("capacity")}>
        {(input) => (
          <input
            {...input}
            type="number"
            required
            min={1}
            value={capacity}
            onInput={(event) => setCapacity(event.currentTarget.value)}
          />
        )}
      </Field>
      <Outcome problem={save.problem} />
      <p class="acts">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="first" isSubmit isChange isRunning={save.isRunning}>
          {agent === undefined ? "Make agent" : "Save"}
        </Button>
      </p>
    </Dialog>
  )
}
