/** Creates a key, then shows its secrets once. */
import type { KeyCreated } from "@runhook/sdk/admin"
import { Head, pathOf, pathTo, useLocation } from "../../shell/Shell.ts"
import { useState } from "preact/hooks"
import { useAction, useLoad } from "../../data/Data.ts"
import { Button, Code, Form, Moment, Outcome, prose, Status, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import { curlOf } from "./KeyHandout.ts"
import { bodyOf, draftOf } from "./KeyDraft.ts"
import { KeyFields } from "./KeyFields.tsx"
import { ShownOnce } from "./ShownOnce.tsx"
import { useEvery } from "../../time/useEvery.ts"
import { serviceUrl } from "../../shell/Location.ts"

const crumb = <a href={pathTo("/keys")}>API keys</a>

export const NewKey = () => {
  const { route } = useLocation()
  const [made, setMade] = useState<KeyCreated>()
  if (made === undefined) return <NewKeyForm onMade={setMade} />
  return (
    <>
      <Head
        title="The key is ready"
        crumb={crumb}
        heading={prose`Key ${<UntrustedText text={made.name} isBrief />} is ready`}
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
              text={curlOf(made.key, { baseUrl: serviceUrl(), capabilities: made.capabilities })}
              of="command that tries the key"
            />
          </div>
          <FirstCall id={made.id} />
        </ShownOnce>
      </div>
    </>
  )
}

const NewKeyForm = ({ onMade }: { readonly onMade: (made: KeyCreated) => void }) => {
  const [draft, setDraft] = useState(draftOf())
  const make = useAction(() => account.value.keys.create(bodyOf(draft, now())), onMade)
  return (
    <>
      <Head title="New API key" crumb={crumb} />
      <Form class="form card" isChange onSubmit={make.run}>
        <KeyFields value={draft} onChange={setDraft} wrong={make.wrong} />
        <Outcome problem={make.problem} />
        <p class="acts">
          <Button kind="first" isSubmit isChange isRunning={make.isRunning}>
            Create key
          </Button>
          <a class="btn" href={pathTo("/keys")}>
            Back
          </a>
        </p>
      </Form>
    </>
  )
}

/** The use of a key is stored once a second without an event, so this polls. */
const everyMs = 2_000

/** Waits for the first call of a new key. */
export const FirstCall = ({ id }: { readonly id: string }) => {
  const { data, reload } = useLoad(`first call of ${id}`, (signal) => account.value.keys.get(id, { signal }))
  const usedAt = data?.last_used_at ?? null
  useEvery(everyMs, () => usedAt === null && reload())
  return (
    <p role="status">
      {usedAt === null ? (
        <Status of="running" word="Waiting for the first call of this key" />
      ) : (
        <>
          <Status of="completed" word="First call received" /> at <Moment at={usedAt} isExact />
          {data?.last_used_from ? prose` from ${<code>{data.last_used_from}</code>}` : null}
        </>
      )}
    </p>
  )
}
