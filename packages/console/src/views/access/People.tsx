/** Who is signed in, and how to sign them out or give them another role. */
import type { ConsoleSession } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useRows } from "../../data/Data.ts"
import { AskButton, type Column, EmptyState, List, Moment, Opener, Pick, Section } from "../../parts/Parts.ts"
import { UntrustedText } from "../../parts/Parts.ts"
import { account, membership } from "../../session/Session.ts"
import { useEvery } from "../../time/useEvery.ts"
import { Invite, isAnother } from "./Invite.tsx"

const columnsOf = (onEnded: () => void): ReadonlyArray<Column<ConsoleSession>> => [
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
    cell: ({ begun_at }) => <Moment at={begun_at} />,
    sub: ({ address }) => address && `from ${address}`
  },
  { head: "Last seen", class: "p1", cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
  {
    head: "Actions",
    class: "end p1",
    cell: (session) => (
      <>
        {session.by === "link" ? (
          <Opener kind="bare" word="Change role…" label={`Change role of ${session.name}`}>
            {(dialog) => <Invite who={session} {...dialog} />}
          </Opener>
        ) : null}
        <SignOut of={session} onEnded={onEnded} />
      </>
    )
  }
]

/** Sign-ins are no changes that pages hear of. */
export const peopleEveryMs = 5_000

const SignOut = ({ of: session, onEnded }: { readonly of: ConsoleSession; readonly onEnded: () => void }) => {
  const { consoleSessions } = account.value
  const [isEverywhere, setEverywhere] = useState(false)
  return (
    <AskButton
      kind="bare"
      word="Sign out"
      label={`Sign out ${session.name}`}
      title="Sign this person out"
      act={() =>
        isEverywhere && isAnother(session)
          ? consoleSessions.endPerson(session.person)
          : consoleSessions.end(session.id)
      }
      onDone={onEnded}
      more={
        <>
          {isAnother(session) ? (
            <Pick isPicked={isEverywhere} onPick={setEverywhere}>
              In all browsers of this person
            </Pick>
          ) : null}
          {session.by === "provider" ? (
            <p>They can sign in again with their company account until the operator changes the rules.</p>
          ) : null}
        </>
      }
    >
      <UntrustedText text={session.name} /> is signed out, with everyone let in by links made there. API keys
      keep working.
    </AskButton>
  )
}

export const People = () => {
  const list = useRows<ConsoleSession>(account.value.consoleSessions, {})
  useEvery(peopleEveryMs, list.list.renew)
  return (
    <Section title="Signed in">
      <List
        of={list}
        one="session"
        label="Sessions, newest first"
        none={<EmptyState title="Nobody is signed in" />}
        columns={columnsOf(list.reload)}
      />
    </Section>
  )
}
