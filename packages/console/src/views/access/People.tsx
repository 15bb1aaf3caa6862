/** Who is signed in, and how to sign them out or give them another role. */
import type { ConsoleSession } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useList } from "../../data/useList.ts"
import { Ask } from "../../parts/Ask.tsx"
import { Button } from "../../parts/Button.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { List } from "../../parts/List.tsx"
import { Moment } from "../../parts/Moment.tsx"
import type { Column } from "../../parts/Table.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account, membership } from "../../session/Session.ts"
import { useEvery } from "../../time/useEvery.ts"

const columnsOf = (
  changeRole: (session: ConsoleSession) => void,
  leave: (session: ConsoleSession) => void
): ReadonlyArray<Column<ConsoleSession>> => [
  {
    head: "Person",
    isRowHead: true,
    cell: ({ id, name }) => (
      <>
        <UntrustedText text={name} isBrief />{" "}
        {id === membership.value?.session_id ? <span class="tag">you, here</span> : null}
      </>
    )
  },
  { head: "Role", class: "p1", cell: ({ role }) => role },
  { head: "By", class: "p2", cell: ({ by }) => (by === "link" ? "Link" : "Company account") },
  {
    head: "Signed in",
    class: "p2",
    cell: ({ address, begun_at }) => (
      <>
        <Moment at={begun_at} />
        {address === null ? null : <span class="sub">from {address}</span>}
      </>
    )
  },
  { head: "Last seen", class: "p1", cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
  {
    head: "Actions",
    class: "end p1",
    cell: (session) => (
      <>
        {session.by === "link" ? (
          <Button
            kind="bare"
            isChange
            label={`Change role of ${session.name}`}
            onPress={() => changeRole(session)}
          >
            Change role…
          </Button>
        ) : null}
        <Button kind="bare" isChange label={`Sign out ${session.name}`} onPress={() => leave(session)}>
          Sign out…
        </Button>
      </>
    )
  }
]

/** Sign-ins are no changes that pages hear of. */
export const peopleEveryMs = 5_000

/** Whoever a person lets in counts as that person to the service, and must not end them. */
export const isAnother = ({ person }: ConsoleSession): boolean => person !== membership.value?.person

export const People = ({ onChangeRole }: { readonly onChangeRole: (who: ConsoleSession) => void }) => {
  const { consoleSessions, id } = account.value
  const [leaving, setLeaving] = useState<ConsoleSession>()
  const [isEverywhere, setEverywhere] = useState(false)
  const list = useList({
    key: `sessions ${id}`,
    load: (where, signal) => consoleSessions.list(where, { signal }).page(),
    idOf: (session: ConsoleSession) => session.id
  })
  useEvery(peopleEveryMs, list.reload)
  return (
    <section aria-labelledby="people">
      <h2 id="people" class="gapped">
        Signed in
      </h2>
      <List
        of={list}
        one="session"
        label="Sessions, newest first"
        none={<EmptyState title="Nobody is signed in" />}
        columns={columnsOf(onChangeRole, setLeaving)}
      />
      <Ask
        of={leaving}
        title="Sign this person out"
        word="Sign out"
        act={(session) =>
          isEverywhere && isAnother(session)
            ? consoleSessions.endPerson(session.person)
            : consoleSessions.end(session.id)
        }
        onClose={() => setLeaving(undefined)}
        onDone={list.reload}
      >
        {(session) => (
          <>
            <p>
              <UntrustedText text={session.name} /> is signed out, with everyone let in by links made there.
              API keys keep working.
            </p>
            {isAnother(session) ? (
              <label class="pick">
                <input
                  type="checkbox"
                  checked={isEverywhere}
                  onChange={({ currentTarget }) => setEverywhere(currentTarget.checked)}
                />
                In all browsers of this person
              </label>
            ) : null}
            {session.by === "provider" ? (
              <p>They can sign in again with their company account until the operator changes the rules.</p>
            ) : null}
          </>
        )}
      </Ask>
    </section>
  )
}
