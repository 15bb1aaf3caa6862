/** One key: its permissions, its receivers, and how to rotate or revoke it. */
import { Detail, headOf, pathTo } from "../../shell/Shell.ts"
import type { AuditEntry, Key as KeySettings, KeyFacts } from "@runhook/sdk/admin"
import { Kept, useAction, useLive, useLoad, useNames } from "../../data/Data.ts"
import { type Named, nameIn } from "../../format/Choices.ts"
import { FactsCard, Id, Moment, Note, type Opened, Opener, prose, SaveDialog } from "../../parts/Parts.ts"
import { UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import { TestWebhook } from "../test-webhook/TestWebhook.tsx"
import "./keys.css"
import type { Secrets } from "./KeyHandout.ts"
import { mayWords, scopeWords, stateOf } from "./KeyWords.ts"
import { Revoke } from "./Revoke.tsx"
import { RotateKey, RotateSecret } from "./Rotate.tsx"
import { useNewSecrets } from "./ShownOnce.tsx"
import { SigningSecrets } from "./SigningSecrets.tsx"
import { useState } from "preact/hooks"
import { bodyOf, draftOf } from "./KeyDraft.ts"
import { KeyFields } from "./KeyFields.tsx"
import { latestChange } from "../../data/LatestChange.ts"

const kept = new Kept<KeyFacts>()

export const Key = ({ id }: { readonly id: string }) => {
  const loaded = useLoad(`key ${id}`, (signal) => account.value.keys.get(id, { signal }), kept)
  const secrets = useNewSecrets()
  const [creation, replaced] = useKeyHistory(id)
  const { reload } = loaded
  useLive({ kind: "key", id }, reload)
  const rotated = (made: Secrets) => {
    secrets.show(made, loaded.data?.name ?? "")
    reload()
  }
  return (
    <Detail
      id={id}
      of={loaded}
      what="API key"
      head={(key) => ({
        ...headOf(key.name, stateOf(key, now())),
        acts:
          key.revoked_at === null ? (
            <>
              <Opener word="Change…" onDone={reload}>
                {(dialog) => <ChangeKey of={key} {...dialog} />}
              </Opener>
              <Opener word="Rotate key…" onDone={rotated}>
                {(dialog) => <RotateKey of={key} {...dialog} />}
              </Opener>
            </>
          ) : undefined
      })}
    >
      {(key) => (
        <div class="cols">
          <div class="stack">
            {secrets.card}
            {key.revoked_at === null ? (
              <TestWebhook keys={[key]} />
            ) : (
              <Note title="This key is revoked">
                Its calls have been refused with 401 since <Moment at={key.revoked_at} />. Waiting callbacks
                are still sent.
              </Note>
            )}
            <SigningSecrets
              of={key}
              replaced={replaced}
              rotate={
                <Opener word="Rotate signing secret…" onDone={rotated}>
                  {(dialog) => <RotateSecret of={key} {...dialog} />}
                </Opener>
              }
            />
            {key.revoked_at === null ? <Revoke of={key} onRevoked={reload} /> : null}
          </div>
          <FactsOf of={key} made={creation} />
        </div>
      )}
    </Detail>
  )
}

const FactsOf = ({ made, of: key }: { readonly of: KeyFacts; readonly made: AuditEntry | undefined }) => {
  const names = useNames()
  const { agents = [], tasks = [] } = names.data ?? {}
  return (
    <FactsCard
      of={{
        Key: <code>rhlive_{key.prefix}_…</code>,
        Tasks: <Scope ids={key.allowed_task_ids} known={tasks} many="tasks" />,
        Agents: <Scope ids={key.allowed_agent_ids} known={agents} many="agents" />,
        Permissions: mayWords(key.capabilities),
        "Max. concurrent": key.max_live,
        "Rate limit":
          key.rate_limit && `${key.rate_limit.per_second} per second, ${key.rate_limit.burst} at once`,
        "Last used": key.last_used_at === null ? "Never" : <Moment at={key.last_used_at} />,
        Created: (
          <span>
            <Moment at={key.created_at} />
            {made === undefined ? null : prose` by ${<UntrustedText text={made.actor.name} isBrief />}`}
          </span>
        ),
        Expires: key.expires_at === null ? "Never" : <Moment at={key.expires_at} />,
        "Previous key": stillAccepted(key),
        Id: <Id of={key.id} />
      }}
    >
      <p>
        <a href={pathTo("/audit", { subject: key.id })}>Audit log of this key</a>
      </p>
    </FactsCard>
  )
}

const stillAccepted = ({ previous_expires_at: at }: KeyFacts) =>
  at !== null && Date.parse(at) > now() ? prose`accepted until ${<Moment at={at} />}` : null

interface ScopeProps {
  readonly ids: ReadonlyArray<string> | null
  readonly known: ReadonlyArray<Named>
  readonly many: string
}

/** All names, if they are few. */
const Scope = ({ ids, known, many }: ScopeProps) => {
  const found = (ids ?? []).map((id) => nameIn(known, id) ?? id)
  if (ids === null || found.length < 2 || found.length > 20) {
    return <UntrustedText text={scopeWords(ids, { known, many })} isBrief />
  }
  return <UntrustedText text={found.join(", ")} />
}

/** Changes a key's name, scopes, capabilities, expiry and limits. Its secrets stay. */
const ChangeKey = ({ of: key, onClose, onDone }: Opened & { readonly of: KeySettings }) => {
  const [draft, setDraft] = useState(() => draftOf(key))
  const save = useAction(() => account.value.keys.update(key.id, bodyOf(draft, now(), key)), onDone)
  return (
    <SaveDialog one="key" isNew={false} action={save} onClose={onClose}>
      <p>Changes hold from its next request. Running executions go on.</p>
      <KeyFields value={draft} onChange={setDraft} wrong={save.wrong} />
    </SaveDialog>
  )
}

/** Who created a key and who last changed its signing secret, from the audit log. */
const useKeyHistory = (id: string) => {
  const { data, reload } = useLoad(`history ${id}`, (signal) =>
    Promise.all([latestChange(id, "key.created", signal), latestChange(id, "signing_secret.rotated", signal)])
  )
  useLive({ kind: "key", id }, reload)
  return data ?? []
}
