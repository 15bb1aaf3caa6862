/** Creates a key, then shows its secrets once. */
import type { CreateKey, KeyCreated } from "@runhook/sdk/admin"
import { useLocation } from "preact-iso/router"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Button } from "../../parts/Button.tsx"
import { Code } from "../../parts/Copy.tsx"
import { Field } from "../../parts/Field.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { now } from "../../time/Clock.ts"
import { type CapabilityChoice, Capabilities } from "./Capabilities.tsx"
import { FirstCall } from "./FirstCall.tsx"
import { curlOf } from "./KeyHandout.ts"
import { capabilitiesOf } from "./KeyWords.ts"
import { useNames } from "./useNames.ts"
import { Picker } from "./Picker.tsx"
import { ShownOnce } from "./ShownOnce.tsx"

const crumb = <a href={pathTo("/keys")}>API keys</a>

export const NewKey = () => {
  const { route } = useLocation()
  const [made, setMade] = useState<KeyCreated>()
  if (made === undefined) return <Form onMade={setMade} />
  return (
    <>
      <Head
        title="The key is ready"
        crumb={crumb}
        heading={
          <>
            Key <UntrustedText text={made.name} isBrief /> is ready
          </>
        }
      />
      <div class="card narrow">
        <ShownOnce
          secrets={{ key: made.key, signingSecret: made.signing_secret }}
          name={made.name}
          onDone={() => {
            setMade(undefined)
            route(pathOf`/keys/${made.id}`, true)
          }}
        >
          <div class="field">
            <h2>Try it</h2>
            <Code
              text={curlOf(made.key, { baseUrl: location.origin, capabilities: made.capabilities })}
              of="command that tries the key"
            />
          </div>
          <FirstCall id={made.id} />
        </ShownOnce>
      </div>
    </>
  )
}

type Expiry = "never" | "30" | "90" | "date"

/** The expiry as an instant of the API: the end of the day, in the user's zone. */
const expiresAt = (expiry: Expiry, day: string): string | null => {
  if (expiry === "never") return null
  return expiry === "date"
    ? new Date(`${day}T23:59:59`).toISOString()
    : new Date(now() + Number(expiry) * 86_400_000).toISOString()
}

const Form = ({ onMade }: { readonly onMade: (made: KeyCreated) => void }) => {
  const names = useNames()
  const [name, setName] = useState("")
  const [tasks, setTasks] = useState<ReadonlySet<string> | null>(null)
  const [agents, setAgents] = useState<ReadonlySet<string> | null>(null)
  const [may, setMay] = useState<CapabilityChoice>({ preset: "all", chosen: new Set() })
  const [expiry, setExpiry] = useState<Expiry>("never")
  const [day, setDay] = useState("")
  const [maxLive, setMaxLive] = useState("")
  const make = useAction(() => {
    const body: CreateKey = {
      name: name.trim(),
      allowed_task_ids: tasks && [...tasks],
      allowed_agent_ids: agents && [...agents],
      capabilities: capabilitiesOf(may.preset, may.chosen),
      expires_at: expiresAt(expiry, day),
      max_live: maxLive === "" ? null : Number(maxLive)
    }
    return account.value.keys.create(body)
  }, onMade)
  return (
    <>
      <Head title="New API key" crumb={crumb} />
      <form
        class="form card"
        onSubmit={(event) => {
          event.preventDefault()
          make.run()
        }}
      >
        <Field
          label="Name"
          hint="The system that will use it. With one key per system, revoking one affects no other."
          wrong={make.wrong("name")}
        >
          {(input) => (
            <input
              {...input}
              required
              pattern=".*\S.*"
              maxLength={200}
              autocomplete="off"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Picker
          legend="Tasks it may run"
          one="task"
          options={names.data?.tasks ?? []}
          value={tasks}
          onChange={setTasks}
          wrong={make.wrong("allowed_task_ids")}
        />
        <Picker
          legend="Agents it may use"
          one="agent"
          options={names.data?.agents ?? []}
          value={agents}
          onChange={setAgents}
          wrong={make.wrong("allowed_agent_ids")}
        />
        <Capabilities value={may} onChange={setMay} />
        <div class="two">
          <Field label="Expires" wrong={make.wrong("expires_at")}>
            {(input) => (
              <select
                {...input}
                value={expiry}
                onChange={({ currentTarget: { value } }) =>
                  setExpiry(value === "30" || value === "90" || value === "date" ? value : "never")
                }
              >
                <option value="never">Never</option>
                <option value="30">In 30 days</option>
                <option value="90">In 90 days</option>
                <option value="date">On a date</option>
              </select>
            )}
          </Field>
          {expiry === "date" ? (
            <Field label="Last day">
              {(input) => (
                <input
                  {...input}
                  type="date"
                  required
                  min={new Date(now()).toISOString().slice(0, 10)}
                  value={day}
                  onInput={({ currentTarget }) => setDay(currentTarget.value)}
                />
              )}
            </Field>
          ) : null}
          <Field label="Live executions at most" wrong={make.wrong("max_live")}>
            {(input) => (
              <input
                {...input}
                type="number"
                min={1}
                max={10_000_000}
                placeholder="the account's limit"
                value={maxLive}
                onInput={({ currentTarget }) => setMaxLive(currentTarget.value)}
              />
            )}
          </Field>
        </div>
        <Outcome problem={make.problem} />
        <p class="acts">
          <Button kind="first" isSubmit isChange isRunning={make.isRunning}>
            Make key
          </Button>
          <a class="btn" href={pathTo("/keys")}>
            Back
          </a>
        </p>
      </form>
    </>
  )
}
